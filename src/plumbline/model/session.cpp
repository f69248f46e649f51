#include "plumbline/model/session.h"

#include <cassert>

namespace plumbline {

Session::Session(Stream& stream, Model& model, ReadOptions options)
    : model_(model),
      learning_(&model),
      reader_(std::in_place, stream, model.encoder(), Encoder::LabelUse::learn, std::move(options)),
      source_(*reader_) {}

Session::Session(Stream& stream, const Model& model, ReadOptions options)
    : model_(model),
      learning_(nullptr),
      reader_(std::in_place, stream, model.encoder(), Encoder::LabelUse::keep_text,
              std::move(options)),
      source_(*reader_) {}

Session::Session(RowSource& source, Model& model)
    : model_(model), learning_(&model), source_(source) {}

Session::Session(RowSource& source, const Model& model)
    : model_(model), learning_(nullptr), source_(source) {}

bool Session::step(std::size_t max_rows) {
  assert(learning_ != nullptr);
  if (!source_.read(rows_, max_rows)) return false;
  broken_ = true;
  try {
    records_ = learning_->step(rows_, predictions_);
  } catch (const Error&) {
    broken_ = false;
    throw;
  }
  broken_ = false;
  position_ = source_.position();
  return true;
}

bool Session::predict(std::size_t max_rows) {
  if (!source_.read(rows_, max_rows)) return false;
  predict_rest();
  return true;
}

void Session::predict_rest() {
  model_.predict(rows_, predictions_);
  position_ = source_.position();
}

}  // namespace plumbline
