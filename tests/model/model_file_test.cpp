#include "plumbline/model/model_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "plumbline/core/file.h"
#include "plumbline/model/model.h"
#include "tests/support.h"

// That the real safetensors package opens the file is tested in tests/oracle.

namespace plumbline {
namespace {

using test::expect_error;

Model trained() {
  ModelConfig config;
  config.ensemble.size = 2;
  Schema schema = Schema::numeric(21);
  schema.features[3] = "a \"quoted\" näme\n";
  schema.positive = "spam";
  Model model(config, schema);
  const Minibatch data = test::waveform(200);
  for (std::size_t i = 0; i < 200; i += 50) model.learn(test::slice(data, i, i + 50));
  return model;
}

std::vector<std::byte> as_bytes(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

void expect_refused(std::span<const std::byte> bytes, std::initializer_list<const char*> parts) {
  expect_error(ErrorKind::model_file, parts, [&] { Model::from_bytes(bytes, "m.safetensors"); });
}

TEST(ModelFile, BringsBackTheSameModel) {
  const Model model = trained();
  const auto bytes = model.to_bytes();
  const Model loaded = Model::from_bytes(bytes, "copy");
  EXPECT_EQ(loaded.to_bytes(), bytes);
  EXPECT_EQ(loaded.schema(), model.schema());
  const Minibatch data = test::waveform(50, 9);
  EXPECT_EQ(loaded.predict(data.features()), model.predict(data.features()));
}

TEST(ModelFile, IsWrittenToAFileAndReadFromIt) {
  const std::string path = ::testing::TempDir() + "model_file_test_" + std::to_string(::getpid());
  const Model model = trained();
  model.save(path);
  EXPECT_EQ(Model::load(path).to_bytes(), model.to_bytes());
  std::filesystem::remove(path);
  expect_error(ErrorKind::io, {"cannot open", "No such file"}, [&] { Model::load(path); });
}

// The checksum is put in by replacing its placeholder: a name that looks like it must survive.
TEST(ModelFile, ANameThatLooksLikeAChecksumDoesNoHarm) {
  Schema schema = Schema::numeric(2);
  schema.features[1] = "xxh64:0000000000000000";
  const Model model(preset("paper"), schema);
  EXPECT_EQ(Model::from_bytes(model.to_bytes(), "copy").schema(), schema);
}

TEST(ModelFile, TensorsAreAlignedForOtherReaders) {
  const auto bytes = trained().to_bytes();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(bytes[8], std::byte{'{'});
}

TEST(ModelFile, EveryTruncationIsRefused) {
  const auto bytes = trained().to_bytes();
  for (std::size_t size = 0; size < bytes.size(); size += size < 64 ? 1 : 97) {
    expect_refused(std::span(bytes).first(size), {"m.safetensors"});
  }
  expect_refused(std::span(bytes).first(bytes.size() - 1), {"truncated"});
}

TEST(ModelFile, EveryAlteredByteIsRefused) {
  const auto bytes = trained().to_bytes();
  for (std::size_t at = 0; at < bytes.size(); at += at < 600 ? 1 : 61) {
    auto altered = bytes;
    altered[at] ^= std::byte{1};
    expect_refused(altered, {"m.safetensors"});
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  expect_refused(longer, {"checksum"});
}

TEST(ModelFile, ForeignFilesAreRefused) {
  expect_refused({}, {"not a plumbline model"});
  expect_refused(as_bytes("label,x1,x2\n0,1,2\n1,2,3\n"), {"not a plumbline model"});
  expect_refused(as_bytes(std::string("\x02\0\0\0\0\0\0\0{}", 10)), {"not a plumbline model"});
  expect_refused(as_bytes(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)), {"truncated"});
  // A real safetensors header of somebody else's.
  const std::string header = R"({"__metadata__":{"format":"pt"}} )";
  std::string foreign(8, '\0');
  foreign[0] = static_cast<char>(header.size());
  expect_refused(as_bytes(foreign + header), {"not a plumbline model"});
}

TEST(ModelFile, AFileOfALaterFormatSaysSo) {
  auto bytes = trained().to_bytes();
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string field = R"("format_version":"1")";
  text.replace(text.find(field), field.size(), R"("format_version":"9")");
  expect_refused(as_bytes(text), {"version 9", "reads version 1"});
}

// The checksum guards against accidents; a file that was rewritten on purpose must not do harm.
TEST(ModelFile, AValidContainerWithImpossibleContentIsRefused) {
  const ModelFile good = decode(trained().to_bytes(), "m.safetensors");
  const auto refused = [&](const ModelFile& file, std::initializer_list<const char*> parts) {
    expect_refused(encode(file), parts);
  };
  ModelFile bad = good;
  bad.config = R"({"ensemble": {"size": 3}})";  // but the state of two
  refused(bad, {"m.safetensors", "shape"});
  bad.config = R"({"ensemble": {"size": 100000}})";
  refused(bad, {"m.safetensors", "too short for 100000 learners of 21 features"});
  bad = good;
  bad.config = "nonsense";
  refused(bad, {"not a JSON object"});
  bad = good;
  bad.schema = R"({"features": 3})";
  refused(bad, {"schema is malformed"});
  bad = good;
  bad.schema = R"({"features":["x"],"label":"y","negative":"0","positive":"1"})";
  refused(bad, {"shape"});
  bad = good;
  bad.tensors.pop_back();
  refused(bad, {"is missing"});
  bad = good;
  bad.tensors.push_back(bad.tensors.back());
  refused(bad, {"m.safetensors"});
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "history.action") tensor.bytes[0] = std::byte{9};
  }
  refused(bad, {"history.action"});
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "pending_arm") tensor.bytes[0] = std::byte{9};
  }
  refused(bad, {"pending_arm"});
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "rounds") tensor.bytes[7] = std::byte{0xFF};
  }
  refused(bad, {"rounds", "too large"});
  const auto refused_number = [&](const char* name, double value) {
    for (Tensor& tensor : (bad = good).tensors) {
      if (tensor.name == name) std::memcpy(tensor.bytes.data(), &value, sizeof value);
    }
    refused(bad, {name, "which is not in ["});
  };
  // Finite, but beyond what learning keeps finite.
  refused_number("ensemble.learner1.mean", 1e200);
  refused_number("ensemble.learner2.weight", -1);
  refused_number("ensemble.correct_weight", 1e308);
  refused_number("ensemble.wrong_weight", -1);
  refused_number("calibrator.slope", 1e300);
  refused_number("policy.pulls", -1);
  refused_number("policy.rewards", 1e300);
  refused_number("last_loss", -1);
  refused_number("loss_sum", -1);
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "ensemble.learner1.variance") tensor.bytes[7] = std::byte{0xC0};
  }
  refused(bad, {"ensemble.learner1.variance", "which is not in [0,"});
}

TEST(ModelFile, LinearWeightsBeyondTheirBoundAreRefused) {
  ModelConfig config;
  config.learner = "logistic:penalty=l1";
  const ModelFile good = decode(Model(config, Schema::numeric(2)).to_bytes(), "m.safetensors");
  for (const char* name :
       {"ensemble.learner1.weights", "ensemble.learner1.intercept", "ensemble.learner1.step",
        "ensemble.learner1.l1_due", "ensemble.learner1.l1_paid"}) {
    ModelFile bad = good;
    const double value = -1e308;
    for (Tensor& tensor : bad.tensors) {
      if (tensor.name == name) std::memcpy(tensor.bytes.data(), &value, sizeof value);
    }
    expect_refused(encode(bad), {name, "which is not in ["});
  }
}

TEST(ModelFile, ManyLearnersAreSavedAndLoadedInNoTimeToSpeakOf) {
  ModelConfig config;
  config.learner = "perceptron";
  config.ensemble.size = 20000;  // minutes, if either direction were quadratic
  const auto bytes = Model(config, Schema::numeric(1)).to_bytes();
  EXPECT_EQ(Model::from_bytes(bytes, "copy").to_bytes(), bytes);
}

}  // namespace
}  // namespace plumbline
