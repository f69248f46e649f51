#include "cli/shell/tree.h"

#include "cli/shell/values.h"

namespace plumbline::cli {
namespace {

std::vector<std::string> option_names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return names;
}

Offer offer_for(const Argument& argument, const std::string& type_name) {
  const auto says = [&](const char* word) { return type_name.find(word) != std::string::npos; };
  if (!argument.takes_value()) return Offer::nothing;
  if (!argument.values.empty()) return Offer::values;
  if (says("DIR")) return Offer::folders;
  const bool file = says("FILE") || says("PATH") || says("MODEL") || type_name == "TEXT";
  return file ? Offer::files : Offer::nothing;
}

Argument read_argument(CLI::Option& option) {
  Argument argument;
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (option.get_positional()) argument.position = option.get_name(true);
  argument.description = option.get_description();
  argument.variable = option.get_envname();
  argument.needs = option_names(option.get_needs());
  argument.excludes = option_names(option.get_excludes());
  argument.required = option.get_required();
  if (option.get_items_expected_max() > 0) {
    // The type comes first, then what each of the checks says of itself.
    const std::string type_name = option.get_type_name();
    const std::size_t colon = type_name.find(':');
    argument.type = type_name.substr(0, colon);
    if (argument.type.empty()) argument.type = "VALUE";
    if (colon != std::string::npos) argument.allowed = type_name.substr(colon + 1);
    // CLI11's checks of files say no more than what the value is.
    for (const char* type : {"FILE", "DIR", "PATH"}) {
      if (!argument.allowed.starts_with(type)) continue;
      argument.type = type;
      argument.allowed.clear();
    }
    argument.fallback = option.get_default_str();
    argument.repeated = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
    argument.values = values_of(option);
    argument.offer = offer_for(argument, type_name);
  }
  return argument;
}

void read_arguments(CLI::App& app, Verb& verb) {
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; })) {
    if (option->get_group().empty()) continue;
    const Argument argument = read_argument(*option);
    if (!argument.names.empty()) verb.options.push_back(argument);
    if (!argument.position.empty()) verb.positionals.push_back(argument);
  }
}

void read_verb(CLI::App& app, Verb& verb) {
  read_arguments(app, verb);
  for (CLI::App* child : app.get_subcommands([](CLI::App*) { return true; })) {
    if (child->get_group().empty()) continue;
    if (child->get_name().empty()) {  // a group of options is a child without a name
      read_verb(*child, verb);
      continue;
    }
    Verb below;
    below.name = child->get_name();
    below.path = verb.path + " " + below.name;
    below.aliases = child->get_aliases();
    below.description = child->get_description();
    below.footer = child->get_footer();
    read_verb(*child, below);
    verb.verbs.push_back(std::move(below));
  }
}

void flatten_into(const Verb& verb, std::vector<const Verb*>& list) {
  list.push_back(&verb);
  for (const Verb& below : verb.verbs) flatten_into(below, list);
}

}  // namespace

std::vector<std::string> Verb::spellings() const {
  std::vector<std::string> names{name};
  names.insert(names.end(), aliases.begin(), aliases.end());
  return names;
}

Verb read_tree(CLI::App& program) {
  Verb top;
  top.name = top.path = program.get_name();
  top.description = program.get_description();
  top.footer = program.get_footer();
  read_verb(program, top);
  return top;
}

std::vector<const Verb*> flatten(const Verb& top) {
  std::vector<const Verb*> list;
  flatten_into(top, list);
  return list;
}

}  // namespace plumbline::cli
