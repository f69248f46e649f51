#include "plumbline/model/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plumbline/base/file.h"
#include "plumbline/model.h"
#include "plumbline/model/binary_model.h"
#include "tests/support.h"

// That the real safetensors package opens the file is tested in tests/oracle.

namespace plumbline::model_file_test {
namespace {

using test::expect_error;

Model trained() {
  Config config;
  config.model.ensemble.size = 2;
  Schema schema = Schema::numeric(21);
  schema.features[3] = "a \"quoted\" näme\n";
  schema.label = "kind";
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
  const BinaryView a = loaded.view().parts[0].view, b = model.view().parts[0].view;
  EXPECT_EQ(a.rounds, 4u);
  EXPECT_EQ(a.examples, 200u);
  ASSERT_EQ(a.history.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(a.history[i].action, b.history[i].action);
    EXPECT_EQ(a.history[i].loss, b.history[i].loss);
    EXPECT_EQ(a.history[i].rewarded, b.history[i].rewarded);
    EXPECT_EQ(a.history[i].reward, b.history[i].reward);
  }
  EXPECT_EQ(a.history[1].action, Action::train);  // so that none of these is the default alone
  EXPECT_EQ(a.history[2].action, Action::calibrate);
  EXPECT_TRUE(a.history[1].rewarded);
  EXPECT_NE(a.history[1].reward, 0);
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

TEST(ModelFile, HasThePositionOfTheCaller) {
  Model model = trained();
  const auto without = model.to_bytes();
  const std::string position = R"({"offset":17,"waiting":["a \"quoted\" näme\n"]})";
  model.set_position(position);
  const auto with = model.to_bytes();
  EXPECT_NE(with, without);
  Model loaded = Model::from_bytes(with, "copy");
  EXPECT_EQ(loaded.position(), position);
  EXPECT_EQ(loaded.to_bytes(), with);
  loaded.set_position("");
  EXPECT_EQ(loaded.to_bytes(), without);
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
  expect_refused(as_bytes(std::string("\x03\0\0\0\0\0\0\0{}", 10)), {"truncated"});
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
  refused(bad, {"m.safetensors", "encoder is malformed"});
  bad.encoder.clear();  // as in files without columns
  refused(bad, {"m.safetensors"});
  bad = good;
  bad.tensors.pop_back();
  refused(bad, {"is missing"});
  bad = good;
  bad.tensors.push_back(bad.tensors.back());
  refused(bad, {"m.safetensors"});
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "history.action") tensor.bytes[0] = std::byte{4};  // the first unknown one
  }
  refused(bad, {"history.action"});
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "pending_arm") tensor.bytes[0] = std::byte{2};  // there are two actions
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
  refused_number("encoder.count", -1);
  refused_number("encoder.mean", 1e200);
  refused_number("encoder.m2", -1);
  for (Tensor& tensor : (bad = good).tensors) {
    if (tensor.name == "ensemble.learner1.variance") tensor.bytes[7] = std::byte{0xC0};
  }
  refused(bad, {"ensemble.learner1.variance", "which is not in [0,"});
}

TEST(ModelFile, LinearWeightsBeyondTheirBoundAreRefused) {
  Config config;
  config.model.learner = "logistic:penalty=l1";
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
  Config config;
  config.model.learner = "perceptron";
  config.model.ensemble.size = 20000;  // minutes, if either direction were quadratic
  const auto bytes = Model(config, Schema::numeric(1)).to_bytes();
  EXPECT_EQ(Model::from_bytes(bytes, "copy").to_bytes(), bytes);
}

// Round n stands at (n - 1) mod 256, as docs/model_file.md says.
TEST(ModelFile, TheHistoryBeginsWithTheFirstRound) {
  const Model model = trained();
  const Tensors tensors = decode(model.to_bytes(), "m.safetensors").tensors;
  const auto found = std::find_if(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
    return tensor.name == "history.loss";
  });
  ASSERT_NE(found, tensors.end());
  std::vector<double> loss(256);
  ASSERT_EQ(found->bytes.size(), loss.size() * sizeof(double));
  std::memcpy(loss.data(), found->bytes.data(), found->bytes.size());
  const auto history = model.view().parts[0].view.history;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(loss[i], history[i].loss);
  EXPECT_EQ(loss[4], 0);
}

