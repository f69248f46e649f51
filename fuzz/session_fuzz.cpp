// Any bytes as a labelled stream of any format, through the whole pipeline: bad rows are refused with
// an Error, every probability is one, and a saved pipeline is the same when it is loaded. The same
// bytes are also tried as the encoder of a model file whose checksum fits.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "plumbline/base/error.h"
#include "plumbline/encoding/rows.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/sample.h"
#include "plumbline/model/model.h"
#include "plumbline/model/model_file.h"

namespace {

using namespace plumbline;

Config small_config(std::size_t choice) {
  Config config;
  config.model.ensemble.size = 2;
  config.model.learner = Spec(choice % 2 == 0 ? "gaussian_nb" : "logistic");
  config.model.multiclass = choice % 2 == 0 ? Multiclass::ovr : Multiclass::ovo;
  config.batch = 3;
  config.encoder.max_categories = 4;
  config.encoder.max_features = 20;
  return config;
}

void run_stream(std::size_t choice, const std::string& bytes) {
  const Config config = small_config(choice);
  const Format& format = formats()[choice / 2 % formats().size()];
  SampledStream reader(format.open(source_from(bytes, "fuzz"), "fuzz", {}), 5);
  std::vector<std::string> notes;
  Model pipeline(config, Encoder::fit(config.encoder, reader, reader.sample(), {}, notes));
  if (pipeline.encoder().schema().size() > 1000) return;
  Rows rows(reader, pipeline.encoder(), Rows::Options{.skip_bad_rows = true});
  Minibatch batch(pipeline.encoder().schema().size());
  std::vector<double> scores, probabilities;
  while (rows.read(batch, pipeline.batch_size())) {
    scores.resize(batch.rows() * pipeline.outputs());
    probabilities.resize(scores.size());
    pipeline.step(batch, scores, probabilities);
    for (const double p : probabilities) {
      if (!(p >= 0 && p <= 1)) std::abort();
    }
  }
  const auto saved = pipeline.to_bytes();
  if (Model::from_bytes(saved, "again").to_bytes() != saved) std::abort();
}

void load_encoder(const std::string& json) {
  const Config config = small_config(0);
  Model fresh(config, Encoder::numeric(config.encoder, Schema::numeric(2)));
  ModelFile file = decode(fresh.to_bytes(), "fresh");
  file.encoder = json;
  Model pipeline = Model::from_bytes(encode(file), "fuzz");
  pipeline.to_bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    run_stream(data[0], bytes);
  } catch (const Error&) {
  }
  try {
    if (is_utf8(bytes)) load_encoder(bytes);
  } catch (const Error&) {
  }
  return 0;
}
