// Calibrates the probabilities of another learner, test-then-learn on each row: calibrate [CALIBRATOR] < ROWS
//
// A row is the label, 0 to K - 1, and the K probabilities of the classes. Each line of the output has the K
// calibrated probabilities of a row, from the rows before it. With two classes CALIBRATOR [cascade] calibrates the
// probability of class 1. With more, each class has a calibrator of its own, against the rest, and their answers are
// divided by their sum.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "plumbline/calibrator.h"
#include "plumbline/error.h"
#include "plumbline/options.h"

namespace {

using namespace plumbline;

class RowCalibrator {
 public:
  RowCalibrator(const std::string& spec, std::size_t classes) {
    for (std::size_t k = 0; k < (classes == 2 ? 1 : classes); ++k) {
      calibrators_.push_back(calibrators().make(Spec(spec), 1));
    }
  }

  // Replaces the probabilities by calibrated ones, then learns from the label.
  void step(std::size_t label, std::vector<double>& probabilities) {
    const bool binary = calibrators_.size() == 1;
    for (std::size_t k = 0; k < calibrators_.size(); ++k) {
      const std::size_t positive = binary ? 1 : k;
      const std::vector<double> score{std::clamp(probabilities[positive], 0.0, 1.0)};
      const std::vector<Label> target{static_cast<Label>(label == positive)};
      calibrators_[k]->apply(score, {&probabilities[positive], 1});
      calibrators_[k]->observe(target);
      calibrators_[k]->calibrate(score, target);
    }
    if (binary) probabilities[0] = 1 - probabilities[1];
    const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    const double equal = 1 / static_cast<double>(probabilities.size());
    for (double& p : probabilities) p = sum > 0 ? p / sum : equal;
  }

 private:
  std::vector<std::unique_ptr<Calibrator>> calibrators_;
};

void run(const std::string& spec) {
  std::unique_ptr<RowCalibrator> calibrator;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::size_t label = 0;
    words >> label;
    std::vector<double> row;
    for (double p = 0; words >> p;) row.push_back(p);
    if (row.size() < 2 || label >= row.size() || !words.eof()) {
      throw Error(ErrorKind::data, "not a label and its probabilities: " + line);
    }
    if (!calibrator) calibrator = std::make_unique<RowCalibrator>(spec, row.size());
    calibrator->step(label, row);
    fmt::print("{:.17g}\n", fmt::join(row, " "));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "cascade");
  } catch (const std::exception& error) {
    fmt::print(stderr, "calibrate: {}\n", error.what());
    return 1;
  }
}