// A container whose header is this text and whose checksum fits: what only malice would write.
std::vector<std::byte> sealed(const std::string& header, std::size_t data_bytes) {
  const std::string blank = "xxh64:0000000000000000";
  const std::uint64_t length = header.size();
  std::string content(8, '\0');
  std::memcpy(content.data(), &length, sizeof length);
  content += header + std::string(data_bytes, '\0');
  const std::string sum = fmt::format("xxh64:{:016x}", XXH64(content.data(), content.size(), 0));
  content.replace(content.find(blank), blank.size(), sum);
  return as_bytes(content);
}

TEST(ModelFile, ATensorThatDoesNotLieWhereItShouldIsRefused) {
  const auto with = [](const std::string& tensors) {
    return R"({"__metadata__":{"format":"plumbline","format_version":"1",)"
           R"("checksum":"xxh64:0000000000000000","config":"{}","schema":"{}"})" +
           tensors + "}";
  };
  const auto tensor = [](const char* shape, const char* offsets, const char* type = "F64") {
    return fmt::format(R"(,"t":{{"dtype":"{}","shape":{},"data_offsets":{}}})", type, shape,
                       offsets);
  };
  const auto decoded = [&](const std::string& tensors, std::size_t data_bytes) {
    return decode(sealed(with(tensors), data_bytes), "m.safetensors").tensors;
  };
  ASSERT_EQ(decoded(tensor("[2]", "[0,16]"), 16).size(), 1u);  // this one is good
  const auto refused = [&](const std::string& tensors, std::size_t data_bytes) {
    expect_error(ErrorKind::model_file, {"m.safetensors", "'t' is malformed"},
                 [&] { decoded(tensors, data_bytes); });
  };
  refused(tensor("[2]", "[8,16]"), 16);                    // begins elsewhere
  refused(tensor("[2]", "[0,16]"), 8);                     // beyond the end
  refused(tensor("[1]", "[0,16]"), 16);                    // another shape
  refused(tensor("[1]", "[0,12]"), 12);                    // half an element
  refused(tensor("[4294967296,4294967296]", "[0,0]"), 0);  // 2^64 elements are not none
  refused(tensor("[-2]", "[0,16]"), 16);                   // a negative side
  refused(tensor("[2.0]", "[0,16]"), 16);                  // no whole number
  refused(tensor("[2]", "[0,16,16]"), 16);                 // three offsets
  refused(tensor("[2]", "[0,16]", "F32"), 16);             // another type
  // Ends before it begins: -8 bytes would be 2^61 - 1 elements.
  refused(R"(,"s":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})" +
              tensor("[2305843009213693951]", "[8,0]"),
          8);
  refused(R"(,"t":3)", 0);
  expect_error(ErrorKind::model_file, {"without gaps"},
               [&] { decoded(tensor("[2]", "[8,24]"), 24); });
  expect_error(ErrorKind::model_file, {"bytes that belong to no tensor"},
               [&] { decoded(tensor("[1]", "[0,8]"), 16); });
}

TEST(ModelFile, MetadataThatIsNotTextIsRefused) {
  const auto refused = [](const std::string& metadata, const char* reason) {
    expect_error(ErrorKind::model_file, {reason}, [&] {
      decode(sealed(R"({"note":"xxh64:0000000000000000","__metadata__":)" + metadata + "}", 0),
             "m.safetensors");
    });
  };
  refused("3", "not a plumbline model");
  refused(R"({"format":3})", "not a plumbline model");
  refused(R"({"format":"plumbling"})", "not a plumbline model");
  refused(R"({"format":"plumbline","format_version":1})", "reads version 1");
  refused(R"({"format":"plumbline","format_version":"1","checksum":7})", "checksum");
  refused(R"({"format":"plumbline","format_version":"1","checksum":""})", "checksum");
}

TEST(ModelFile, MessagesNameTheFileOnce) {
  const auto message = [](const ModelFile& file) -> std::string {
    try {
      Model::from_bytes(encode(file), "m.safetensors");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  ModelFile bad = decode(trained().to_bytes(), "m.safetensors");
  bad.schema = "{}";
  EXPECT_EQ(message(bad), "m.safetensors: its schema is malformed");
  bad = decode(trained().to_bytes(), "m.safetensors");
  bad.config = "[]";
  EXPECT_EQ(message(bad), "m.safetensors: the configuration is invalid: it is not a JSON object");
}

}  // namespace
}  // namespace plumbline::model_file_test
