// A row as a client sends it: a JSON object of numbers, strings, booleans and nulls.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::serve {

class JsonRow {
 public:
  enum class Kind { number, text, truth, null };

  struct Field {
    std::string_view name;
    Kind kind;
    double number;          // of a number; 1 or 0 of a boolean
    std::string_view text;  // of a string, or of a number as it was written
  };

  void clear();
  void add(std::string_view name, Kind kind, double number, std::string_view text);
  std::size_t size() const { return parts_.size(); }
  // Valid until the row changes.
  Field field(std::size_t i) const;
  // True if two fields have the same name.
  bool repeats_a_name() const;
  // Compact JSON, from which the same row is parsed.
  std::string to_json() const;

 private:
  struct Part {
    std::size_t name, name_size, text, text_size;  // in texts_
    Kind kind;
    double number;
  };
  std::string texts_;
  std::vector<Part> parts_;
};

// Appends the text as a JSON string with its quotes.
void append_json(std::string_view text, std::string& json);
// Appends the number with the fewest digits that give it back.
void append_json(double number, std::string& json);

}  // namespace plumbline::serve
