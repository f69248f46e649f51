#include "serve/replay.h"

#include "cli/output/json.h"
#include "cli/output/output.h"
#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "serve/event_log.h"
#include "serve/learning_model.h"
#include "plumbline/sqlite/database.h"

namespace plumbline::serve {

void replay(const cli::ServeOptions& options) {
  check_model_name(options.name);
  const std::string folder = options.data + "/" + options.name;
  std::optional<Config> other;
  if (options.model.any()) other = cli::make_config(options.model);
  LearningModel model(Definition::load(folder), folder, other);
  const std::size_t batch = model.batch();
  const std::string log = folder + "/log.sqlite";
  try {
    EventLog::Reader reader(log);
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
  Json json{{"name", options.name}, {"learned", model.learned()}};
  model.with_metrics([&](const Prequential& metrics) {
    json["refused"] = metrics.refused();
    json["all"] = Prequential::to_json(metrics.all());
    json["recent"] = Prequential::to_json(metrics.recent());
  });
  cli::print(cli::to_text(json));
}

}  // namespace plumbline::serve
