#include "cli/options/kafka_options.h"

#include "cli/options/components.h"
#include "cli/options/progress_option.h"
#include "cli/options/value.h"
#include "plumbline/batch.h"

namespace plumbline::cli {
namespace {

constexpr const char* kKafkaTopics = "Topics";
constexpr const char* kRowsInMessages = "Messages";
constexpr const char* kKafkaResults = "Results";

void add_topics(Verb& verb, KafkaOptions& options) {
  verb.positionals.push_back({.names = {"topic"},
                              .help = "Topic of the rows, as kafka://BROKER[,BROKER]/TOPIC",
                              .required = true,
                              .value = text(options.topic)});
  add_options(
      verb, kKafkaTopics,
      {{.names = {"--state"},
        .metavar = "FOLDER",
        .help = "Folder of the models, one per partition; made if there is none. A run goes on "
                "where the folder ends; processes that share it share the partitions",
        .completion = Completion::folders,
        .required = true,
        .value = path(options.state)},
       {.names = {"--predictions"},
        .metavar = "TOPIC",
        .help = "Write each prediction to this topic (kafka:///TOPIC) exactly once; made if there "
                "is none",
        .value = text(options.predictions)},
       {.names = {"--labels"},
        .metavar = "TOPIC",
        .help = "Take labels from this topic, by the id of their rows; it has as many partitions",
        .value = text(options.labels)},
       {.names = {"--dead-letters"},
        .metavar = "TOPIC",
        .help = "Write messages that cannot be used to this topic, with the reason; made if there "
                "is none",
        .value = text(options.dead_letters)},
       {.names = {"--kafka"},
        .metavar = "KEY=VALUE",
        .help = "Property of librdkafka, such as security.protocol=SASL_SSL; may be repeated",
        .value = texts(options.properties)},
       {.names = {"--group"},
        .metavar = "NAME",
        .help = "Consumer group; a name of its own for each --state folder unless given",
        .value = text(options.group)},
       {.names = {"--from"},
        .metavar = "PLACE",
        .help = "Where to begin a partition that the group has not read",
        .fallback = options.from,
        .choices = {"beginning", "end"},
        .value = text(options.from)},
       {.names = {"--until-end"},
        .help = "Stop at the end of the partitions as of the start",
        .value = flag(options.until_end)},
       {.names = {"--limit"},
        .metavar = "N",
        .help = "Stop after N rows; no limit by default",
        .value = whole(options.stream.limit, std::uint64_t{1})},
       {.names = {"--commit-every"},
        .metavar = "MS",
        .help = "Commit predictions after this time; until then, only readers of uncommitted "
                "messages see them",
        .fallback = "100",
        .value = whole(options.commit_every, std::uint64_t{1}, std::uint64_t{10'000})},
       {.names = {"--snapshot-every"},
        .metavar = "N",
        .help =
            "Save the model every N messages; after a crash, those since then are learned again",
        .fallback = "10000",
        .value = whole(options.snapshot_every, std::uint64_t{1})}});
}

void add_messages(Verb& verb, KafkaOptions& options) {
  add_options(
      verb, kRowsInMessages,
      {{.names = {"--format"},
        .metavar = "FORMAT",
        .help = "Format of the values: json (an object) or csv (a line); by their first character "
                "unless given",
        .choices = {"auto", "json", "csv"},
        .value = text(options.format)},
       {.names = {"--names"},
        .metavar = "NAME",
        .help = "Names of the fields of a CSV line; x1, x2, … unless given",
        .value = texts(options.names, ',')},
       {.names = {"--delimiter"},
        .metavar = "CHAR",
        .help = "Character between the fields of a CSV line",
        .fallback = options.delimiter,
        .value = text(options.delimiter)},
       {.names = {"--key-column"},
        .metavar = "NAME",
        .help = "Make the key of the messages a column with this name",
        .value = text(options.key_column)},
       {.names = {"--header-columns"},
        .metavar = "NAME",
        .help = "Make headers of the messages columns, by their names",
        .value = texts(options.headers, ',')},
       {.names = {"--ignore"},
        .metavar = "COLUMN",
        .help = "Fields to leave out",
        .value = texts(options.stream.columns.ignore, ',')},
       {.names = {"--on-bad-row"},
        .metavar = "ACTION",
        .help = "Action for a message that cannot be used: stop, or skip and count it",
        .fallback = options.stream.on_bad_row,
        .choices = {"stop", "skip"},
        .excludes = {"--dead-letters"},
        .value = text(options.stream.on_bad_row)},
       {.names = {"--id"},
        .metavar = "FIELD",
        .help = "Field with the id that a label shares with its row; the key unless given",
        .needs = {"--labels"},
        .value = text(options.id)},
       {.names = {"--label-window"},
        .metavar = "SECONDS",
        .help = "Time that a row waits for its label, by the times of the rows",
        .fallback = "86400",
        .needs = {"--labels"},
        .value = whole(options.label_window, std::uint64_t{1}, std::uint64_t{1} << 40)},
       {.names = {"--max-waiting"},
        .metavar = "N",
        .help = "Rows of a partition that wait for labels; the oldest is dropped",
        .fallback = "100000",
        .needs = {"--labels"},
        .value = whole(options.max_waiting, std::uint64_t{1})}});
}

void add_results(Verb& verb, KafkaOptions& options) {
  const Range cost{.low = 0, .high = kMaxCost, .low_open = true};
  add_options(
      verb, kKafkaResults,
      {{.names = {"--load"},
        .metavar = "FILE",
        .help = "Begin every partition with this model, written by 'plumbline run --save'",
        .completion = Completion::files,
        .value = path(options.load)},
       {.names = {"--cost-fp"},
        .metavar = "COST",
        .help = "Cost of a false positive (a false alarm); predictions then have a decision",
        .needs = {"--cost-fn"},
        .value = number(options.false_positive_cost, cost)},
       {.names = {"--cost-fn"},
        .metavar = "COST",
        .help = "Cost of a false negative (a miss)",
        .needs = {"--cost-fp"},
        .value = number(options.false_negative_cost, cost)},
       {.names = {"--metrics"},
        .metavar = "FILE",
        .help = "Write the counts, the lag and the log-loss to this file every second, as "
                "Prometheus text",
        .completion = Completion::files,
        .value = path(options.metrics)},
       {.names = {"--json"},
        .help = "Print the result as one JSON object",
        .value = flag(options.json)},
       progress_option(options.progress)});
}

}  // namespace

Verb kafka_verb(const std::shared_ptr<KafkaOptions>& options) {
  Verb verb{.name = "kafka",
            .summary = "Learn a Kafka topic and predict into another, exactly once",
            .lists = list_of_components,
            .notes =
                "'plumbline run kafka://…' is the same. docs/kafka.md describes messages, "
                "guarantees and restarts.\n",
            .examples = {"plumbline run kafka://localhost:9092/payments --state payments "
                         "--predictions kafka:///scores",
                         "plumbline run kafka://broker/clicks --state clicks --labels "
                         "kafka:///bought --id session --label-window 3600",
                         "plumbline run kafka://broker:9093/t --state s --dead-letters "
                         "kafka:///bad --kafka security.protocol=SSL",
                         "plumbline run kafka://localhost/t --state s --until-end --json"}};
  add_topics(verb, *options);
  add_messages(verb, *options);
  add_column_options(verb, options->stream, "'label' in JSON and the last one in CSV");
  add_model_options(verb, options->model);
  add_results(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
