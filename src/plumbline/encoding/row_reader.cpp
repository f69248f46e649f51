#include "plumbline/encoding/row_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/io/source.h"

namespace plumbline::inline v0 {

RowReader::RowReader(Stream& stream, const Encoder& encoder, Encoder::LabelUse use,
                     ReadOptions options)
    : stream_(stream), encoder_(encoder), use_(use), options_(std::move(options)) {
  if (options_.costs) costs_.emplace(*options_.costs, stream);
  binding_ = bind();
}

// Costs need not be columns of the model; one that is stays a feature.
Binding RowReader::bind() const {
  std::vector<std::string> ignore = options_.ignore;
  if (costs_) {
    const std::vector<std::string> planned = encoder_.plan().names();
    for (const std::string& name : costs_->columns()) {
      if (name == encoder_.schema().label) {
        throw Error(ErrorKind::config,
                    fmt::format("the label '{}' cannot be a cost; choose another column", name));
      }
      if (std::ranges::find(planned, name) == planned.end()) ignore.push_back(name);
    }
  }
  return encoder_.bind(stream_, use_ == Encoder::LabelUse::learn, ignore);
}

bool RowReader::read(RowBatch& batch, std::size_t max_rows) {
  batch.clear(encoder_.schema());
  while (batch.rows() < max_rows && good_rows_ < options_.limit) {
    ++position_;
    try {
      if (!stream_.next()) {
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

void RowReader::add_row(RowBatch& batch) {
  std::optional<Costs> costs;
  if (costs_) costs = costs_->read(stream_);
  encoder_.read(stream_, binding_, use_, position_, batch);
  if (costs) batch.add_costs(*costs);
  ++good_rows_;
}

bool RowReader::at_end() {
  if (good_rows_ >= options_.limit) return true;
  try {
    return !stream_.next();
  } catch (const Error&) {
    return false;  // a bad row is one too
  } catch (const Interrupted&) {
    return false;
  }
}

}  // namespace plumbline::inline v0
