// Options of components: one `visit` function per component serves parsing, checking, writing, help
// and documentation.
//
// A component has a nested `Params` struct whose members carry the defaults and whose
// `visit(OptionVisitor&)` names each of them once, with its range and a sentence of help. Users write
// a `Spec`: a component's name and some of its options, as text (`fixed:every=4`) or as JSON
// (`{"name": "fixed", "every": 4}`, see plumbline/config.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
std::string to_string(const OptionValue& value);

// The allowed values of an option: an interval, each end open or closed.
struct Range {
  double low = -std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::max();
  bool low_open = false;
  bool high_open = false;

  static Range at_least(double low) { return {.low = low}; }
  static Range above(double low) { return {.low = low, .low_open = true}; }
  static Range closed(double low, double high) { return {.low = low, .high = high}; }

  bool holds(double value) const;
  std::string text() const;
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;

  virtual void real(std::string_view name, double& value, Range range, std::string_view help) = 0;
  virtual void integer(std::string_view name, std::int64_t& value, Range range,
                       std::string_view help) = 0;
  virtual void flag(std::string_view name, bool& value, std::string_view help) = 0;

  // One of a list of names, each of which stands for a value of an enumeration.
  template <class Enum>
  void choice(std::string_view name, Enum& value,
              std::initializer_list<std::pair<std::string_view, Enum>> choices,
              std::string_view help) {
    std::vector<std::string_view> names;
    std::size_t index = 0;
    for (const auto& [text, meaning] : choices) {
      if (meaning == value) index = names.size();
      names.push_back(text);
    }
    choose(name, index, names, help);
    value = std::data(choices)[index].second;
  }

 protected:
  virtual void choose(std::string_view name, std::size_t& index,
                      std::span<const std::string_view> names, std::string_view help) = 0;
};

// A component by name, with the options that differ from its defaults.
struct Spec {
  std::string name;
  std::vector<std::pair<std::string, OptionValue>> options;

  Spec() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a name alone, or the text form, is a Spec.
  Spec(const char* text) : Spec(std::string_view(text)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Spec(std::string_view text);  // `name` or `name:option=value,option=value`

  Spec& set(std::string_view option, OptionValue value);
  std::string text() const;
  bool operator==(const Spec&) const = default;
};

// An option as help and documentation show it.
struct OptionInfo {
  std::string name;
  OptionValue fallback;
  std::string allowed;
  std::vector<std::string> choices;  // of a choice option
  std::string help;
};

// Writes the options of `spec` into the visited parameters. Throws a configuration error for a value
// out of range and for an unknown option (naming the nearest known one); `owner` names the component
// in the message ("policy 'fixed'").
class OptionReader : public OptionVisitor {
 public:
  OptionReader(const Spec& spec, std::string owner);
  // To be called after the visit: throws if the spec has options that were not visited.
  void finish() const;

  void real(std::string_view name, double& value, Range range, std::string_view) override;
  void integer(std::string_view name, std::int64_t& value, Range range, std::string_view) override;
  void flag(std::string_view name, bool& value, std::string_view) override;

 protected:
  void choose(std::string_view name, std::size_t& index, std::span<const std::string_view> names,
              std::string_view) override;

 private:
  const OptionValue* find(std::string_view name);
  [[noreturn]] void refuse(std::string_view option, const OptionValue& value,
                           const std::string& allowed) const;

  const Spec& spec_;
  std::string owner_;
  std::vector<std::string> visited_;
};

// Collects name, current value, range and help of every visited option.
class OptionLister : public OptionVisitor {
 public:
  std::vector<OptionInfo> options;

  void real(std::string_view name, double& value, Range range, std::string_view help) override;
  void integer(std::string_view name, std::int64_t& value, Range range,
               std::string_view help) override;
  void flag(std::string_view name, bool& value, std::string_view help) override;

 protected:
  void choose(std::string_view name, std::size_t& index, std::span<const std::string_view> names,
              std::string_view help) override;
};

// A removed option. Configurations and model files of earlier versions may contain it; they are
// accepted if its value had no effect.
struct RetiredOption {
  std::string name;
  double without_effect;  // the value that had no effect
};

// The spec without retired options. Throws a configuration error for a retired option whose value had an effect.
Spec without_retired(const Spec& spec, std::span<const RetiredOption> retired,
                     const std::string& owner);

template <class Params>
Params read_params(const Spec& spec, const std::string& owner, Params params = {}) {
  OptionReader reader(spec, owner);
  params.visit(reader);
  reader.finish();
  return params;
}

template <class Params>
std::vector<OptionInfo> list_params(Params params = {}) {
  OptionLister lister;
  params.visit(lister);
  return std::move(lister.options);
}

// The spec that sets every option of `params` to its value.
template <class Params>
Spec write_params(std::string_view name, const Params& params) {
  Spec spec{name};
  for (OptionInfo& option : list_params(params)) spec.set(option.name, std::move(option.fallback));
  return spec;
}

// The candidate that was probably meant: the nearest one by edit distance if it is near enough, or else
// the only one that starts with `name`.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);
// Throws a configuration error "unknown WHAT 'NAME'; did you mean 'NEAREST'? known: …".
[[noreturn]] void refuse_name(std::string_view what, std::string_view name,
                              std::span<const std::string> candidates);
// Throws a configuration error "there is a WHAT 'NAME' already".
[[noreturn]] void refuse_second(std::string_view what, std::string_view name);

PLUMBLINE_END_NAMESPACE
