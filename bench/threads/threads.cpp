// The speedup by threads: wall time of a call on one thread, on as many as there are cores, and the ratio.
//
//   thread_gain [--seconds S] [PART…]
//
//   predict     `Model::predict` of two classes
//   multiclass  `Model::step` and `Model::predict` of 10 classes, minibatch by minibatch
//
// S [2] is for each line. All lines, with one thread and with several, are measured in turns, and each time is the
// least of many, since what disturbs a measurement only makes it longer: on a busy machine it takes a large S to see
// all cores at work at once.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "plumbline/config.h"
#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "plumbline/threads.h"

namespace {

using namespace plumbline;

struct Case {
  const char* preset;
  std::size_t classes, features, rows;
  Multiclass scheme = Multiclass::ovr;
};

// A model and rows that it sees in turns.
class Run {
 public:
  explicit Run(const Case& given) : model_(config(given), schema(given)) {
    const std::size_t batches =
        std::max<std::size_t>(1, std::min<std::size_t>(50, 4000 / given.rows));
    for (std::size_t b = 0; b < batches; ++b) {
      Minibatch& batch = batches_.emplace_back(given.features);
      for (std::size_t i = 0; i < given.rows; ++i) {
        Rng rng(1, 0, b * given.rows + i);
        const auto label = static_cast<Label>(rng.below(given.classes));
        std::size_t feature = 0;
        for (double& x : batch.add(label))
          x = rng.normal() + (feature++ % given.classes == label ? 1 : 0);
      }
    }
    // From the 21st minibatch on `fast` is as it stays.
    const ThreadLimit limit(1);
    for (std::size_t i = 0; i < std::min<std::size_t>(25, 1 + 20000 / given.rows); ++i) step();
  }

  void step() { model_.step(next().examples(), predictions_); }
  void predict() { model_.predict(next().features(), predictions_); }

 private:
  static Config config(const Case& given) {
    Config config = preset(given.preset);
    config.model.multiclass = given.scheme;
    return config;
  }
  static Schema schema(const Case& given) {
    Schema schema = Schema::numeric(given.features);
    for (std::size_t k = 0; given.classes > 2 && k < given.classes; ++k) {
      schema.classes.push_back(fmt::format("class {}", k));
    }
    return schema;
  }
  const Minibatch& next() { return batches_[at_++ % batches_.size()]; }

  Model model_;
  std::vector<Minibatch> batches_;
  std::size_t at_ = 0;
  Predictions predictions_;
};

using Clock = std::chrono::steady_clock;

// Microseconds of a call. Some are measured together, but no longer than a busy system leaves a thread alone.
double measure(Run& run, void (Run::*call)(), std::size_t threads, std::size_t& calls) {
  const ThreadLimit limit(threads);
  (run.*call)();  // brings the state into the caches
  for (;; calls *= 2) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) (run.*call)();
    const std::chrono::duration<double, std::micro> passed = Clock::now() - start;
    if (passed.count() >= 400) return passed.count() / static_cast<double>(calls);
  }
}

// A line of the table.
class Line {
 public:
  using Call = void (Run::*)();

  Line(const Case& given, const char* what, Call call)
      : given_(given), what_(what), call_(call), alone_(given), shared_(given) {}

  void measure() {
    one_ = std::min(one_, ::measure(alone_, call_, 1, calls_one_));
    all_ = std::min(all_, ::measure(shared_, call_, 0, calls_all_));
  }

  void print() const {
    const char* scheme = given_.scheme == Multiclass::ovr ? "ovr" : "ovo";
    fmt::print("{:<8} {:<8} {:>3} {:>4} {:>9} {:>7} {:>12.1f} {:>12.1f} {:>6.2f}\n", what_,
               given_.preset, given_.classes > 2 ? scheme : "", given_.features, given_.classes,
               given_.rows, one_, all_, one_ / all_);
  }

 private:
  Case given_;
  const char* what_;
  Call call_;
  Run alone_, shared_;
  double one_ = 1e300, all_ = 1e300;
  std::size_t calls_one_ = 1, calls_all_ = 1;
};

}  // namespace

int main(int count, char** words) {
  double seconds = 2;
  std::vector<std::string_view> parts;
  for (int i = 1; i < count; ++i) {
    if (words[i] == std::string_view("--seconds") && i + 1 < count) {
      seconds = std::atof(words[++i]);
    } else {
      parts.emplace_back(words[i]);
    }
  }
  const auto wanted = [&](std::string_view part) {
    return parts.empty() || std::ranges::find(parts, part) != parts.end();
  };
  std::vector<std::unique_ptr<Line>> lines;
  const auto add = [&](const Case& one, const char* what, Line::Call call) {
    lines.push_back(std::make_unique<Line>(one, what, call));
  };
  for (const char* preset : {"fast", "paper"}) {
    for (const std::size_t features : {8u, 40u, 200u}) {
      for (const std::size_t rows : {10u, 100u, 1000u, 10000u}) {
        if (wanted("predict")) add({preset, 2, features, rows}, "predict", &Run::predict);
      }
    }
  }
  if (wanted("multiclass")) {
    using enum Multiclass;
    for (const Case& one : std::initializer_list<Case>{{"fast", 10, 8, 1, ovr},
                                                       {"fast", 10, 8, 10, ovr},
                                                       {"fast", 10, 8, 50, ovr},
                                                       {"fast", 10, 8, 1000, ovr},
                                                       {"fast", 10, 40, 10, ovr},
                                                       {"fast", 10, 40, 50, ovr},
                                                       {"fast", 10, 40, 10, ovo},
                                                       {"paper", 10, 8, 50, ovr},
                                                       {"paper", 10, 40, 50, ovr}}) {
      add(one, "step", &Run::step);
      add(one, "predict", &Run::predict);
    }
  }

  seconds *= static_cast<double>(lines.size());
  const auto start = Clock::now();
  do {
    for (const auto& line : lines) line->measure();
  } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);

  fmt::print("{} threads beside 1; least of {:.0f} seconds, all lines in turns\n\n",
             allowed_threads(), seconds);
  fmt::print("{:<8} {:<8} {:>3} {:>4} {:>9} {:>7} {:>12} {:>12} {:>6}\n", "", "preset", "", "d",
             "classes", "rows", "1 thread us", "all us", "times");
  for (const auto& line : lines) line->print();
}
