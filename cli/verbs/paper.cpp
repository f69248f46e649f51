// `plumbline paper`: reproduces the paper's evaluation and compares it with the published numbers.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commit.h"
#include "cli/options/components.h"
#include "cli/options/threads_option.h"
#include "cli/options/value.h"
#include "cli/output/attempts.h"
#include "cli/output/job_progress.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "paper/ablation.h"
#include "paper/control.h"
#include "paper/control_report.h"
#include "paper/data_sets.h"
#include "paper/figures.h"
#include "paper/plan.h"
#include "paper/report.h"
#include "paper/study.h"
#include "paper/summary.h"
#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/io/source.h"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

struct PaperOptions {
  std::vector<std::string> tables{"all"};
  std::vector<std::string> data_sets;
  std::string preset = "paper";
  std::string data;
  std::string out = "paper-results";
  std::optional<std::size_t> runs;
  std::size_t threads = 0;
  bool figures = false, no_figures = false;
  bool resume = false;
  bool overwrite = false;
  bool study = false;
  bool ablation = false;
  bool control = false;
  bool no_search = false;
  bool json = false;
};

class PaperRun {
 public:
  explicit PaperRun(const PaperOptions& options) : options_(options) {}

  void run() {
    if (options_.resume && options_.overwrite) {
      throw Error(ErrorKind::config, "--resume and --overwrite exclude each other");
    }
    if (options_.study) return run_study();
    if (options_.ablation) return run_ablation();
    make_plan();
    if (options_.control) return run_control();
    paper::require_data(plan_);
    make_folder();
    const std::string journal_path = (fs::path(options_.out) / "runs.jsonl").string();
    prepare_journal(journal_path);
    paper::Journal journal(journal_path, paper::settings_json(plan_));
    JobProgress progress(JobProgress::Elsewhere::lines);
    try {
      results_ = paper::execute(
          plan_, &journal,
          [&](double share, std::size_t done, std::size_t all) {
            progress.step(share, fmt::format("run {} of {}", count_text(done), count_text(all)));
          },
          &interrupted());
    } catch (const Interrupted&) {
      progress.hide();
      say("the runs so far are in {}; --resume goes on from there", journal_path);
      throw;
    }
    progress.hide();
    seconds_ = progress.seconds();
    Attempts attempts;
    write_files(attempts);
    attempts.attempt([&] { print(options_.json ? paper::results_json(results_) : summary()); });
    attempts.rethrow();
  }

 private:
  void make_plan() {
    const auto names = split(options_.tables);
    for (const std::string& name : names) {
      if (name != "all") paper::table(name);  // throws for an unknown name
    }
    for (const paper::Table& table : paper::tables()) {
      const auto named = [&](const std::string& name) {
        return name == "all" || name == table.name;
      };
      if (std::ranges::any_of(names, named)) plan_.tables.push_back(&table);
    }
    plan_.data_sets = split(options_.data_sets);
    for (const std::string& name : plan_.data_sets) paper::data_set(name);
    plan_.reading.model = preset(options_.preset).model;
    if (options_.preset == "literal") plan_.reading = paper::literal_reading();
    if (options_.preset == "paper" || options_.preset == "literal") {
      plan_.policies = paper::policy_rows();
    } else {
      plan_.policies = {{options_.preset, options_.preset, plan_.reading.model.policy}};
      plan_.last_half = true;
    }
    plan_.runs = options_.runs.value_or(10);
    plan_.data = paper::data_folder(options_.data);
    plan_.threads = options_.threads;
    const bool any = std::ranges::any_of(plan_.tables, [&](const paper::Table* table) {
      return plan_.data_sets.empty() ||
             std::ranges::any_of(table->data_sets, [&](const std::string& name) {
               return std::ranges::find(plan_.data_sets, name) != plan_.data_sets.end();
             });
    });
    if (!any) {
      throw Error(ErrorKind::config, fmt::format("none of the tables has a row for {}",
                                                 fmt::join(plan_.data_sets, ", ")));
    }
  }

