// Any bytes as a model file: either they are refused with an Error, or the model works. The input
// is tried as it is, and as the content of a container with a valid checksum, which fuzzing alone
// would not find: configuration, schema and tensors are cut from it.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "plumbline/error.h"
#include "plumbline/model.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/model_file.h"
#include "plumbline/online_calibrator.h"

namespace {

using namespace plumbline;

void expect_usable(std::span<const std::byte> bytes) {
  try {
    Model model = Model::from_bytes(bytes, "fuzz");
    if (model.schema().size() > 1000) return;
    model.view();
    for (const double x : {0.5, -1e150, 100.0, 1e-300}) {
      const std::vector<double> row(model.schema().size(), x);
      const Label label = x > 0 ? 1 : 0;
      const Batch batch{row, 1, row.size()};
      const std::vector<double> probabilities = model.predict(batch);
      if (probabilities.size() != model.outputs()) std::abort();
      for (const double p : probabilities) {
        if (!(p >= 0 && p <= 1)) std::abort();
      }
      model.learn({batch, {&label, 1}});
    }
    const auto saved = model.to_bytes();
    if (Model::from_bytes(saved, "again").to_bytes() != saved) std::abort();
  } catch (const Error&) {
  }
}

void expect_usable_calibrator(std::span<const std::byte> bytes) {
  try {
    OnlineCalibrator calibrator = OnlineCalibrator::from_bytes(bytes, "fuzz");
    if (calibrator.width() > 1000) return;
    std::vector<double> probabilities(calibrator.outputs());
    for (const double x : {0.5, 0.0, 1.0}) {
      std::vector<double> row(calibrator.width(), x);
      row[0] = 0.25;
      const Label label = x > 0 ? 1 : 0;
      calibrator.step(row, {&label, 1}, probabilities);
      for (const double p : probabilities) {
        if (!(p >= 0 && p <= 1)) std::abort();
      }
    }
    const auto saved = calibrator.to_bytes();
    if (OnlineCalibrator::from_bytes(saved, "again").to_bytes() != saved) std::abort();
  } catch (const Error&) {
  }
}

void replace_state(ModelFile& file, std::span<const std::byte> input) {
  for (Tensor& tensor : file.tensors) {
    for (std::byte& byte : tensor.bytes) {
      if (input.empty()) return;
      byte = input.front();
      input = input.subspan(1);
    }
  }
}

// The same for a calibrator of scores.
void expect_usable_as_calibrator(std::span<const std::byte> input) {
  if (input.empty()) return;
  const auto choice = static_cast<std::size_t>(input.front());
  const std::size_t kClasses[] = {2, 3, 20};
  OnlineCalibrator calibrator({.scores = 1 + choice / 3 % 2,
                               .inputs = {choice % 2 == 0 ? ScoreInput::score : ScoreInput::logit},
                               .classes = kClasses[choice % 3]});
  const std::vector<double> row(calibrator.width(), 0.5);
  std::vector<double> probabilities(calibrator.outputs());
  const Label label = 1;
  if (choice / 6 % 2 == 1) calibrator.learn(row, {&label, 1});
  if (choice / 12 % 2 == 1) calibrator.hold(1, row, probabilities);
  ModelFile file = decode(calibrator.to_bytes(), "fresh");
  replace_state(file, input.subspan(1));
  expect_usable_calibrator(encode(file));
}

// The state of a fresh model, with columns or without, with the bytes of its tensors replaced by the input.
void expect_usable_as_state(std::span<const std::byte> input) {
  if (input.empty()) return;
  Config config;
  config.model.ensemble.size = 2;
  const char* const kLearners[] = {"gaussian_nb", "logistic:penalty=l1", "perceptron",
                                   "linear_svm"};
  const char* const kPolicies[] = {"ucb1", "thompson", "discounted_ucb1", "fixed"};
  const auto choice = static_cast<std::size_t>(input.front());
  config.model.learner = Spec(kLearners[choice % 4]);
  config.model.policy = Spec(kPolicies[choice / 4 % 4]);
  input = input.subspan(1);
  ModelFile file = decode(Model(config, Schema::numeric(2)).to_bytes(), "fresh");
  if (choice / 16 % 2 == 0) {
    file.encoder.clear();
    file.tensors = save_state(BinaryModel(config.model, 2));
  }
  replace_state(file, input);
  expect_usable(encode(file));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input(reinterpret_cast<const std::byte*>(data), size);
  expect_usable(input);
  expect_usable_as_state(input);
  expect_usable_calibrator(input);
  expect_usable_as_calibrator(input);
  return 0;
}
