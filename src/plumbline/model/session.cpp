#include "plumbline/session.h"

#include <cassert>
#include <optional>

#include "plumbline/encoding/row_reader.h"

namespace plumbline::inline v0 {

using LabelUse = Encoder::LabelUse;

struct Session::Impl {
  // The stream and the model, if the session owns them.
  std::unique_ptr<SampledStream> own_stream{};
  std::optional<Model> own_model{};
  std::vector<Note> notes{};

  const Model* model = nullptr;
  Model* learning = nullptr;          // the model if it learns, otherwise null
  std::optional<RowReader> reader{};  // reads a stream, if there is one
  RowSource* source = nullptr;

  RowBatch rows{};
  Predictions predictions{};
  std::span<const RoundRecord> records{};
  std::uint64_t position = 0;
  std::size_t ahead = 0;  // number of rows predicted since the last learned one
  bool broken = false;

  bool learn(std::size_t max_rows, bool choose);

  void read_from(Stream& stream, LabelUse use, ReadOptions options) {
    reader.emplace(stream, model->encoder(), use, std::move(options));
    source = &*reader;
  }
};

Session::Session(std::unique_ptr<Stream> stream, const Config& config, const ColumnChoices& choices,
                 ReadOptions options, const Components& components)
    : impl_(std::make_unique<Impl>()) {
  impl_->own_stream = std::make_unique<SampledStream>(std::move(stream));
  impl_->own_stream->need_a_row();
  impl_->own_model.emplace(config, *impl_->own_stream, choices, impl_->notes, components);
  impl_->model = impl_->learning = &*impl_->own_model;
  impl_->read_from(*impl_->own_stream, LabelUse::learn, std::move(options));
}

Session::Session(Stream& stream, Model& model, ReadOptions options)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = impl_->learning = &model;
  impl_->read_from(stream, LabelUse::learn, std::move(options));
}

Session::Session(Stream& stream, const Model& model, ReadOptions options)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = &model;
  impl_->read_from(stream, LabelUse::keep_text, std::move(options));
}

Session::Session(RowSource& source, Model& model) : impl_(std::make_unique<Impl>()) {
  impl_->model = impl_->learning = &model;
  impl_->source = &source;
}

Session::Session(RowSource& source, const Model& model) : impl_(std::make_unique<Impl>()) {
  impl_->model = &model;
  impl_->source = &source;
}

Session::~Session() = default;

bool Session::step() { return step(impl_->model->batch_size()); }

bool Session::Impl::learn(std::size_t max_rows, bool choose) {
  assert(learning != nullptr);
  rows.forget_times();
  if (!source->read(rows, max_rows)) return false;
  broken = true;
  try {
    records = choose ? learning->step(rows, predictions) : learning->learn(rows, predictions);
  } catch (const Error&) {
    broken = false;
    throw;
  }
  broken = false;
  position = source->position();
  ahead = 0;
  return true;
}

bool Session::step(std::size_t max_rows) { return impl_->learn(max_rows, /*choose=*/true); }
bool Session::learn(std::size_t max_rows) { return impl_->learn(max_rows, /*choose=*/false); }

bool Session::predict(std::size_t max_rows) {
  if (!impl_->source->read(impl_->rows, max_rows)) return false;
  predict_rest();
  return true;
}

void Session::set_ahead(std::size_t ahead) { impl_->ahead = ahead; }

void Session::predict_rest() {
  impl_->model->predict(impl_->rows, impl_->predictions, impl_->ahead);
  impl_->ahead += impl_->rows.rows();
  impl_->position = impl_->source->position();
}

const Predictions& Session::predictions() const { return impl_->predictions; }
std::span<const Label> Session::labels() const { return impl_->rows.examples().y; }
std::span<const RoundRecord> Session::records() const { return impl_->records; }
const RowBatch& Session::rows() const { return impl_->rows; }
const Model& Session::model() const { return *impl_->model; }
const std::vector<Note>& Session::notes() const { return impl_->notes; }
std::uint64_t Session::position() const { return impl_->position; }
std::uint64_t Session::bad_rows() const { return impl_->reader->bad_rows(); }
bool Session::at_end() { return impl_->reader->at_end(); }
bool Session::broken() const { return impl_->broken; }

}  // namespace plumbline::inline v0
