// The table of a component family. Configuration, help, documentation, model loading and the
// conformance tests of a member all follow from its row.
//
// A member is a class with a nested `Params` (see plumbline/options.h) and a constructor that takes
// Params and the family's `Args`. One class may have several rows with different defaults. Traits are
// properties that are needed before a member is constructed: `Member::kTraits`, or those of the row.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/options.h"

PLUMBLINE_BEGIN_NAMESPACE

struct NoTraits {};

template <class Product, class Traits, class... Args>
class Registry {
 public:
  struct Row {
    std::string name;
    std::string summary;
    std::vector<OptionInfo> options;
    Traits traits;
    // Both functions take the member's title for messages ("learner 'logistic'").
    std::function<Spec(const Spec&, const std::string&)> complete;
    std::function<std::unique_ptr<Product>(const Spec&, const std::string&, Args...)> make;
  };

  // `family` is the singular noun in messages: "learner", "policy". `retired` are former options of members.
  Registry(std::string family, std::vector<Row> rows, std::vector<RetiredOption> retired = {})
      : family_(std::move(family)), rows_(std::move(rows)), retired_(std::move(retired)) {}

  // The row of a member whose options have these defaults and which `make(params, args...)` constructs.
  template <class Params, class Make>
  static Row row_of(const std::string& name, const std::string& summary, Params defaults, Make make,
                    Traits traits = {}) {
    return {
        name,
        summary,
        list_params(defaults),
        std::move(traits),
        [=](const Spec& spec, const std::string& title) {
          return write_params(name, read_params(spec, title, defaults));
        },
        [=](const Spec& spec, const std::string& title, Args... args) -> std::unique_ptr<Product> {
          return make(read_params(spec, title, defaults), args...);
        }};
  }
  // The row of a class; `defaults` are the defaults of its options.
  template <class Member>
  static Row row(const std::string& name, const std::string& summary,
                 typename Member::Params defaults = {}) {
    Traits traits{};
    if constexpr (requires { Member::kTraits; }) traits = Member::kTraits;
    return row_of(
        name, summary, defaults,
        [](const typename Member::Params& params, Args... args) {
          return std::make_unique<Member>(params, args...);
        },
        traits);
  }

  // Throws a configuration error if the name is taken.
  void add(Row row) {
    if (contains(row.name)) refuse_second(family_, row.name);
    rows_.push_back(std::move(row));
  }

  const std::vector<Row>& rows() const { return rows_; }
  const std::string& family() const { return family_; }

  bool contains(const std::string& name) const {
    for (const Row& row : rows_) {
      if (row.name == name) return true;
    }
    return false;
  }

  const Row& find(const std::string& name) const {
    for (const Row& row : rows_) {
      if (row.name == name) return row;
    }
    std::vector<std::string> names;
    for (const Row& row : rows_) names.push_back(row.name);
    refuse_name(family_, name, names);
  }

  // The spec with its options checked and defaults filled in.
  Spec complete(const Spec& spec) const {
    return find(spec.name).complete(current(spec), title(spec));
  }

  std::unique_ptr<Product> make(const Spec& spec, Args... args) const {
    return find(spec.name).make(current(spec), title(spec), args...);
  }

 private:
  std::string title(const Spec& spec) const { return family_ + " '" + spec.name + "'"; }

  Spec current(const Spec& spec) const { return without_retired(spec, retired_, title(spec)); }

  std::string family_;
  std::vector<Row> rows_;
  std::vector<RetiredOption> retired_;
};

PLUMBLINE_END_NAMESPACE
