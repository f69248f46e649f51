// Packed states of models: the number of features, the texts of those that a new model does not have, and the numbers
// of the archive without names.

#include <algorithm>
#include <cstring>
#include <string>

#include "plumbline/archive.h"
#include "plumbline/error.h"
#include "plumbline/model/model_impl.h"

namespace plumbline::inline v0 {
namespace {

using Texts = std::vector<FeatureDictionary::Text>;

void put(std::vector<std::byte>& state, std::size_t number) {
  const auto value = static_cast<std::uint32_t>(number);
  const auto bytes = std::as_bytes(std::span(&value, 1));
  state.insert(state.end(), bytes.begin(), bytes.end());
}

[[noreturn]] void refuse_state() {
  throw Error(ErrorKind::model_file, "the packed state of a model is damaged");
}

std::size_t take(std::span<const std::byte>& state) {
  std::uint32_t value = 0;
  if (state.size() < sizeof value) refuse_state();
  std::memcpy(&value, state.data(), sizeof value);
  state = state.subspan(sizeof value);
  return value;
}

void put_text(std::vector<std::byte>& state, const FeatureDictionary::Text& text) {
  put(state, text.column * 2 + (text.other ? 1 : 0));
  put(state, text.text.size());
  const auto bytes = std::as_bytes(std::span(text.text));
  state.insert(state.end(), bytes.begin(), bytes.end());
}

FeatureDictionary::Text take_text(std::span<const std::byte>& state, std::size_t columns) {
  const std::size_t code = take(state), size = take(state);
  if (size > state.size() || code / 2 >= std::max<std::size_t>(columns, 1)) refuse_state();
  std::string text(reinterpret_cast<const char*>(state.data()), size);
  state = state.subspan(size);
  return {code / 2, code % 2 == 1, std::move(text)};
}

}  // namespace

void Model::pack(const Model& fresh, std::vector<std::byte>& state) const {
  state.clear();
  put(state, schema().size());
  const std::size_t first = fresh.schema().size();
  if (schema().size() > first) {
    for (const auto& text : encoder().texts_from(first)) put_text(state, text);
  }
  Archive archive = Archive::packing_to(state);
  const_cast<Model*>(this)->archive(archive);  // saving changes nothing
}

std::size_t Model::packed_features(std::span<const std::byte> state) { return take(state); }

void Model::unpack(const Model& fresh, std::span<const std::byte> state) {
  const std::size_t features = take(state), first = fresh.schema().size();
  if (features < first) refuse_state();
  if (features > first || schema().size() > first) {
    const std::size_t columns = encoder().plan().columns.size();
    Texts texts;
    for (std::size_t j = first; j < features; ++j) texts.push_back(take_text(state, columns));
    impl_->encoder = fresh.impl_->encoder;
    impl_->encoder.add_texts(std::move(texts));
    if (schema().size() != features) refuse_state();
    impl_->grow();
  }
  Archive archive = Archive::unpacking_from(state);
  this->archive(archive);
  archive.finish();
}

}  // namespace plumbline::inline v0
