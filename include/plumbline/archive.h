// One function per component saves and loads its state.
//
// A component's `archive(Archive&)` names each piece of its state once. The same call writes the
// pieces into named tensors or reads them back, depending on the archive's direction. It covers all
// state that `predict` or `learn` depends on. Caches, which can be computed from other state, are not
// archived but rebuilt when `loading()`. Values survive bit for bit.
//
// Loading throws a model_file error for a tensor that is missing or has the wrong type or shape, and
// for a number that is not finite: valid state is always finite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class TensorType { f64, u64 };

struct Tensor {
  std::string name;  // the path of scopes, joined by dots
  TensorType type;
  std::vector<std::size_t> shape;  // {} for a single number
  std::vector<std::byte> bytes;    // little-endian, row after row

  bool operator==(const Tensor&) const = default;
};

// Tensors in the order in which the components archived them.
using Tensors = std::vector<Tensor>;

class Archive {
 public:
  // In both directions the tensors must outlive the archive.
  static Archive saving_to(Tensors& tensors);
  static Archive loading_from(const Tensors& tensors);
  // The values alone, without names and shapes, for states that are exchanged often: they can be loaded only by a
  // component of the same configuration and version.
  static Archive packing_to(std::vector<std::byte>& bytes);
  static Archive unpacking_from(std::span<const std::byte> bytes);

  bool loading() const { return direction_ == Direction::load; }
  // Loading only: true if the file has this tensor. Packed states have all.
  bool has(std::string_view name) const;
  // Loading only: total size of all tensors.
  std::size_t bytes() const;

  void value(std::string_view name, double& value);
  void value(std::string_view name, std::uint64_t& value);
  void value(std::string_view name, bool& value);
  // The component sets the length of the array before the call; loading does not change it. With `rows` > 0 the
  // tensor has two dimensions, `rows` x (size / rows).
  void values(std::string_view name, std::span<double> values, std::size_t rows = 0);
  void values(std::string_view name, std::span<std::uint64_t> values);

  // Names inside `body` are prefixed with `name` and a dot.
  template <class Body>
  void scope(std::string_view name, Body&& body) {
    const std::size_t length = prefix_.size();
    prefix_.append(name).append(".");
    body(*this);
    prefix_.resize(length);
  }

  // Loading only: throws for a number outside [low, high]. Loaded state must satisfy the same bounds
  // that keep state finite during learning.
  void require_within(std::string_view name, std::span<const double> values, double low,
                      double high) const;
  // Throws a model_file error about a tensor whose content is impossible, e.g. an index out of bounds.
  [[noreturn]] void refuse(std::string_view name, const std::string& reason) const;
  // Loading only: throws if some tensors were never read.
  void finish() const;

 private:
  enum class Direction { save, load };

  explicit Archive(Direction direction) : direction_(direction) {}
  void transfer(std::string_view name, TensorType type, std::span<const std::size_t> shape,
                std::span<std::byte> bytes);
  bool packed() const { return target_ == nullptr && source_ == nullptr; }
  void transfer_packed(std::string_view name, std::span<std::byte> bytes);

  Direction direction_;
  Tensors* target_ = nullptr;
  const Tensors* source_ = nullptr;
  std::vector<std::byte>* packing_ = nullptr;
  std::span<const std::byte> unpacking_{};  // what is left
  std::size_t next_ = 0;  // loading: the index of the next tensor if the order is that of saving
  std::size_t read_ = 0;
  std::string prefix_;
};

template <class Component>
Tensors save_state(const Component& component) {
  Tensors tensors;
  Archive archive = Archive::saving_to(tensors);
  // `archive` serves both directions and therefore is not const, but saving changes nothing.
  const_cast<Component&>(component).archive(archive);
  return tensors;
}

template <class Component>
void load_state(Component& component, const Tensors& tensors) {
  Archive archive = Archive::loading_from(tensors);
  component.archive(archive);
  archive.finish();
}

PLUMBLINE_END_NAMESPACE
