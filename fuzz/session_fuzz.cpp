// Any bytes as a labeled stream of any format, through a Session: bad rows are refused with an Error and change no
// byte of the model, every probability is one, predicting changes nothing, and a saved model is the same when it is
// loaded. The same bytes are also tried as the encoder of a model file whose checksum fits.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "plumbline/base/utf8.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/error.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/source.h"
#include "plumbline/model/model_file.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"

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

std::unique_ptr<Stream> open(std::size_t choice, const std::string& bytes) {
  const Format& format = formats()[choice / 2 % formats().size()];
  return format.open(source_from(bytes, "fuzz"), "fuzz", {});
}

void check(const Session& session) {
  const Predictions& said = session.predictions();
  if (said.probabilities.size() != session.rows().rows() * session.model().outputs()) std::abort();
  for (const double p : said.probabilities) {
    if (!(p >= 0 && p <= 1)) std::abort();
  }
}

void expect_loads_as_saved(const Model& model) {
  const auto saved = model.to_bytes();
  if (Model::from_bytes(saved, "again").to_bytes() != saved) std::abort();
}

// Bad rows are passed over. Rows that the reader finds good are so for the model too.
void step_through(SampledStream& stream, Model& model) {
  Session session(stream, model, {.skip_bad_rows = true});
  while (session.step()) check(session);
  expect_loads_as_saved(model);
}

// The first bad row is thrown, and so is each that follows: none of them changes anything.
void step_over_errors(SampledStream& stream, Model& model) {
  Session session(stream, model);
  for (bool more = true; more;) {
    const auto before = model.to_bytes();
    try {
      more = session.step();
      if (more) check(session);
    } catch (const Error& error) {
      if (session.broken() || model.to_bytes() != before) std::abort();
      if (!is_of_a_row(error)) return;
    }
  }
}

void predict(Stream& stream, const Model& model) {
  const auto before = model.to_bytes();
  Session session(stream, model, {.skip_bad_rows = true});
  while (session.predict(2)) check(session);
  if (model.to_bytes() != before) std::abort();
}

void run_stream(std::size_t choice, const std::string& bytes) {
  SampledStream skipping(open(choice, bytes), 5), throwing(open(choice, bytes), 5);
  std::vector<Note> notes;
  Model model(small_config(choice), skipping, {}, notes);
  if (model.schema().size() > 1000) return;
  step_through(skipping, model);
  predict(*open(choice, bytes), model);
  Model other(small_config(choice), throwing, {}, notes);
  step_over_errors(throwing, other);
}

void load_encoder(const std::string& json) {
  const Model fresh(small_config(0), Schema::numeric(2));
  ModelFile file = decode(fresh.to_bytes(), "fresh");
  file.encoder = json;
  expect_loads_as_saved(Model::from_bytes(encode(file), "fuzz"));
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
