#include "cli/options/words.h"

namespace plumbline::cli {

Words split(std::string_view text, char separator) {
  Words pieces;
  do {
    const std::string_view piece = text.substr(0, text.find(separator));
    pieces.emplace_back(piece);
    text.remove_prefix(piece.size() < text.size() ? piece.size() + 1 : piece.size());
  } while (!text.empty());
  return pieces;
}

Words wrap(std::string_view text, std::size_t width) {
  Words lines;
  for (const std::string& word : split(text, ' ')) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? R"('\'')" : std::string(1, c);
  return quoted + "'";
}

}  // namespace plumbline::cli
