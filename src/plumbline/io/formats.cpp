#include "plumbline/io/formats.h"

#include <algorithm>

#include "plumbline/error.h"
#include "plumbline/io/arff.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/read_ahead.h"
#include "plumbline/io/vw.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kHead = std::size_t{1} << 16;

template <class R>
std::unique_ptr<Stream> open_lines(std::unique_ptr<Source> source, const std::string& name,
                                   const CsvOptions&) {
  return std::make_unique<R>(std::move(source), name);
}

std::unique_ptr<Stream> open_csv(std::unique_ptr<Source> source, const std::string& name,
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
  for (const std::string packing : {".gz", ".zst", ".bz2", ".xz", ".zip"}) {
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
       "comma-separated values, also with semicolons, tabs, bars or blanks, with a header or "
       "without",
       {".csv", ".tsv", ".txt", ".data"},
       [](std::string_view) { return false; },
       open_csv},
      {"arff",
       "the format of Weka: columns with their types and values, then rows, dense or sparse",
       {".arff"},
       ArffReader::recognises,
       open_lines<ArffReader>},
      {"libsvm",
       "the format of LibSVM and SVMlight: a label, then INDEX:VALUE for what is not 0",
       {".libsvm", ".svm", ".svmlight"},
       LibsvmReader::recognises,
       open_lines<LibsvmReader>},
      {"vw",
       "the text format of Vowpal Wabbit: a label, then namespaces of named features",
       {".vw"},
       VwReader::recognises,
       open_lines<VwReader>}};
  return table;
}

std::unique_ptr<Stream> open_stream(const std::string& path, const OpenOptions& options) {
  if (!options.format.empty()) format_named(options.format);  // complain before the file is opened
  std::unique_ptr<Source> opened = open_source(path, options.interrupted);
  // Only a file whose length is known is one that never keeps its reader waiting.
  const bool ahead = options.read_ahead && opened->share_read().has_value();
  auto [head, source] = peek(std::move(opened), kHead);
  if (head.find('\0') != std::string::npos) {
    throw Error(ErrorKind::data,
                "it holds NUL bytes: it is no text, or UTF-16; convert it to UTF-8",
                {.source = source_name(path)});
  }
  const Format& chosen =
      options.format.empty() ? find_format(path, head) : format_named(options.format);
  auto reader = chosen.open(std::move(source), source_name(path), options.csv);
  return ahead ? read_ahead(std::move(reader)) : std::move(reader);
}

}  // namespace plumbline::inline v0
