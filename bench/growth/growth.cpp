// The growth of the time per example: growth FOLDER [--quick], or growth --at T D B for boosted Naive Bayes of
// one size, for profiles.
//
// Test-then-learn (`Model::step`) of boosted Naive Bayes alone (preset `literal`, policy always_train, no
// calibrator) and of the preset `fast`, against the number of learners T, of features d, of rows in a
// minibatch b, and of examples so far. What does not vary is T = 10, d = 20, b = 50. The rows are in memory
// and come again and again. Times are of the processor, and each is the least of five, since what disturbs a
// measurement only makes it longer; over the number of examples, one model goes on and on, and each is the
// median of ten parts of a window that begins where the last one ended.
//
// Prints a table, and writes FOLDER/growth.json and an SVG file for each.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plumbline/config.h"
#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "report/chart.h"

namespace {

using namespace plumbline;
using Json = nlohmann::ordered_json;

struct Sizes {
  std::size_t learners = 10, features = 20, rows = 50;
};

struct Kind {
  const char* name;
  const char* preset;
  const char* change;
};
constexpr Kind kKinds[] = {
    {"boosted Naive Bayes", "literal", R"({"policy": "always_train", "calibrator": "none"})"},
    {"fast", "fast", "{}"}};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A model and rows that it sees in turns.
class Run {
 public:
  Run(const Kind& kind, const Sizes& sizes)
      : sizes_(sizes), model_(config(kind, sizes), Schema::numeric(sizes.features)) {
    const std::size_t rows =
        std::max<std::size_t>(sizes.rows, std::min<std::size_t>(2000, 400000 / sizes.features));
    for (std::size_t first = 0; first + sizes.rows <= rows; first += sizes.rows) {
      Minibatch& batch = batches_.emplace_back(sizes.features);
      for (std::size_t i = 0; i < sizes.rows; ++i) {
        Rng rng(1, 0, first + i);
        const Label label = rng.uniform() < 0.5 ? 1 : 0;
        const double shift = label / std::sqrt(static_cast<double>(sizes.features));
        for (double& x : batch.add(label)) x = rng.normal() + shift;
      }
    }
  }

  // Nanoseconds for each of at least so many examples.
  double step(std::size_t examples) {
    const std::size_t count = (examples + sizes_.rows - 1) / sizes_.rows;
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < count; ++i) {
      model_.step(batches_[next_].examples(), predictions_);
      next_ = (next_ + 1) % batches_.size();
    }
    const double seconds = static_cast<double>(std::clock() - start) / double{CLOCKS_PER_SEC};
    return seconds * 1e9 / static_cast<double>(count * sizes_.rows);
  }

 private:
  static Config config(const Kind& kind, const Sizes& sizes) {
    Config config = overlay(preset(kind.preset), kind.change);
    config.model.ensemble.size = static_cast<std::int64_t>(sizes.learners);
    return config;
  }

  Sizes sizes_;
  Model model_;
  std::vector<Minibatch> batches_;
  std::size_t next_ = 0;
  Predictions predictions_;
};

// When a minibatch is less than 1/20 of what was seen, `fast` is as it stays.
double steady(const Kind& kind, const Sizes& sizes, double seconds) {
  Run run(kind, sizes);
  const double first = run.step(21 * sizes.rows);
  const auto examples =
      static_cast<std::size_t>(std::clamp(seconds * 1e9 / std::max(first, 1.0), 1.0, 1e7));
  double least = 1e300;
  for (int i = 0; i < 5; ++i) least = std::min(least, run.step(examples));
  return least;
}

struct Growth {
  std::string name, file, axis;
  std::vector<double> at;
  std::vector<std::vector<double>> nanoseconds;  // of each kind
};

Growth against(const std::string& name, const std::string& file, const std::string& axis,
               std::size_t Sizes::*size, const std::vector<std::size_t>& values, double seconds) {
  Growth growth{name, file, axis, {}, {{}, {}}};
  for (const std::size_t value : values) {
    Sizes sizes;
    sizes.*size = value;
    growth.at.push_back(static_cast<double>(value));
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
      growth.nanoseconds[k].push_back(steady(kKinds[k], sizes, seconds));
    }
  }
  return growth;
}

Growth against_examples(std::size_t most) {
  Growth growth{"examples so far", "examples", "examples so far", {}, {{}, {}}};
  for (std::size_t k = 0; k < std::size(kKinds); ++k) {
    Run run(kKinds[k], {});
    std::size_t seen = 0;
    for (std::size_t end = 2000; end <= most; end *= 2) {
      std::vector<double> times;
      const std::size_t tenth = (end - seen) / 10;
      for (int i = 0; i < 10; ++i) times.push_back(run.step(tenth));
      seen = end;
      if (k == 0) growth.at.push_back(static_cast<double>(end));
      growth.nanoseconds[k].push_back(median(times));
    }
  }
  return growth;
}

void print(const Growth& growth) {
  fmt::print("\n{:>16}", growth.name);
  for (const Kind& kind : kKinds) fmt::print(" {:>20}", kind.name);
  fmt::print("   ns for each example\n");
  for (std::size_t i = 0; i < growth.at.size(); ++i) {
    fmt::print("{:>16}", growth.at[i]);
    for (const auto& times : growth.nanoseconds) fmt::print(" {:>20.0f}", times[i]);
    fmt::print("\n");
  }
}

void draw(const Growth& growth, bool flat, const std::filesystem::path& folder) {
  report::Chart chart{.title = "Time per example against " + growth.name,
                      .x = {.title = growth.axis, .log = true},
                      .y = {.title = "ns per example", .log = !flat}};
  if (flat) chart.y.low = 0;
  for (std::size_t k = 0; k < std::size(kKinds); ++k) {
    chart.series.push_back({.name = kKinds[k].name, .x = growth.at, .y = growth.nanoseconds[k]});
  }
  std::ofstream(folder / ("growth_" + growth.file + ".svg")) << report::to_svg(chart);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "--at") {
    const Sizes sizes{std::stoul(argv[2]), std::stoul(argv[3]), std::stoul(argv[4])};
    fmt::print("{:.0f} ns for each example\n", steady(kKinds[0], sizes, 0.5));
    return 0;
  }
  const bool quick = argc == 3 && std::string_view(argv[2]) == "--quick";
  if (argc != 2 && !quick) {
    fmt::print(stderr, "usage: growth FOLDER [--quick], or growth --at T D B\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const double seconds = quick ? 0.005 : 0.1;
  const std::vector<Growth> all = {
      against("learners", "learners", "learners T", &Sizes::learners,
              {1, 2, 4, 8, 10, 12, 16, 17, 20, 25, 32, 50, 100, 200}, seconds),
      against("features", "features", "features d", &Sizes::features,
              {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}, seconds),
      against("rows", "rows", "rows of a minibatch b", &Sizes::rows,
              {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}, seconds),
      against_examples(quick ? 64000 : 1024000)};
  Json json = Json::array();
  for (const Growth& growth : all) {
    print(growth);
    draw(growth, growth.file == "examples", folder);
    Json& row = json.emplace_back(Json{{"against", growth.name}, {"at", growth.at}});
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
      row["ns_per_example"][kKinds[k].name] = growth.nanoseconds[k];
    }
  }
  std::ofstream(folder / "growth.json") << json.dump(1) << "\n";
}
