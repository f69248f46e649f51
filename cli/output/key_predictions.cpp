#include "cli/output/key_predictions.h"

#include <filesystem>

namespace plumbline::cli {
namespace {

bool has_content(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && std::filesystem::file_size(path, none) > 0;
}

}  // namespace

KeyPredictions::KeyPredictions(const std::string& path, bool append, bool names, bool parent)
    : output_(path, append ? Output::Mode::append : Output::Mode::replace) {
  if (!names || (append && has_content(path))) return;
  text_.add("row").add("key").add("label").add("probability");
  if (parent) text_.add("parent");
  text_.end_row();
}

void KeyPredictions::add(const KeyedSession& session, std::string_view label) {
  text_.add(session.position()).add(session.key()).add(label).add(session.probability());
  if (const auto parent = session.parent()) text_.add(*parent);
  text_.end_row();
}

void KeyPredictions::write() {
  constexpr std::size_t kMany = std::size_t{1} << 16;
  if (text_.text().size() < kMany) return;
  output_.write(text_.text());
  text_.clear();
}

void KeyPredictions::flush() {
  output_.write(text_.text());
  text_.clear();
  output_.flush();
}

void KeyPredictions::close() {
  output_.write(text_.text());
  text_.clear();
  output_.close();
}

}  // namespace plumbline::cli
