// The time that a row of 50 named features takes, out of ever more possible names: reading, encoding, predicting and
// learning, once every name has been seen.
//
//   sparse [ROWS]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "plumbline/config.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"

namespace {

using namespace plumbline;

constexpr std::size_t kFeatures = 50;  // of a row

// First every name once, then rows of names at random; the label is the sign of the sum of the names' weights.
class Names : public Stream {
 public:
  Names(std::size_t names, std::size_t rows) : Stream("names"), rows_(rows) {
    for (std::size_t i = 0; i < names; ++i) texts_.push_back(std::to_string(i));
    row_names_.resize(kFeatures);
    numbers_.assign(kFeatures, 1.0);
    classes_ = {"0", "1"};
  }

  std::size_t warm_up() const { return (texts_.size() + kFeatures - 1) / kFeatures; }

  bool next() override {
    if (at_ == warm_up() + rows_) return false;
    Rng rng(1, 0, at_);
    int sum = 0;
    for (std::size_t k = 0; k < kFeatures; ++k) {
      const std::size_t name =
          (at_ < warm_up() ? at_ * kFeatures + k : rng.below(texts_.size())) % texts_.size();
      row_names_[k] = texts_[name];
      sum += name * 2654435761u % 64 < 32 ? 1 : -1;
    }
    row_ = {.names = row_names_, .numbers = numbers_, .target = static_cast<Label>(sum > 0)};
    line_ = ++at_;
    return true;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string_view> row_names_;
  std::vector<double> numbers_;
  std::size_t rows_, at_ = 0;
};

// Microseconds for each row.
double time_of(const char* base, const char* change, std::size_t names, std::size_t rows) {
  const Config config = overlay(
      preset(base), fmt::format(R"({{"encoder": {{"max_features": {}}}{}}})", names, change));
  Names stream(names, rows);
  // The first rows name every feature once, and so are as sparse as the others.
  std::vector<SampleRow> sample(2);
  for (std::size_t i = 0; i < 200; ++i) sample[i % 2].names.push_back("x" + std::to_string(i));
  for (std::size_t i = 0; i < 40; ++i) sample.push_back({.names = {"x1"}});
  std::vector<Note> notes;
  Model model(config, Encoder::fit(config.encoder, stream, sample, {.classes = {"0", "1"}}, notes));
  Session session(stream, model);
  const std::size_t warm_up = stream.warm_up();
  while (session.position() < warm_up && session.step()) {
  }
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t first = session.position();
  while (session.step()) {
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  return time.count() / static_cast<double>(session.position() - first);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20000;
  std::printf("microseconds for a row of %zu features out of so many names\n\n", kFeatures);
  std::printf("%12s %12s %12s %22s\n", "names", "auto", "fast", "10 x logistic by SGD");
  for (const std::size_t names : {1000u, 10000u, 100000u, 1000000u}) {
    const double automatic = time_of("auto", "", names, rows);
    const double fast = time_of("fast", "", names, rows);
    const double linear = time_of(
        "fast",
        R"(, "learner": "logistic", "ensemble": {"resample": "weight"}, "calibrator": "platt_newton")",
        names, rows);
    std::printf("%12zu %12.1f %12.1f %22.1f\n", names, automatic, fast, linear);
  }
}
