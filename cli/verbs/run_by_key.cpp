#include "cli/verbs/run_by_key.h"

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/output/attempts.h"
#include "cli/output/key_predictions.h"
#include "cli/output/key_summary.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/shell/interrupt.h"
#include "plumbline/io/source.h"
#include "plumbline/keyed_model.h"

namespace plumbline::cli {
namespace {

// The same file has the same name in every run; a pipe has none.
std::string source_name(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return {};
  const auto full = std::filesystem::canonical(path, failed);
  return failed ? path : full.string();
}

// However the run ends, the store is that of the last row that was learned.
class RunByKey {
 public:
  explicit RunByKey(const RunByKeyOptions& options)
      : options_(options),
        source_(source_name(options.stream.path)),
        skip_(options.stream.skip),
        next_save_(options.save_every) {}

  void run() {
    check();
    open();
    if (!options_.predictions.empty()) {
      predictions_ = std::make_unique<KeyPredictions>(options_.predictions, options_.append,
                                                      /*names=*/true, model_->parent() != nullptr);
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    attempts_.attempt([&] { learn(); });
    finish();
    attempts_.rethrow();
    if (interrupted_) throw Interrupted{};
  }

 private:
  void check() const {
    if (options_.predictions == "-" && options_.json) {
      throw Error(ErrorKind::config,
                  "--predictions - and --json both use standard output; use a file for one of "
                  "them");
    }
    const bool kept =
        options_.model.any() || options_.stream.any_columns() || options_.keys.any_kept();
    if (!options_.load.empty() && kept) {
      throw Error(ErrorKind::config,
                  "--load continues with a store that has its configuration and its columns; leave "
                  "out the options of the model, of the columns and of the keys, or leave out "
                  "--load");
    }
    if (!options_.load.empty() && options_.save != options_.load) {
      throw Error(ErrorKind::config,
                  fmt::format("a store of models by key is continued in place: add --save {}",
                              options_.load));
    }
    check_different(
        {{"the stream", options_.stream.path}, {"--config", options_.model.config_file}},
        {{"--save", options_.save}, {"--predictions", options_.predictions}});
  }

  void open() {
    const KeyedMemory memory{.cache_bytes = options_.keys.cache_mib << 20};
    if (!options_.load.empty()) {
      model_ = KeyedModel::open(options_.load, KeyedModel::Use::learn, memory);
      choose_position();
      stream_ = open_stream(options_.stream, model_->encoder());
    } else {
      create(memory);
    }
    before_ = model_->totals();
    ReadOptions read = read_options(options_.stream);
    read.skip = skip_;
    if (auto tell = read.on_bad_row) {
      read.on_bad_row = [this, tell](const Error& error) {
        progress_->hide();
        tell(error);
      };
    }
    session_ = std::make_unique<KeyedSession>(*stream_, *model_, KeyedModel::Use::learn,
                                              std::move(read), options_.keys.key);
  }

  void create(const KeyedMemory& memory) {
    ModelOptions chosen = options_.model;
    if (chosen.preset.empty()) chosen.preset = "small";
    Config config = make_config(chosen);
    if (!options_.model.batch) config.batch = 1;
    KeyedOptions keys{.ttl = options_.keys.ttl};
    if (!options_.keys.parent.empty()) keys.parent = options_.keys.parent;
    if (keys.parent == "off") keys.parent.clear();
    if (!options_.save.empty() && std::filesystem::exists(options_.save)) {
      throw Error(ErrorKind::config,
                  fmt::format("'{0}' exists already; continue it with --load {0} --save {0}, or "
                              "save to another file",
                              options_.save));
    }
    auto sampled =
        std::make_unique<SampledStream>(open_stream(options_.stream), options_.stream.sample);
    if (!options_.stream.skips_bad_rows()) sampled->need_a_row();
    std::vector<Note> notes;
    model_ = KeyedModel::create(options_.save, config, *sampled, options_.keys.key,
                                options_.stream.columns, notes, keys, memory);
    if (options_.progress != "none") {
      for (const Note& note : notes) say("{}", in_words(note));
    }
    stream_ = std::move(sampled);
  }

  // A file is not learned twice by accident.
  void choose_position() {
    if (source_.empty()) return;
    std::uint64_t learned = 0;
    for (const Position& position : model_->positions()) {
      if (position.source == source_) learned = position.rows;
    }
    if (options_.keys.resume) {
      skip_ = learned;
      if (learned > 0) say("{} rows were learned already", count_text(learned));
    } else if (learned > 0 && !options_.skips) {
      throw Error(ErrorKind::config,
                  fmt::format("the store has learned {} rows of it already; --resume continues "
                              "after them, and --skip 0 learns them again",
                              learned),
                  {.source = options_.stream.path});
    }
  }

  void learn() {
    while (!interrupted() || stream_->holds_a_row()) {
      try {
        if (!session_->step()) return;
      } catch (const Interrupted&) {
        interrupted_ = true;
        return;
      }
      const double probability = session_->probability();
      const double score = session_->parent().value_or(probability);
      const Label label = session_->label();
      recorder_.add({&score, 1}, {&probability, 1}, {&label, 1});
      if (predictions_) {
        const Schema& schema = model_->schema();
        predictions_->add(*session_, label == 1 ? schema.positive : schema.negative);
        predictions_->write();
      }
      progress_->step(figures(), stream_->share_read());
      if (options_.save_every > 0 && recorder_.examples() >= next_save_) {
        next_save_ = recorder_.examples() + options_.save_every;
        save();
      }
    }
    interrupted_ = !session_->at_end();
  }

  // Predictions are flushed first: a store must not have learned rows whose predictions are missing.
  void save() {
    if (predictions_) predictions_->flush();
    std::vector<Position> positions;
    if (!source_.empty()) positions.push_back({source_, session_->position()});
    model_->save(positions);
  }

  Progress::Figures figures() const {
    if (recorder_.examples() == 0) return {};
    return {.examples = recorder_.examples(),
            .batches = recorder_.batches(),
            .log_loss = recorder_.log_loss(),
            .brier = recorder_.brier()};
  }

  void finish() {
    const double seconds = progress_->seconds();
    const bool learned = recorder_.examples() > 0, stopped = attempts_.failed();
    progress_->finish(figures());
    bool saved = false;
    if (!options_.save.empty()) saved = attempts_.attempt([&] { save(); });
    if (predictions_) attempts_.attempt([&] { predictions_->close(); });
    if (!learned && !stopped && !interrupted_ && skip_ == 0) {
      attempts_.attempt([&] {
        throw Error(ErrorKind::data, "there is no row to learn from", {.source = stream_->name()});
      });
    }
    if (!learned && !stopped && skip_ > 0) say("there are no further rows to learn from");
    if (stopped || interrupted_) {
      say("{} after {} rows", stopped ? "stopped" : "interrupted", session_->position());
      if (saved) say("the store is saved; go on with: {}", next_command());
    }
    KeyRunResult result{.model = *model_,
                        .recorder = recorder_,
                        .before = before_,
                        .source = stream_->name(),
                        .rows_read = session_->position(),
                        .bad_rows = session_->bad_rows(),
                        .seconds = seconds,
                        .interrupted = interrupted_};
    if (saved) result.files.emplace_back("store", options_.save);
    if (predictions_) result.files.emplace_back("predictions", options_.predictions);
    const bool silent = !learned || options_.predictions == "-" || (stopped && options_.json);
    if (silent) return;
    attempts_.attempt(
        [&] { print(options_.json ? key_run_json(result) : key_run_summary(result)); });
  }

  std::string next_command() const {
    CommandLine command = options_.command();
    if (predictions_ && options_.predictions != "-") command.set("--append");
    if (options_.stream.limit > 0) {
      command.set("--limit", std::to_string(options_.stream.limit - recorder_.examples()));
    }
    if (source_.empty()) {
      command.set("--skip", std::to_string(session_->position()));
    } else {
      command.remove("--skip").set("--resume");
    }
    return command.set("--load", options_.save).text();
  }

  const RunByKeyOptions& options_;
  std::string source_;
  std::uint64_t skip_;
  std::unique_ptr<Stream> stream_;
  std::optional<KeyedModel> model_;
  std::unique_ptr<KeyedSession> session_;
  std::unique_ptr<KeyPredictions> predictions_;
  std::unique_ptr<Progress> progress_;
  Recorder recorder_;
  KeyedTotals before_;
  Attempts attempts_;
  bool interrupted_ = false;
  std::uint64_t next_save_;
};

}  // namespace

void run_by_key(const RunByKeyOptions& options) { RunByKey(options).run(); }

}  // namespace plumbline::cli
