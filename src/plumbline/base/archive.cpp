#include "plumbline/archive.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

// Tensors in model files are little-endian and are copied from memory as they are.
static_assert(std::endian::native == std::endian::little);

Archive Archive::saving_to(Tensors& tensors) {
  Archive archive(Direction::save);
  archive.target_ = &tensors;
  return archive;
}

Archive Archive::loading_from(const Tensors& tensors) {
  Archive archive(Direction::load);
  archive.source_ = &tensors;
  return archive;
}

Archive Archive::packing_to(std::vector<std::byte>& bytes) {
  Archive archive(Direction::save);
  archive.packing_ = &bytes;
  return archive;
}

Archive Archive::unpacking_from(std::span<const std::byte> bytes) {
  Archive archive(Direction::load);
  archive.unpacking_ = bytes;
  return archive;
}

void Archive::refuse(std::string_view name, const std::string& reason) const {
  throw Error(ErrorKind::model_file, fmt::format("the state '{}{}' {}", prefix_, name, reason));
}

bool Archive::has(std::string_view name) const {
  if (packed()) return true;
  const std::string path = prefix_ + std::string(name);
  return std::ranges::any_of(*source_, [&](const Tensor& tensor) { return tensor.name == path; });
}

void Archive::transfer_packed(std::string_view name, std::span<std::byte> bytes) {
  if (!loading()) {
    packing_->insert(packing_->end(), bytes.begin(), bytes.end());
    return;
  }
  if (bytes.size() > unpacking_.size()) refuse(name, "is cut short");
  if (!bytes.empty()) std::memcpy(bytes.data(), unpacking_.data(), bytes.size());
  unpacking_ = unpacking_.subspan(bytes.size());
}

void Archive::transfer(std::string_view name, TensorType type, std::span<const std::size_t> shape,
                       std::span<std::byte> bytes) {
  if (packed()) return transfer_packed(name, bytes);
  const std::string path = prefix_ + std::string(name);
  if (!loading()) {
    target_->push_back({path, type, {shape.begin(), shape.end()}, {bytes.begin(), bytes.end()}});
    return;
  }
  // State is nearly always read in the order in which it was written.
  if (next_ >= source_->size() || (*source_)[next_].name != path) {
    const auto found = std::find_if(source_->begin(), source_->end(),
                                    [&](const Tensor& tensor) { return tensor.name == path; });
    if (found == source_->end()) refuse(name, "is missing from the file");
    next_ = static_cast<std::size_t>(found - source_->begin());
  }
  const Tensor& tensor = (*source_)[next_++];
  ++read_;
  if (tensor.type != type) refuse(name, "has the wrong type of numbers");
  if (!std::ranges::equal(tensor.shape, shape) || tensor.bytes.size() != bytes.size()) {
    refuse(name, fmt::format("has the shape [{}], but the configuration requires [{}]",
                             fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")));
  }
  if (!bytes.empty()) std::memcpy(bytes.data(), tensor.bytes.data(), bytes.size());
}

void Archive::require_within(std::string_view name, std::span<const double> values, double low,
                             double high) const {
  if (!loading()) return;
  for (const double value : values) {
    if (!(value >= low && value <= high)) {
      refuse(name, fmt::format("holds {}, which is not in [{}, {}]", value, low, high));
    }
  }
}

void Archive::finish() const {
  if (packed()) {
    if (loading() && !unpacking_.empty()) refuse("", "is longer than the configuration requires");
    return;
  }
  if (loading() && read_ != source_->size()) {
    throw Error(ErrorKind::model_file,
                fmt::format("the file has {} pieces of state, but the configuration requires {}",
                            source_->size(), read_));
  }
}

std::size_t Archive::bytes() const {
  if (packed()) return unpacking_.size();
  std::size_t sum = 0;
  for (const Tensor& tensor : *source_) sum += tensor.bytes.size();
  return sum;
}

void Archive::value(std::string_view name, double& value) {
  transfer(name, TensorType::f64, {}, std::as_writable_bytes(std::span(&value, 1)));
  if (!std::isfinite(value)) refuse(name, "is not a finite number");
}

void Archive::value(std::string_view name, std::uint64_t& value) {
  transfer(name, TensorType::u64, {}, std::as_writable_bytes(std::span(&value, 1)));
}

void Archive::value(std::string_view name, bool& value) {
  std::uint64_t number = value ? 1 : 0;
  this->value(name, number);
  if (number > 1) refuse(name, "is neither 0 nor 1");
  if (loading()) value = number == 1;  // saving must not write: other threads may be reading
}

void Archive::values(std::string_view name, std::span<double> values, std::size_t rows) {
  const std::size_t shape[] = {rows, rows != 0 ? values.size() / rows : values.size()};
  transfer(name, TensorType::f64, std::span(shape).subspan(rows != 0 ? 0 : 1),
           std::as_writable_bytes(values));
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
    refuse(name, "holds a value that is not a finite number");
  }
}

void Archive::values(std::string_view name, std::span<std::uint64_t> values) {
  const std::size_t shape[] = {values.size()};
  transfer(name, TensorType::u64, shape, std::as_writable_bytes(values));
}

}  // namespace plumbline::inline v0
