#include "plumbline/stream.h"

#include "plumbline/error.h"
#include "plumbline/io/source.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 24;

}  // namespace

SampledStream::SampledStream(std::unique_ptr<Stream> reader, std::size_t rows)
    : Stream(reader->name()), reader_(std::move(reader)) {
  describe_as(*reader_);
  for (std::size_t bytes = 0; held_.size() < rows && bytes < kMaxBytes;) {
    try {
      if (!reader_->next()) break;
    } catch (const Error& error) {
      held_.push_back({reader_->line(), std::current_exception(), 0});
      if (!is_of_a_row(error)) break;  // there is no going on
      continue;
    } catch (const Interrupted&) {
      break;  // the source will say so again
    }
    const Row& row = reader_->row();
    held_.push_back({reader_->line(), nullptr, sample_.size()});
    sample_.push_back({.fields = {row.fields.begin(), row.fields.end()},
                       .names = {row.names.begin(), row.names.end()},
                       .label = row.label ? std::optional<std::string>(*row.label) : std::nullopt,
                       .numbers = {row.numbers.begin(), row.numbers.end()},
                       .target = row.target});
    for (const std::string_view field : row.fields) bytes += sizeof(std::string) + field.size();
    for (const std::string_view name : row.names) bytes += sizeof(std::string) + name.size();
  }
}

void SampledStream::need_a_row() const {
  if (sample_.empty() && !held_.empty()) std::rethrow_exception(held_.front().error);
}

void SampledStream::show(const SampleRow& row) {
  fields_.assign(row.fields.begin(), row.fields.end());
  names_.assign(row.names.begin(), row.names.end());
  row_ = {.fields = fields_, .names = names_, .numbers = row.numbers, .target = row.target};
  if (row.label) row_.label = *row.label;
}

bool SampledStream::next() {
  if (held_.empty()) {
    std::vector<SampleRow>().swap(sample_);
    const bool more = reader_->next();  // may throw: then the line is the bad row's
    line_ = reader_->line();
    row_ = reader_->row();
    return more;
  }
  const Held held = held_.front();
  held_.pop_front();
  line_ = held.line;
  if (held.error) std::rethrow_exception(held.error);
  show(sample_[held.index]);
  return true;
}

}  // namespace plumbline::inline v0
