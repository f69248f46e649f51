// The final state of every configuration on a fixed stream, as committed in states.json: the same
// bits from gcc and clang, with and without optimisation. To renew it after a change that is meant
// to change results, run the test program with PLUMBLINE_UPDATE_GOLDEN=1 and look at the diff.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plumbline/math/loss.h"
#include "plumbline/model/binary_model.h"
#include "tests/conformance/configurations.h"
#include "tests/support.h"

namespace plumbline::golden_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPath = PLUMBLINE_TESTS_DIR "/golden/states.json";

// FNV-1a over names and bytes: a difference anywhere shows.
std::string fingerprint(const Tensors& tensors) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const Tensor& tensor : tensors) {
    for (const char c : tensor.name) add(static_cast<unsigned char>(c));
    for (const std::byte byte : tensor.bytes) add(static_cast<unsigned char>(byte));
  }
  return fmt::format("{:016x}", hash);
}

Json final_state(const ModelConfig& config) {
  const Minibatch data = test::waveform(1500, 42);
  BinaryModel model(config, Schema::numeric(21));
  std::vector<double> scores(50), probabilities(50);
  double loss = 0;
  for (std::size_t from = 0; from < 1500; from += 50) {
    const Examples batch = test::slice(data, from, from + 50);
    model.step(batch, scores, probabilities);
    loss += mean_loss(probabilities, batch.y, log_loss) / 30;
  }
  const BinaryView view = model.view(3);
  return {{"log_loss", fmt::format("{:a}", loss)},
          {"error", fmt::format("{:a}", view.learners.back().error)},
          {"curve", fmt::format("{:a}", view.curve[1].probability)},
          {"state", fingerprint(save_state(model))}};
}

Json read_golden() {
  std::ifstream file(kPath);
  return file ? Json::parse(file) : Json::object();
}

TEST(Golden, FinalStatesAreThoseOfTheCommittedFile) {
  Json states = Json::object();
  for (const test::NamedConfig& named : test::configurations()) {
    states[named.name] = final_state(named.config);
  }
  if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kPath) << states.dump(1) << "\n";
    GTEST_SKIP() << "wrote " << kPath;
  }
  const Json golden = read_golden();
  EXPECT_EQ(golden.size(), states.size());
  for (const auto& [name, state] : states.items()) {
    EXPECT_EQ(state, golden.value(name, Json())) << name;
  }
}

}  // namespace
}  // namespace plumbline::golden_test
