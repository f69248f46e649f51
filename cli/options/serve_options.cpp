#include "cli/options/serve_options.h"

#include "cli/options/components.h"
#include "cli/options/threads_option.h"
#include "cli/options/value.h"
#include "plumbline/batch.h"

namespace plumbline::cli {
namespace {

constexpr const char* kServer = "Server";
constexpr const char* kNewModel = "New model";
constexpr const char* kRetention = "Retention";
constexpr const char* kLimits = "Limits";

void add_server_options(Verb& verb, ServeOptions& options) {
  add_options(verb, kServer,
              {{.names = {"--data"},
                .metavar = "FOLDER",
                .help = "Folder of the models, their logs and snapshots; made if there is none",
                .completion = Completion::folders,
                .required = true,
                .value = path(options.data)},
               {.names = {"--listen"},
                .metavar = "ADDRESS:PORT",
                .help = "Address to listen on; port 0 takes any. Other than on loopback, --tokens "
                        "is required",
                .fallback = options.listen,
                .value = text(options.listen)},
               {.names = {"--tokens"},
                .metavar = "FILE",
                .help = "File with a line NAME SCOPES SHA256 for each bearer token; read again "
                        "on SIGHUP",
                .completion = Completion::files,
                .value = path(options.tokens)},
               {.names = {"--tls-cert"},
                .metavar = "FILE",
                .help = "Speak TLS, with this certificate and those between it and its root (PEM); "
                        "read again on SIGHUP",
                .completion = Completion::files,
                .needs = {"--tls-key"},
                .value = path(options.tls_certificate)},
               {.names = {"--tls-key"},
                .metavar = "FILE",
                .help = "Key of the certificate (PEM), without a passphrase",
                .completion = Completion::files,
                .needs = {"--tls-cert"},
                .value = path(options.tls_key)},
               threads_option(options.threads, "Threads that answer requests; 0 is one per core"),
               {.names = {"--snapshot-every"},
                .metavar = "N",
                .help = "Save the model every N labels; after a crash, the labels since then are "
                        "learned again from the log",
                .fallback = "10000",
                .value = whole(options.snapshot_every, std::uint64_t{1})},
               {.names = {"--drain"},
                .metavar = "SECONDS",
                .help = "Time from SIGTERM, when the server is no longer ready, until it accepts "
                        "no more connections",
                .fallback = "0",
                .value = whole(options.drain_seconds, std::uint64_t{0}, std::uint64_t{3600})},
               {.names = {"--replay"},
                .help = "Do not serve: learn the log of --name again, with the options of the "
                        "model if there are any, and print its metrics",
                .value = flag(options.replay)},
               {.names = {"--save"},
                .metavar = "FILE",
                .help = "File for the replayed model",
                .completion = Completion::files,
                .needs = {"--replay"},
                .value = path(options.save)},
               {.names = {"--export"},
                .metavar = "FILE",
                .help = "Do not serve: write the rows and labels in the log of --name as CSV, or, "
                        "if FILE ends with .vw, in the format vw; '-' is standard output",
                .completion = Completion::files,
                .excludes = {"--replay"},
                .value = path(options.export_to)}});
}

void add_new_model_options(Verb& verb, ServeOptions& options) {
  const Range cost{.low = 0, .high = kMaxCost, .low_open = true};
  add_options(verb, kNewModel,
              {{.names = {"--name"},
                .metavar = "NAME",
                .help = "Name of the model to make, if the folder has none of this name; the "
                        "options below say what it is",
                .fallback = options.name,
                .value = text(options.name)},
               {.names = {"--model"},
                .metavar = "FILE",
                .help = "Start with this model, written by 'plumbline run --save'",
                .completion = Completion::files,
                .excludes = {"--schema", "--classes"},
                .value = path(options.model_file)},
               {.names = {"--schema"},
                .metavar = "FILE",
                .help = "Take the columns and classes from the first rows of this file, which are "
                        "not learned",
                .completion = Completion::files,
                .excludes = {"--classes"},
                .value = path(options.sample.path)},
               {.names = {"--ignore"},
                .metavar = "COLUMN",
                .help = "Columns of --schema to leave out",
                .value = texts(options.sample.columns.ignore, ',')},
               {.names = {"--classes"},
                .metavar = "NAME",
                .help = "Classes of the label, the positive one of two last; default: 0,1",
                .value = texts(options.classes, ',')},
               {.names = {"--cost-fp"},
                .metavar = "COST",
                .help = "Cost of a false positive (a false alarm); answers then have a decision",
                .value = number(options.false_positive_cost, cost)},
               {.names = {"--cost-fn"},
                .metavar = "COST",
                .help = "Cost of a false negative (a miss)",
                .value = number(options.false_negative_cost, cost)}});
}

void add_retention(Verb& verb, ServeOptions& options) {
  const Range days{.low = 0, .high = 36500};
  add_options(verb, kRetention,
              {{.names = {"--keep-labels"},
                .metavar = "N",
                .help = "Keep the rows of the last N labels; older ones go when both snapshots "
                        "have them. 0 keeps all",
                .fallback = "0",
                .value = whole(options.keep_labels, std::uint64_t{0})},
               {.names = {"--keep-days"},
                .metavar = "DAYS",
                .help = "Keep no rows of labels that are older; 0 keeps all",
                .fallback = "0",
                .value = number(options.keep_days, days)},
               {.names = {"--keep-ids"},
                .metavar = "DAYS",
                .help = "Know the ids of labels whose rows are gone, so that they are not learned "
                        "again; 0 is for ever",
                .fallback = "0",
                .value = number(options.keep_id_days, days)},
               {.names = {"--keep-pending"},
                .metavar = "DAYS",
                .help = "Wait for the label of a remembered prediction; 0 is for ever",
                .fallback = "90",
                .value = number(options.keep_pending_days, days)}});
}

void add_limits(Verb& verb, ServeOptions& options) {
  const auto limit = [&](const char* name, const char* metavar, const char* help,
                         std::uint64_t& to) {
    add_options(verb, kLimits,
                {{.names = {name},
                  .metavar = metavar,
                  .help = help,
                  .fallback = std::to_string(to),
                  .value = whole(to, std::uint64_t{1})}});
  };
  limit("--max-body", "MIB", "Size of a request's body, or of one line of a stream",
        options.max_body);
  limit("--max-items", "N", "Items of a request, except lines", options.max_items);
  limit("--max-pending", "N", "Remembered predictions without a label", options.max_pending);
  limit("--max-backlog", "N", "Labels that wait to be learned", options.max_backlog);
  limit("--max-models", "N", "Models of the server", options.max_models);
  limit("--max-connections", "N", "Connections", options.max_connections);
  limit("--request-timeout", "SECONDS", "Time to send a request, or the next part of a stream",
        options.request_seconds);
  limit("--idle-timeout", "SECONDS", "Time between two requests of a connection",
        options.idle_seconds);
}

}  // namespace

bool ServeOptions::define_a_model() const {
  return !model_file.empty() || !sample.path.empty() || sample.any_columns() ||
         !sample.columns.ignore.empty() || !classes.empty() || model.any() || false_positive_cost ||
         false_negative_cost;
}

Verb serve_verb(const std::shared_ptr<ServeOptions>& options) {
  Verb verb{
      .name = "serve",
      .summary = "Serve predictions over HTTP, and learn labels when they come",
      .lists = list_of_components,
      .notes =
          "docs/serve.md describes the requests. Without a model, --schema or --classes, "
          "the label is 0 or 1, and rows name their features.\n",
      .examples = {"plumbline serve --data data",
                   "plumbline serve --data data --model m.safetensors --cost-fp 1 --cost-fn 20",
                   "plumbline serve --data data --name clicks --classes no,yes --preset fast",
                   "plumbline serve --data data --keep-labels 1000000 --keep-days 90",
                   "plumbline serve --data data --replay --preset fast",
                   "plumbline serve --data data --export log.csv"}};
  add_server_options(verb, *options);
  add_new_model_options(verb, *options);
  add_column_options(verb, options->sample);
  add_model_options(verb, options->model);
  add_retention(verb, *options);
  add_limits(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
