#include "plumbline/streams/formats.h"

#include <algorithm>

#include "plumbline/core/options.h"

namespace plumbline {
namespace {

constexpr std::size_t kHead = std::size_t{1} << 16;

template <class R>
std::unique_ptr<Reader> open_lines(std::unique_ptr<Source> source, const std::string& name,
                                   const CsvOptions&) {
  return std::make_unique<R>(std::move(source), name);
}

std::unique_ptr<Reader> open_csv(std::unique_ptr<Source> source, const std::string& name,
                                 const CsvOptions& options) {
  return std::make_unique<CsvReader>(std::move(source), name, options);
}

const Format& format_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Format& format : formats()) {
    if (format.name == name) return format;
    known.push_back(format.name);
  }
  refuse_name("format", name, known);
}

// By content first: a name may lie, and a pipe has none.
const Format& find_format(const std::string& path, std::string_view head) {
  for (const Format& format : formats()) {
    if (format.recognises(head)) return format;
  }
  std::string name = path;
  for (const std::string packing : {".gz", ".zst"}) {
    if (name.ends_with(packing)) name.resize(name.size() - packing.size());
  }
  for (const Format& format : formats()) {
    const auto fits = [&](const std::string& extension) { return name.ends_with(extension); };
    if (std::any_of(format.extensions.begin(), format.extensions.end(), fits)) return format;
  }
  return formats().front();
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> table{
      {"csv",
       "comma-separated values, also with semicolons, tabs or bars, with a header or without",
       {".csv", ".tsv", ".txt", ".data"},
       [](std::string_view) { return false; },
       open_csv}};
  return table;
}

std::unique_ptr<Reader> open_reader(const std::string& path, const std::string& format,
                                    const CsvOptions& options) {
  if (!format.empty()) format_named(format);  // complain before the file is opened
  auto [head, source] = peek(open_source(path), kHead);
  const Format& chosen = format.empty() ? find_format(path, head) : format_named(format);
  return chosen.open(std::move(source), source_name(path), options);
}

}  // namespace plumbline
