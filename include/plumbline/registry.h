// A family's table of members. The row of a member alone feeds the configuration, help,
// documentation, model loading and the conformance tests.
//
// A member is a class with a nested `Params` (see plumbline/options.h) and a constructor from Params
// and whatever else the family needs. One class may stand in several rows with other defaults. What has to
// be known of a member without making one is its traits: `Member::kTraits`, or those of the row.
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
    // Both take the member's title for messages: "learner 'logistic'".
    std::function<Spec(const Spec&, const std::string&)> complete;
    std::function<std::unique_ptr<Product>(const Spec&, const std::string&, Args...)> make;
  };

  // `family` is the singular that messages use: "learner", "policy". No member has the retired options.
  Registry(std::string family, std::vector<Row> rows, std::vector<RetiredOption> retired = {})
      : family_(std::move(family)), rows_(std::move(rows)), retired_(std::move(retired)) {}

  // The row for options with these defaults, and a function that makes a member of them.
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
  // The row for a class and the defaults of its options.
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

  // Throws a configuration error if there is a member of that name.
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
    std::vector<std::string> known;
    for (const Row& row : rows_) known.push_back(row.name);
    refuse_name(family_, name, known);
  }

  // The spec with its options checked and those that are not given filled in.
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