  // Splits at commas and spaces.
  static std::vector<std::string> split(const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const std::string& text : texts) {
      for (const std::string& item : cli::split(text, ',')) {
        if (!item.empty() && std::ranges::find(items, item) == items.end()) items.push_back(item);
      }
    }
    return items;
  }

  void make_folder() const {
    std::error_code error;
    fs::create_directories(
        options_.study || options_.ablation || options_.control || options_.no_figures
            ? fs::path(options_.out)
            : fs::path(options_.out) / "figures",
        error);
    if (error) {
      throw Error(ErrorKind::io, fmt::format("cannot make the folder: {}", error.message()),
                  {.source = options_.out});
    }
  }

  void prepare_journal(const std::string& path) const {
    if (!fs::exists(path)) return;
    if (options_.overwrite) {
      fs::remove(path);
    } else if (!options_.resume) {
      throw Error(ErrorKind::config,
                  fmt::format("'{}' has runs already; --resume continues them, --overwrite starts "
                              "again, --out DIR uses another folder",
                              options_.out));
    }
  }

  void write(const std::string& name, const std::string& text) const {
    write_file((fs::path(options_.out) / name).string(), std::as_bytes(std::span(text)));
  }

  // The command that reproduces the results; the folder of the data does not affect them.
  std::string command() const {
    std::string text = "plumbline paper";
    if (options_.control) text += " --control";
    if (options_.study) {
      text += options_.no_search ? " --study --no-search" : " --study";
    } else {
      const auto tables = split(options_.tables), sets = split(options_.data_sets);
      if (tables != std::vector<std::string>{"all"}) {
        text += fmt::format(" --tables {}", fmt::join(tables, ","));
      }
      if (!sets.empty()) text += fmt::format(" --datasets {}", fmt::join(sets, ","));
      if (options_.preset != "paper") text += " --preset " + options_.preset;
    }
    if (options_.runs) text += fmt::format(" --runs {}", *options_.runs);
    return text + " --out " + options_.out;
  }

  paper::RunMetadata facts() const {
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    return {.command = command(),
            .commit = kCommit,
            .seconds = seconds_,
            .resumed = options_.resume,
            .threads = options_.threads == 0 ? cores : options_.threads,
            .preset = options_.preset};
  }

  void write_files(Attempts& attempts) const {
    attempts.attempt([&] { write("results.json", paper::results_json(results_)); });
    attempts.attempt([&] { write("tables.csv", paper::tables_csv(results_)); });
    attempts.attempt(
        [&] { write("report.html", paper::report_html(results_, facts(), !options_.no_figures)); });
    if (options_.no_figures) return;
    attempts.attempt([&] {
      for (const auto& list : {paper::figures(results_), paper::consistency_figures(results_)}) {
        for (const paper::PaperFigure& figure : list) {
          write("figures/" + figure.file + ".svg", report::to_svg(figure.chart));
        }
      }
    });
  }

  std::string summary() const {
    return paper::summary_text(results_) +
           fmt::format("\n{} runs in {}; report: {}\n",
                       count_text(results_.size() * plan_.policies.size() * plan_.runs),
                       duration_text(seconds_), (fs::path(options_.out) / "report.html").string());
  }

  void run_study() {
    make_folder();
    JobProgress progress(JobProgress::Elsewhere::nothing);
    paper::StudyOptions study_options;
    study_options.data = paper::data_folder(options_.data);
    study_options.runs = options_.runs.value_or(2);
    study_options.threads = options_.threads;
    study_options.search = !options_.no_search;
    study_options.interrupted = &interrupted();
    study_options.on_progress = [&](std::size_t done) {
      // The length of the search is not known in advance.
      const std::string line = fmt::format("{} readings measured", done);
      if (stderr_is_terminal()) {
        progress.step(0, line);
      } else if (done % 10 == 0) {
        show(line + "\n");
      }
    };
    const paper::Study study = paper::run_study(study_options);
    progress.hide();
    seconds_ = progress.seconds();
    const std::string json = paper::study_json(study);
    Attempts attempts;
    attempts.attempt([&] { write("study.json", json); });
    attempts.attempt([&] { write("study.html", paper::study_html(study, facts())); });
    attempts.attempt([&] {
      print(options_.json ? json : paper::study_text(study) + report_line("study.html"));
    });
    attempts.rethrow();
  }

  std::string report_line(const char* name) const {
    return fmt::format("\nreport: {}\n", (fs::path(options_.out) / name).string());
  }

  void run_control() {
    paper::require_data(plan_);
    make_folder();
    JobProgress progress(JobProgress::Elsewhere::lines);
    paper::ControlOptions control_options;
    control_options.tables = plan_.tables;
    control_options.data_sets = plan_.data_sets;
    control_options.data = plan_.data;
    control_options.runs = plan_.runs;
    control_options.threads = plan_.threads;
    control_options.interrupted = &interrupted();
    control_options.on_progress = [&](double share, std::size_t done, std::size_t all) {
      progress.step(
          share, fmt::format("run {} of {} of this condition", count_text(done), count_text(all)));
    };
    const paper::Control control = paper::run_control(control_options);
    progress.hide();
    seconds_ = progress.seconds();
    const std::string json = paper::control_json(control);
    Attempts attempts;
    attempts.attempt([&] { write("control.json", json); });
    attempts.attempt([&] { write("control.svg", report::to_svg(paper::control_chart(control))); });
    attempts.attempt([&] { write("control.html", paper::control_html(control, facts())); });
    attempts.attempt([&] {
      print(options_.json ? json : paper::control_text(control) + report_line("control.html"));
    });
    attempts.rethrow();
  }

  void run_ablation() {
    make_folder();
    JobProgress progress(JobProgress::Elsewhere::nothing);
    paper::AblationOptions ablation;
    ablation.data = paper::data_folder(options_.data);
    ablation.data_sets = split(options_.data_sets);
    for (const std::string& name : ablation.data_sets) paper::data_set(name);
    ablation.runs = options_.runs.value_or(3);
    ablation.threads = options_.threads;
    ablation.interrupted = &interrupted();
    ablation.on_progress = [&](std::size_t done, std::size_t all) {
      const std::string line = fmt::format("variant {} of {}", done + 1, all);
      if (stderr_is_terminal()) {
        progress.step(static_cast<double>(done) / static_cast<double>(all), line);
      } else {
        show(line + "\n");
      }
    };
    const auto rows = paper::run_ablation(ablation);
    progress.hide();
    const std::string json = paper::ablation_json(rows);
    Attempts attempts;
    attempts.attempt([&] { write("ablation.json", json); });
    attempts.attempt([&] { print(options_.json ? json : paper::ablation_text(rows)); });
    attempts.rethrow();
  }

  const PaperOptions& options_;
  paper::Plan plan_;
  paper::Results results_;
  double seconds_ = 0;
};

