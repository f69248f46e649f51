#include "plumbline/encoding/row_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/io/source.h"

namespace plumbline::inline v0 {

RowReader::RowReader(Stream& stream, const Encoder& encoder, Encoder::LabelUse use,
                     ReadOptions options)
    : stream_(stream), encoder_(encoder), use_(use), counter_(stream, std::move(options)) {
  if (counter_.options().costs) costs_.emplace(*counter_.options().costs, stream);
  binding_ = bind();
}

// Costs need not be columns of the model; one that is stays a feature.
Binding RowReader::bind() const {
  std::vector<std::string> ignore = counter_.options().ignore;
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
  while (batch.rows() < max_rows && counter_.next([&] { add_row(batch); })) {
  }
  return batch.rows() > 0;
}

void RowReader::add_row(RowBatch& batch) {
  std::optional<Costs> costs;
  if (costs_) costs = costs_->read(stream_);
  encoder_.read(stream_, binding_, use_, counter_.position(), batch);
  if (costs) batch.add_costs(*costs);
}

bool RowReader::at_end() {
  if (counter_.at_limit()) return true;
  try {
    return !stream_.next();
  } catch (const Error&) {
    return false;  // a bad row is one too
  } catch (const Interrupted&) {
    return false;
  }
}

}  // namespace plumbline::inline v0
