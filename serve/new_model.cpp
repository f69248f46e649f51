#include "serve/new_model.h"

#include <set>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/columns.h"
#include "plumbline/error.h"
#include "plumbline/io/csv.h"
#include "plumbline/json/json.h"
#include "plumbline/model.h"
#include "serve/journal.h"

namespace plumbline::serve {
namespace {

// A new model for the columns of the sample.
std::vector<std::byte> file_for_columns(std::unique_ptr<Stream> stream, std::uint64_t rows,
                                        const ColumnChoices& choices, const Config& config) {
  SampledStream sampled(std::move(stream), rows);
  sampled.need_a_row();
  std::vector<Note> notes;
  const Model model(config, sampled, choices, notes);
  for (const Note& note : notes) tell(Level::info, "columns", {{"note", note.text}});
  return model.to_bytes();
}

NewModel checked(NewModel model) {
  if (model.definition.config.label_delay > 0) {
    throw Error(ErrorKind::config,
                "a server learns labels when they come; the label delay must be 0");
  }
  if (model.definition.config.label_budget < 1) {
    throw Error(ErrorKind::config,
                "a server learns every label that comes; the label budget must be 1");
  }
  if (model.definition.classes.size() < 2) {
    throw Error(ErrorKind::config, "a label has two classes or more");
  }
  const std::set<std::string> names(model.definition.classes.begin(),
                                    model.definition.classes.end());
  if (names.size() < model.definition.classes.size()) {
    throw Error(ErrorKind::config, "a class is there twice");
  }
  return model;
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// ---- The body of a request

// A member of the object, if there is one; of the wrong type, it is a mistake.
template <class Value>
void read(const Json& json, const char* name, Value& to) {
  if (!json.contains(name)) return;
  try {
    to = json.at(name).get<Value>();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::config, fmt::format("'{}' is of the wrong type", name));
  }
}

void check_keys(const Json& json, const char* what, const std::set<std::string>& known) {
  if (!json.is_object()) throw Error(ErrorKind::config, fmt::format("{} is not an object", what));
  for (const auto& [key, value] : json.items()) {
    if (known.contains(key)) continue;
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "'" : ", '") + name + "'";
    throw Error(ErrorKind::config,
                fmt::format("unknown key '{}'; {} may have {}", key.substr(0, 64), what, list));
  }
}

double cost_in(const Json& json, const char* name) {
  double cost = 1;
  read(json, name, cost);
  if (!(cost > 0 && cost <= kMaxCost)) {
    throw Error(ErrorKind::config,
                fmt::format("the cost '{}' must be above 0 and at most {}", name, kMaxCost));
  }
  return cost;
}

std::vector<std::byte> file_of_columns(const Json& json, bool multiclass, const Config& config) {
  check_keys(json, "'columns'",
             {"csv", "label", "positive", "categorical", "numeric", "time", "missing", "ignore"});
  std::string csv;
  read(json, "csv", csv);
  if (csv.empty()) {
    throw Error(ErrorKind::config, "'columns' needs 'csv': a header and the first rows");
  }
  ColumnChoices choices{.multiclass = multiclass};
  read(json, "label", choices.label);
  read(json, "positive", choices.positive);
  read(json, "categorical", choices.categorical);
  read(json, "numeric", choices.numeric);
  read(json, "time", choices.time);
  read(json, "missing", choices.missing);
  read(json, "ignore", choices.ignore);
  return file_for_columns(std::make_unique<CsvReader>(source_from(csv, "csv"), "csv"),
                          SampledStream::kRows, choices, config);
}

}  // namespace

NewModel new_model(const cli::ServeOptions& options) {
  NewModel model;
  Definition& definition = model.definition;
  definition.config = cli::make_config(options.model);
  if (!options.model_file.empty()) {
    if (options.model.any()) {
      throw Error(ErrorKind::config, "a model file has its configuration; leave the options out");
    }
    model.set_file(read_file(options.model_file));
    definition.config = Model::from_bytes(model.file, options.model_file).config();
  } else if (!options.sample.path.empty()) {
    ColumnChoices choices = options.sample.columns;
    choices.multiclass = !options.model.multiclass.empty();
    model.set_file(file_for_columns(cli::open_stream(options.sample), options.sample.sample,
                                    choices, definition.config));
  } else {
    if (options.sample.any_columns() || !options.sample.columns.ignore.empty()) {
      throw Error(ErrorKind::config, "options of columns need --schema FILE");
    }
    if (!options.classes.empty()) definition.classes = options.classes;
  }
  if (options.false_positive_cost || options.false_negative_cost) {
    definition.costs =
        Costs{options.false_positive_cost.value_or(1), options.false_negative_cost.value_or(1)};
  }
  return checked(std::move(model));
}

NewModel new_model_of_json(const std::string& text) {
  const Json json =
      text.find_first_not_of(" \t\r\n") == std::string::npos ? Json::object() : parse_json(text);
  check_keys(json, "a new model", {"preset", "config", "classes", "costs", "columns"});
  NewModel model;
  Definition& definition = model.definition;
  std::string name = "auto";
  read(json, "preset", name);
  definition.config = preset(name);
  if (json.contains("config")) {
    definition.config = overlay(definition.config, print_json(json.at("config")));
  }
  if (json.contains("columns")) {
    if (json.contains("classes")) {
      throw Error(ErrorKind::config, "'columns' has the classes in its rows; leave 'classes' out");
    }
    const bool multiclass = json.contains("config") && json.at("config").contains("multiclass");
    model.set_file(file_of_columns(json.at("columns"), multiclass, definition.config));
  } else {
    read(json, "classes", definition.classes);
  }
  if (json.contains("costs")) {
    const Json& costs = json.at("costs");
    check_keys(costs, "'costs'", {"false_positive", "false_negative"});
    definition.costs = Costs{cost_in(costs, "false_positive"), cost_in(costs, "false_negative")};
  }
  return checked(std::move(model));
}

NewModel new_model_of_file(const std::string& bytes) {
  NewModel model;
  model.set_file(bytes_of(bytes));
  model.definition.config = Model::from_bytes(model.file, "the model file").config();
  return checked(std::move(model));
}

}  // namespace plumbline::serve
