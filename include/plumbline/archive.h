// One function per component saves and loads its state.
//
// A component's `archive(Archive&)` names each piece of its state once. The same call writes the
// pieces into named tensors, or reads them back, depending on the archive's direction. Everything
// that `predict` or `learn` depends on goes through it; what can be computed from the rest (caches)
// does not, and is rebuilt when `loading()`. Bits survive exactly.
//
// Loading refuses (kind model_file) a tensor that is missing, of another type or of another shape
// than the component has, and a number that is not finite: no state of ours ever is.
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

// In the order in which the components named them.
using Tensors = std::vector<Tensor>;

class Archive {
 public:
  // Both directions need the tensors to outlive the archive.
  static Archive saving_to(Tensors& tensors);
  static Archive loading_from(const Tensors& tensors);

  bool loading() const { return source_ != nullptr; }
  // Loading only: of all tensors together.
  std::size_t bytes() const;

  void value(std::string_view name, double& value);
  void value(std::string_view name, std::uint64_t& value);
  void value(std::string_view name, bool& value);
  // Arrays keep the length that the component gave them, or `rows` times that of a row.
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

  // Loading only: refuses a number outside [low, high]. What keeps the state finite while learning
  // must hold of loaded state too.
  void require_within(std::string_view name, std::span<const double> values, double low,
                      double high) const;
  // For a component that finds what it loaded to be impossible (an index out of bounds).
  [[noreturn]] void refuse(std::string_view name, const std::string& reason) const;
  // Loading only: complains about tensors that no component asked for.
  void finish() const;

 private:
  Archive(Tensors* target, const Tensors* source) : target_(target), source_(source) {}
  void transfer(std::string_view name, TensorType type, std::vector<std::size_t> shape,
                std::span<std::byte> bytes);

  Tensors* target_;
  const Tensors* source_;
  std::size_t next_ = 0;  // loading: the tensor that an unchanged order would bring next
  std::size_t read_ = 0;
  std::string prefix_;
};

template <class Component>
Tensors save_state(const Component& component) {
  Tensors tensors;
  Archive archive = Archive::saving_to(tensors);
  // `archive` serves both directions and so is not const; saving changes nothing.
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
