#include "serve/replay.h"

#include "cli/output/json.h"
#include "cli/output/output.h"
#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/sqlite/database.h"
#include "serve/event_log.h"
#include "serve/learning_model.h"

namespace plumbline::serve {

namespace {

// Of a log that has lost its beginning: the oldest snapshot stands for it.
void start_from_snapshot(EventLog::Reader& reader, const std::string& folder,
                         LearningModel& model) {
  const std::vector<Snapshot> snapshots = reader.snapshots();
  if (snapshots.empty()) throw DatabaseError("the log has neither its beginning nor a snapshot");
  const Snapshot& oldest = snapshots.back();
  const std::string path = folder + "/" + oldest.file;
  model.restore(read_file(path), path, oldest.metrics, oldest.number);
}

}  // namespace

void replay(const cli::ServeOptions& options) {
  check_model_name(options.name);
  const std::string folder = options.data + "/" + options.name;
  std::optional<Config> other;
  if (options.model.any()) other = cli::make_config(options.model);
  LearningModel model(Definition::load(folder), folder, other);
  const std::size_t batch = model.batch();
  std::uint64_t first_label = 1;
  const std::string log = folder + "/log.sqlite";
  try {
    EventLog::Reader reader(log);
    reader.hold();
    const std::uint64_t trimmed = reader.trimmed();
    if (trimmed > 0)
      other ? model.start_after(trimmed) : start_from_snapshot(reader, folder, model);
    first_label = model.learned() + 1;
    while (true) {
      const std::vector<LabelRecord> records = reader.labels(model.learned(), batch * 64);
      const std::size_t whole = records.size() / batch * batch;
      for (std::size_t first = 0; first < whole; first += batch) {
        model.learn(std::span(records).subspan(first, batch));
      }
      if (whole == 0) break;
    }
  } catch (const DatabaseError& error) {
    throw Error(ErrorKind::io, error.what(), {.source = log});
  }
  if (!options.save.empty()) {
    const auto bytes = model.to_bytes();
    if (!bytes) throw Error(ErrorKind::data, "the log has no label to learn", {.source = log});
    write_file(options.save, *bytes);
  }
  Json json{{"name", options.name},
            {"first_label", first_label},
            {"learned", model.learned() + 1 - first_label}};
  model.with_metrics([&](const Prequential& metrics) {
    json["refused"] = metrics.refused();
    json["all"] = Prequential::to_json(metrics.all());
    json["recent"] = Prequential::to_json(metrics.recent());
  });
  cli::print(cli::to_text(json));
}

}  // namespace plumbline::serve
