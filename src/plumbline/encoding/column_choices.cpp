#include "plumbline/encoding/column_choices.h"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "plumbline/io/number.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

std::vector<std::size_t> find_columns(const std::vector<std::string>& references,
                                      const std::vector<std::string>& names) {
  if (references.empty()) return {};
  std::unordered_map<std::string_view, std::size_t> indices;
  for (std::size_t j = 0; j < names.size(); ++j) indices.emplace(names[j], j);
  const auto size = static_cast<double>(names.size());
  std::vector<std::size_t> found;
  for (const std::string& reference : references) {
    const auto index = indices.find(reference);
    const std::optional<double> number = parse_number(reference);
    if (index != indices.end()) {
      found.push_back(index->second);
    } else if (number && *number >= 1 && *number <= size) {
      found.push_back(static_cast<std::size_t>(*number) - 1);
    } else if (number && *number <= -1 && *number >= -size) {
      found.push_back(static_cast<std::size_t>(size + *number));
    } else {
      refuse_name("column", reference, names);
    }
  }
  return found;
}

std::size_t find_column(const std::string& reference, const std::vector<std::string>& names) {
  return find_columns({reference}, names).front();
}

}  // namespace plumbline::inline v0
