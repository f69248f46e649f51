#include "plumbline/streams/rows.h"

#include <algorithm>

namespace plumbline {

Rows::Rows(Reader& reader, Encoder& encoder, Options options)
    : reader_(reader),
      encoder_(encoder),
      learning_(&encoder),
      options_(std::move(options)),
      binding_(encoder.bind(reader, /*needs_label=*/true, options_.ignore)) {}

Rows::Rows(Reader& reader, const Encoder& encoder, Options options)
    : reader_(reader),
      encoder_(encoder),
      learning_(nullptr),
      options_(std::move(options)),
      binding_(encoder.bind(reader, /*needs_label=*/false, options_.ignore)) {
  const auto found = std::find_if(binding_.begin(), binding_.end(),
                                  [&](std::ptrdiff_t field) { return encoder.is_label(field); });
  if (found != binding_.end()) label_column_ = found - binding_.begin();
}

bool Rows::read(Minibatch& batch, std::size_t max_rows) {
  batch.clear();
  numbers_.clear();
  labels_.clear();
  while (batch.rows() < max_rows && good_rows_ < options_.limit) {
    ++position_;
    try {
      if (!reader_.next()) {
        --position_;
        break;
      }
      if (position_ > options_.skip) add_row(batch);
    } catch (const Error& error) {
      if (position_ <= options_.skip) continue;
      // Only what is wrong with one row can be passed over.
      const bool of_a_row = error.kind() == ErrorKind::data && error.where().line != 0;
      if (!of_a_row || !options_.skip_bad_rows) throw;
      ++bad_rows_;
      if (options_.on_bad_row) options_.on_bad_row(error);
    }
  }
  return batch.rows() > 0;
}

void Rows::add_row(Minibatch& batch) {
  if (learning_ != nullptr) {
    learning_->add_labelled(reader_, binding_, batch);
  } else {
    encoder_.add_unlabelled(reader_, binding_, batch);
    keep_label();
  }
  numbers_.push_back(position_);
  ++good_rows_;
}

void Rows::keep_label() {
  if (label_column_ >= 0) {
    labels_.emplace_back(reader_.row().fields[static_cast<std::size_t>(label_column_)]);
  } else {
    labels_.emplace_back(reader_.row().label.value_or(""));
  }
}

}  // namespace plumbline