constexpr const char* kWhat = "Evaluation";
constexpr const char* kPaperResults = "Results";

// The names of all items of a list.
template <class List>
Words names_in(const List& list) {
  Words names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

Words offer_tables(std::string_view) {
  Words names = names_in(paper::tables());
  names.insert(names.begin(), "all");
  return names;
}

void add_plan_options(Verb& verb, PaperOptions& options) {
  add_options(
      verb, kWhat,
      {{.names = {"--tables"},
        .metavar = "NAME",
        .help = "Tables of the paper, or all",
        .fallback = "all",
        .offers = offer_tables,
        .value = texts(options.tables)},
       {.names = {"--datasets"},
        .metavar = "NAME",
        .help = "Only these data sets",
        .offers = [](std::string_view) { return names_in(paper::data_sets()); },
        .value = texts(options.data_sets)},
       {.names = {"--preset"},
        .metavar = "NAME",
        .help = "paper and literal run the paper's policies; any other preset runs "
                "alone, with the learner and the number of learners of each row",
        .fallback = options.preset,
        .offers = offer_presets,
        .value = {.set =
                      [&options](const Words& words) {
                        preset(words[0]);  // throws for an unknown name
                        options.preset = words[0];
                      }}},
       {.names = {"--runs"},
        .metavar = "N",
        .help = "Runs of each policy; 10, or 2 with --study and 3 with --ablation; at most 2 of "
                "forest with --control",
        .value = whole(options.runs, std::size_t{1}, std::size_t{10000})}});
}

void add_study_options(Verb& verb, PaperOptions& options) {
  add_options(
      verb, kWhat,
      {{.names = {"--study"},
        .help = "Search for the interpretation of the paper that fits its numbers best",
        .value = flag(options.study)},
       {.names = {"--no-search"},
        .help = "With --study: do not search, only vary the preset one point at a time",
        .value = flag(options.no_search)},
       {.names = {"--control"},
        .help = "Compare bandits and a coin with the best fixed policy under equal and unequal "
                "starts, with a calibrator that remembers, and with the action both",
        .value = flag(options.control)},
       {.names = {"--ablation"},
        .help =
            "Measure each ingredient of the preset auto: run the preset without it, in the paper's "
            "rows and with its own learners",
        .value = flag(options.ablation)},
       {.names = {"--data"},
        .metavar = "DIR",
        .help = "Folder of the data sets (default: $PLUMBLINE_DATA, ./data, or plumbline/ in the "
                "user's data folder)",
        .completion = Completion::folders,
        .value = path(options.data)},
       threads_option(options.threads)});
}

void add_result_options(Verb& verb, PaperOptions& options) {
  add_options(
      verb, kPaperResults,
      {{.names = {"--out"},
        .metavar = "DIR",
        .help = "Folder for results.json, tables.csv, report.html and figures/",
        .fallback = options.out,
        .completion = Completion::folders,
        .value = path(options.out)},
       {.names = {"--figures"},
        .help = "Draw the figures (default)",
        .excludes = {"--no-figures"},
        .value = flag(options.figures)},
       {.names = {"--no-figures"},
        .help = "Do not draw the figures",
        .excludes = {"--figures"},
        .value = flag(options.no_figures)},
       {.names = {"--resume"}, .help = "Continue the runs in --out", .value = flag(options.resume)},
       {.names = {"--overwrite"},
        .help = "Start again, and replace the results in --out",
        .value = flag(options.overwrite)},
       {.names = {"--json"}, .help = "Print the results as JSON", .value = flag(options.json)}});
}

}  // namespace

Verb paper_verb() {
  const auto options = std::make_shared<PaperOptions>();
  Verb verb{
      .name = "paper",
      .summary = "Run the paper's evaluation and compare it with the published numbers",
      .notes = "Results depend only on the data and the preset, not on threads or interruptions.\n",
      .examples = {"plumbline paper --out results                        everything, ten runs each",
                   "plumbline paper --tables NB10_stationary --runs 2    a first look",
                   "plumbline paper --preset auto --out auto             our preset in the paper's "
                   "rows",
                   "plumbline paper --study --out study                  search for the best fit",
                   "plumbline paper --control --out control              bandits with equal and "
                   "unequal starts",
                   "plumbline paper --ablation --out ablation            auto without each of its "
                   "ingredients"},
      .run = [options](const CommandLine&) {
        catch_interrupts();
        PaperRun(*options).run();
      }};
  add_plan_options(verb, *options);
  add_study_options(verb, *options);
  add_result_options(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
