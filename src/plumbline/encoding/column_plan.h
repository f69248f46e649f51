// The columns of a stream as a model uses them: which are numbers, categories or times, which one is the label.
// Found out once, from the first rows, and fixed from then on.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/encoding/time_column.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

enum class ColumnRole { numeric, categorical, ignored, label, time, score };

struct PlannedColumn {
  std::string name;
  ColumnRole role = ColumnRole::numeric;
  std::size_t feature =
      0;  // of a numeric column; the first one of a time column; the place of a score
  bool text_only = false;  // a categorical column without numbers: one would be a mistake
  TimeColumn time{};       // of a time column
};

// The mapping of the columns of one stream to those of the plan.
struct Binding {
  struct Feature {
    std::uint32_t column;   // of the stream
    std::uint32_t planned;  // of the plan
  };
  struct Number {
    std::uint32_t column, feature;
  };
  std::vector<Feature> features{};  // all columns that give features, in the order of the stream
  std::vector<Number> numbers{};    // the numeric ones of them
  std::vector<Feature> others{};    // the categories and times
  std::vector<std::uint32_t> scores{};  // the column of each score, in the order of the schema
  std::optional<std::size_t> label{};   // the column of the label
};

struct ColumnPlan {
  std::vector<PlannedColumn> columns{};
  bool named = false;          // rows name their features: there are no columns
  bool has_names = true;       // the columns' names came from the stream
  bool marks_missing = false;  // missing numbers have a feature
  std::set<std::string, std::less<>>
      missing{};  // texts for a missing number, besides the usual ones

  bool has_role(ColumnRole role) const;
  std::vector<std::string> names() const;

  // Throws a data error if the stream lacks a column or has one too many. `ignore` names columns of the stream
  // that do not matter.
  Binding bind(const Stream& stream, bool needs_label,
               const std::vector<std::string>& ignore) const;

 private:
  Binding bind_by_position(const Stream& stream, bool needs_label) const;
  Binding bind_by_name(const Stream& stream, bool needs_label,
                       const std::vector<std::string>& ignore) const;
  void check_kind(const Stream& stream, std::size_t column, const PlannedColumn& planned) const;
  void add(Binding& binding, std::size_t column, std::size_t planned) const;
};

}  // namespace plumbline::inline v0
