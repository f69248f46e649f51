#include "serve/history.h"

#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "cli/output/output.h"
#include "plumbline/base/file.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/error.h"
#include "plumbline/io/csv_writer.h"
#include "plumbline/model.h"
#include "plumbline/sqlite/database.h"
#include "serve/items.h"
#include "serve/row_stream.h"

namespace plumbline::serve {
namespace {

constexpr std::size_t kLabelsInPart = 512;

// A text in a VW line, where blanks, colons and bars have a meaning.
std::string_view vw_word(std::string_view text, const char* what) {
  if (!text.empty() && text.find_first_of(" \t\r\n:|") == std::string_view::npos) return text;
  throw Error(ErrorKind::data, fmt::format("the {} '{}' cannot be written in the format vw, where "
                                           "blanks, ':' and '|' separate; use csv",
                                           what, text));
}

}  // namespace

struct History::Impl {
  Impl(const std::string& folder, Format text_format)
      : format(text_format),
        path(folder + "/log.sqlite"),
        definition(Definition::load(folder)),
        reader(path) {
    reader.hold();
    number = reader.trimmed();
    if (format == Format::csv) {
      definition.file.empty() ? name_columns_of_rows() : name_columns_of_model(folder);
    } else if (!definition.file.empty()) {
      throw Error(ErrorKind::config,
                  "the rows of this model have columns; vw is for rows that name their features");
    }
  }

  void name_columns_of_model(const std::string& folder) {
    const std::string file = folder + "/" + definition.file;
    const Model model = Model::from_bytes(read_file(file), file);
    if (model.encoder().plan().named) return name_columns_of_rows();
    for (const PlannedColumn& column : model.encoder().plan().columns) {
      if (column.role == ColumnRole::label) {
        label_name = column.name;
      } else {
        add_column(column.name);
        is_number[columns.size() - 1] = column.role == ColumnRole::numeric;
      }
    }
  }

  // All names of all rows, in the order in which they come.
  void name_columns_of_rows() {
    for (std::uint64_t after = number;;) {
      const std::vector<LabelRecord> records = reader.labels(after, kLabelsInPart);
      if (records.empty()) break;
      after = records.back().number;
      for (const LabelRecord& record : records) {
        const std::optional<JsonRow> row = parse_row(record.row);
        for (std::size_t i = 0; row && i < row->size(); ++i) {
          add_column(std::string(row->field(i).name));
        }
      }
    }
    while (places.contains(label_name)) label_name += '_';
  }

  void add_column(const std::string& name) {
    if (!places.emplace(name, columns.size()).second) return;
    columns.push_back(name);
    is_number.push_back(false);
  }

  std::string next() {
    CsvWriter csv;
    if (format == Format::csv && at_start) {
      for (const std::string& name : columns) csv.add(std::string_view(name));
      csv.add(std::string_view(label_name));
      csv.end_row();
    }
    at_start = false;
    std::string vw;
    const std::vector<LabelRecord> records = reader.labels(number, kLabelsInPart);
    for (const LabelRecord& record : records) {
      const std::optional<JsonRow> row = parse_row(record.row);
      if (!row) continue;
      format == Format::csv ? add(*row, record.label, csv) : add(*row, record.label, vw);
    }
    if (!records.empty()) number = records.back().number;
    return format == Format::csv ? csv.text() : vw;
  }

  void add(const JsonRow& row, const std::string& label, CsvWriter& csv) {
    fields.assign(columns.size(), {});
    for (std::size_t i = 0; i < row.size(); ++i) {
      const JsonRow::Field field = row.field(i);
      const std::size_t j = places.at(std::string(field.name));
      if (field.kind == JsonRow::Kind::truth) {
        fields[j] =
            is_number[j] ? (field.number != 0 ? "1" : "0") : (field.number != 0 ? "true" : "false");
      } else {
        fields[j] = field.text;
      }
    }
    for (const std::string_view field : fields) csv.add(field);
    csv.add(std::string_view(label));
    csv.end_row();
  }

  void add(const JsonRow& row, const std::string& label, std::string& vw) {
    names.show(row, label);
    const Row& shown = names.row();
    vw.append(vw_word(label, "label")).append(" |");
    for (std::size_t i = 0; i < shown.names.size(); ++i) {
      vw.append(" ").append(vw_word(shown.names[i], "feature"));
      fmt::format_to(std::back_inserter(vw), ":{}", shown.numbers[i]);
    }
    vw += '\n';
  }

  const Format format;
  const std::string path;
  const Definition definition;
  EventLog::Reader reader;
  std::uint64_t number = 0;  // of the last label written
  bool at_start = true;
  std::string label_name = "label";
  std::vector<std::string> columns;
  std::vector<bool> is_number;
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::string_view> fields;
  RowStream names;
};

namespace {

template <class Use>
auto in_errors(const std::string& path, const Use& use) {
  try {
    return use();
  } catch (const DatabaseError& error) {
    throw Error(ErrorKind::io, error.what(), {.source = path});
  }
}

}  // namespace

History::History(const std::string& folder, Format format)
    : impl_(in_errors(folder, [&] { return std::make_unique<Impl>(folder, format); })) {}
History::~History() = default;

std::string History::next() {
  return in_errors(impl_->path, [&] { return impl_->next(); });
}

void export_history(const cli::ServeOptions& options) {
  check_model_name(options.name);
  const bool vw = options.export_to.ends_with(".vw");
  History history(options.data + "/" + options.name,
                  vw ? History::Format::vw : History::Format::csv);
  cli::Output output(options.export_to);
  for (std::string part = history.next(); !part.empty(); part = history.next()) {
    output.write(part);
  }
  output.close();
}

void send_history(const HostedPointer& hosted, const HttpRequest& request, const HttpReply& reply) {
  struct Sending : std::enable_shared_from_this<Sending> {
    Sending(HostedPointer of, History::Format format)
        : hosted(std::move(of)), history(hosted->model.folder(), format) {}

    void go_on(const std::shared_ptr<HttpStream>& stream) {
      try {
        std::string part = history.next();
        if (!hosted->model.ready()) return;
        if (part.empty()) return stream->end();
        stream->send(std::move(part));
      } catch (const Error&) {
        return;  // without an end, the client sees that it is not whole
      }
      stream->when_room([self = shared_from_this(), stream](bool there) {
        if (there) self->go_on(stream);
      });
    }

    HostedPointer hosted;
    History history;
  };
  const bool vw = request.head.query == "format=vw";
  if (!vw && !request.head.query.empty() && request.head.query != "format=csv") {
    return reply.send(response_of(Problem{400, "the query may be format=csv or format=vw"}));
  }
  try {
    const auto sending =
        std::make_shared<Sending>(hosted, vw ? History::Format::vw : History::Format::csv);
    const char* const type = vw ? "text/plain; charset=utf-8" : "text/csv; charset=utf-8";
    if (request.head.method == "HEAD") return reply.send({.type = type});
    if (const auto stream = reply.stream({.type = type}, HttpStream::Kind::body)) {
      sending->go_on(stream);
    }
  } catch (const Error& error) {
    reply.send(response_of(Problem{error.kind() == ErrorKind::io ? 503 : 422, error.sentence()}));
  }
}

}  // namespace plumbline::serve
