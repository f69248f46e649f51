#include "plumbline/encoding/rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

std::optional<RowCosts> costs_of(const Rows::Options& options, const Stream& reader) {
  if (!options.costs) return std::nullopt;
  return RowCosts(*options.costs, reader);
}

}  // namespace

Rows::Rows(Stream& reader, Encoder& encoder, Options options)
    : reader_(reader),
      encoder_(encoder),
      learning_(&encoder),
      options_(std::move(options)),
      costs_(costs_of(options_, reader)),
      binding_(bind(/*needs_label=*/true)) {}

Rows::Rows(Stream& reader, const Encoder& encoder, Options options)
    : reader_(reader),
      encoder_(encoder),
      learning_(nullptr),
      options_(std::move(options)),
      costs_(costs_of(options_, reader)),
      binding_(bind(/*needs_label=*/false)) {}

// Costs need not be columns of the model; one that is stays a feature.
Encoder::Binding Rows::bind(bool needs_label) const {
  std::vector<std::string> ignore = options_.ignore;
  if (costs_) {
    const std::vector<std::string> known = encoder_.column_names();
    for (const std::string& name : costs_->columns()) {
      if (name == encoder_.schema().label) {
        throw Error(ErrorKind::config,
                    fmt::format("the label '{}' cannot be a cost; choose another column", name));
      }
      if (std::ranges::find(known, name) == known.end()) ignore.push_back(name);
    }
  }
  return encoder_.bind(reader_, needs_label, ignore);
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
      if (!is_of_a_row(error)) throw;  // there is no next row
      if (position_ <= options_.skip) continue;
      if (!options_.skip_bad_rows) throw;
      ++bad_rows_;
      if (options_.on_bad_row) options_.on_bad_row(error);
    }
  }
  return batch.rows() > 0;
}

bool Rows::at_end() {
  if (good_rows_ >= options_.limit) return true;
  try {
    return !reader_.next();
  } catch (const Error&) {
    return false;  // a bad row is one too
  } catch (const Interrupted&) {
    return false;
  }
}

void Rows::add_row(Minibatch& batch) {
  // Everything that can be wrong with the row comes before anything is learned from it.
  std::optional<Costs> costs;
  if (costs_) costs = costs_->read(reader_);
  if (learning_ != nullptr) {
    learning_->add_labelled(reader_, binding_, batch);
  } else {
    encoder_.add_unlabelled(reader_, binding_, batch);
    keep_label();
  }
  if (costs) batch.add_costs(*costs);
  numbers_.push_back(position_);
  ++good_rows_;
}

void Rows::keep_label() {
  if (binding_.label) {
    labels_.emplace_back(reader_.row().fields[*binding_.label]);
  } else {
    labels_.emplace_back(reader_.row().label.value_or(""));
  }
}

}  // namespace plumbline
