#include "paper/study.h"

#include <algorithm>
#include <cassert>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/json/json.h"

namespace plumbline::paper {
namespace {

using Correct = Correctness;
using Boost = EnsembleOptions;

OpenPoint::Choice choice(std::string text, std::function<void(Reading&)> apply) {
  return {std::move(text), std::move(apply)};
}

// Choices that set one option of a component to one of several values.
std::vector<OpenPoint::Choice> values(Spec ModelConfig::*component, const std::string& option,
                                      const std::vector<OptionValue>& list) {
  std::vector<OpenPoint::Choice> choices;
  for (const OptionValue& value : list) {
    choices.push_back(choice(to_string(value), [component, option, value](Reading& reading) {
      (reading.model.*component).set(option, value);
    }));
  }
  return choices;
}

std::vector<OpenPoint::Choice> discounts() {
  std::vector<OpenPoint::Choice> choices;
  for (const bool all : {false, true}) {
    for (const bool counts : {true, false}) {
      choices.push_back(choice(fmt::format("{} arm{}, {} pulls", all ? "every" : "the played",
                                           all ? "" : "'s past", counts ? "with its" : "without"),
                               [all, counts](Reading& reading) {
                                 reading.discount["discount"] = all ? "all" : "played";
                                 reading.discount["discount_counts"] = counts;
                               }));
    }
  }
  return choices;
}

std::vector<OpenPoint::Choice> negatives(const std::string& set,
                                         const std::vector<std::string>& classes) {
  std::vector<OpenPoint::Choice> choices;
  for (const std::string& one : classes) {
    choices.push_back(choice(one.empty() ? "all others" : "class " + one,
                             [set, one](Reading& reading) { reading.negative[set] = one; }));
  }
  return choices;
}

std::vector<std::string> winning_titles() {
  std::vector<std::string> titles;
  for (const std::string& name : winning_bandits()) titles.push_back(policy_title(name));
  return titles;
}

const std::vector<const Table*>& study_tables() {
  static const std::vector<const Table*> list{&table("NB10_stationary"),
                                              &table("LR10_stationary"),
                                              &table("LINSVM10_stationary"),
                                              &table("PERC10_stationary"),
                                              &table("NB10_nonstationary"),
                                              &table("LR10_stationary_lambda_0_1"),
                                              &table("LR10_stationary_lambda_0_01")};
  return list;
}

// The published counterpart of Study::Measured::bandits_to_best.
double published_bandits_to_best() {
  LogRatios ratios;
  for (const Table* one : study_tables()) {
    for (const auto& sets : {search_data_sets(), check_data_sets()}) {
      for (const std::string& set : sets) {
        const auto best = published(one->name, set, "best_fixed");
        if (!best) continue;
        for (const std::string& name : winning_bandits()) {
          ratios.add(published(one->name, set, name)->log_loss / best->log_loss);
        }
      }
    }
  }
  return ratios.geometric_mean();
}

// Measures readings and caches the results.
class Bench {
 public:
  explicit Bench(const StudyOptions& options) : options_(options) {
    plan_.tables = study_tables();
    plan_.runs = options.runs;
    plan_.data = options.data;
    plan_.threads = options.threads;
  }

  double search(const Choices& choices) { return searched(choices).distance; }
  Study::Measured both(const Choices& choices) {
    const Fit search = searched(choices);
    const Fit check = measure(choices, check_data_sets(), checked_);
    return {search.distance, check.distance, calibrated_by_greedy(choices),
            LogRatios{search.bandits.sum + check.bandits.sum,
                      search.bandits.count + check.bandits.count}
                .geometric_mean()};
  }

 private:
  struct Fit {
    double distance = 0;
    LogRatios bandits{};
  };
  using Cache = std::map<Choices, Fit>;

  Fit searched(const Choices& choices) { return measure(choices, search_data_sets(), searched_); }

  Fit measure(const Choices& choices, const std::vector<std::string>& sets, Cache& cache) {
    const auto found = cache.find(choices);
    if (found != cache.end()) return found->second;
    if (options_.on_progress) options_.on_progress(searched_.size() + checked_.size());
    const Results results = run(choices, sets, policy_rows());
    Fit fit{distance(results, [](const auto&, const auto&) { return true; }).mean()};
    for (const ResultRow& row : results) {
      const double best = row.best_fixed()->log_loss().mean;
      for (const std::string& name : winning_bandits()) {
        fit.bandits.add(row.find(name)->log_loss().mean / best);
      }
    }
    return cache[choices] = fit;
  }

  double calibrated_by_greedy(const Choices& choices) {
    const Results results = run(choices, search_data_sets(), {{"greedy", "Greedy", "greedy"}});
    double sum = 0;
    for (const ResultRow& row : results) sum += row.cells.front().calibrated();
    return sum / static_cast<double>(results.size());
  }

  Results run(const Choices& choices, const std::vector<std::string>& sets,
              const std::vector<PolicyRow>& policies) {
    plan_.reading = make_reading(choices);
    plan_.data_sets = sets;
    plan_.policies = policies;
    return execute(plan_, nullptr, {}, options_.interrupted, &runs_);
  }

  const StudyOptions& options_;
  Plan plan_;
  RunCache runs_;
  Cache searched_, checked_;
};

}  // namespace

const std::vector<std::string>& search_data_sets() {
  static const std::vector<std::string> sets{"landsat", "musk2", "waveform", "mushroom", "weather"};
  return sets;
}

const std::vector<std::string>& check_data_sets() {
  static const std::vector<std::string> sets{"splice", "krvskp", "spambase", "electricity"};
  return sets;
}

const std::vector<OpenPoint>& open_points() {
  static const std::vector<OpenPoint> points{
      {"correctness",
       "Is a learner tested on an example before or after it learned it?",
       {choice("after", [](Reading& r) { r.model.ensemble.correctness = Correct::after_update; }),
        choice("before",
               [](Reading& r) { r.model.ensemble.correctness = Correct::before_update; })}},
      {"resample",
       "How does a learner take an example of weight λ?",
       {choice("Naive Bayes Poisson(λ) times, others once with weight λ",
               [](Reading& r) { r.model.ensemble.resample = Boost::Resample::automatic; }),
        choice("Poisson(λ) times",
               [](Reading& r) { r.model.ensemble.resample = Boost::Resample::yes; }),
        choice("once with weight Poisson(λ)",
               [](Reading& r) { r.model.ensemble.resample = Boost::Resample::weight; }),
        choice("once with weight λ",
               [](Reading& r) { r.model.ensemble.resample = Boost::Resample::no; })}},
      {"test_unseen",
       "Is a learner that drew k = 0 tested on the example?",
       {choice("yes", [](Reading& r) { r.model.ensemble.test_unseen = true; }),
        choice("no", [](Reading& r) { r.model.ensemble.test_unseen = false; })}},
      {"update_by",
       "Does a learner take one example or the whole minibatch at a step?",
       {choice("example",
               [](Reading& r) { r.model.ensemble.update_by = Boost::UpdateBy::example; }),
        choice("minibatch",
               [](Reading& r) { r.model.ensemble.update_by = Boost::UpdateBy::minibatch; })}},
      {"negative_votes",
       "What does the vote of a learner worse than chance count for?",
       {choice("its negative weight",
               [](Reading& r) { r.model.ensemble.negative_votes = NegativeVotes::keep; }),
        choice("nothing",
               [](Reading& r) { r.model.ensemble.negative_votes = NegativeVotes::drop; }),
        choice("a vote for the other class",
               [](Reading& r) { r.model.ensemble.negative_votes = NegativeVotes::flip; })}},
      {"prior_weight",
       "What do λ_sc and λ_sw begin with?",
       {choice("0", [](Reading& r) { r.model.ensemble.prior_weight = 0; }),
        choice("1", [](Reading& r) { r.model.ensemble.prior_weight = 1; })}},
      {"variance_floor", "The smallest variance in Naive Bayes",
       values(&ModelConfig::learner, "variance_floor", {1e-9, 1e-4, 1e-3})},
      {"l1_memory",
       "Is the l1 penalty that a weight has paid remembered between examples?",
       {choice("yes", [](Reading& r) { r.l1_memory = true; }),
        choice("no, as in scikit-learn", [](Reading& r) { r.l1_memory = false; })}},
      {"bfgs_steps", "BFGS steps per calibration; 0 means until converged",
       values(
           &ModelConfig::calibrator, "bfgs_steps",
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{10}})},
      {"counts", "Whose positives and negatives do Platt's targets count?",
       values(&ModelConfig::calibrator, "counts", {"stream", "minibatch"})},
      {"reward", "Which pair of losses makes the reward?",
       values(&ModelConfig::reward, "on", {"same_batch", "next_batch", "running"})},
      {"fixed_from",
       "With which number does a fixed policy begin to count rounds?",
       {choice("1: N_c = 2 calibrates on the second minibatch first",
               [](Reading& r) { r.fixed_from = 1; }),
        choice("0: N_c = 2 calibrates on the third minibatch first",
               [](Reading& r) { r.fixed_from = 0; })}},
      {"first_action",
       "Which action does an upper confidence bound try first?",
       {choice("train",
               [](Reading& r) {
                 r.model.actions = {Action::train, Action::calibrate};
               }),
        choice("calibrate",
               [](Reading& r) {
                 r.model.actions = {Action::calibrate, Action::train};
               })}},
      {"first_round",
       "Does the first minibatch also fit the sigmoid, after training, under all policies?",
       {choice("no", [](Reading& r) { r.model.first_round = FirstRound::train; }),
        choice("yes", [](Reading& r) { r.model.first_round = FirstRound::train_then_calibrate; })}},
      {"discount", "Whose past fades in discounted policies, and with its pulls?", discounts()},
      {"estimate",
       "Do discounted bounds stand on the mean of the rewards or on their sum?",
       {choice("mean", [](Reading& r) { r.estimate = "mean"; }),
        choice("sum", [](Reading& r) { r.estimate = "sum"; })}},
      {"balance",
       "Which rows of the larger class are kept?",
       {choice("the first", [](Reading& r) { r.balance = Balance::first; }),
        choice("a random draw for each run", [](Reading& r) { r.balance = Balance::random; })}},
      {"standardise",
       "Which learners get standardised features?",
       {choice("none", [](Reading& r) { r.standardise = Standardise::none; }),
        choice("linear ones", [](Reading& r) { r.standardise = Standardise::linear; }),
        choice("all", [](Reading& r) { r.standardise = Standardise::all; })}},
      {"waveform", "waveform: class 1 against …", negatives("waveform", {"0", "2", ""})},
      {"splice", "splice: class 0 against …", negatives("splice", {"2", "1"})}};
  return points;
}

Reading make_reading(const Choices& choices) {
  Reading reading{.model = preset("paper").model};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    open_points()[i].choices[choices[i]].apply(reading);
  }
  return reading;
}

Reading literal_reading() { return make_reading(Choices(open_points().size(), 0)); }

Choices paper_choices() {
  const Reading paper{.model = preset("paper").model};
  Choices choices;
  for (const OpenPoint& point : open_points()) {
    // The choice that changes nothing.
    const auto same = std::ranges::find_if(point.choices, [&](const OpenPoint::Choice& one) {
      Reading reading = paper;
      one.apply(reading);
      return reading_json(reading) == reading_json(paper);
    });
    assert(same != point.choices.end());
    choices.push_back(static_cast<std::size_t>(same - point.choices.begin()));
  }
  return choices;
}

namespace {

// Changes one point at a time for the better until no change helps.
Choices search_from(Bench& bench, Choices found) {
  const auto& points = open_points();
  bool better = true;
  while (better) {
    better = false;
    for (std::size_t p = 0; p < points.size(); ++p) {
      Choices trial = found;
      for (std::size_t c = 0; c < points[p].choices.size(); ++c) {
        trial[p] = c;
        if (bench.search(trial) < bench.search(found)) {
          found = trial;
          better = true;
        }
      }
    }
  }
  return found;
}

}  // namespace

Study run_study(const StudyOptions& options) {
  Bench bench(options);
  Study study;
  const Choices literal(open_points().size(), 0), paper = paper_choices();
  study.literal = bench.both(literal);
  study.paper = bench.both(paper);
  study.found = paper;
  if (options.search) {
    // From both readings: a search by single steps may end in a local optimum.
    for (const Choices& start : {literal, paper}) {
      const Choices end = search_from(bench, start);
      if (bench.search(end) < bench.search(study.found)) study.found = end;
    }
  }
  study.best = bench.both(study.found);
  for (std::size_t p = 0; p < open_points().size(); ++p) {
    study.one_by_one.emplace_back();
    Choices trial = study.found;
    for (std::size_t c = 0; c < open_points()[p].choices.size(); ++c) {
      trial[p] = c;
      study.one_by_one.back().push_back(bench.both(trial));
    }
  }
  return study;
}

std::string study_json(const Study& study) {
  const auto pair = [](const Study::Measured& measured) {
    return Json{{"search", measured.search},
                {"check", measured.check},
                {"greedy_calibrates", measured.greedy_calibrates},
                {"bandits_to_best", measured.bandits_to_best}};
  };
  Json json{{"search_data_sets", search_data_sets()},
            {"check_data_sets", check_data_sets()},
            {"literal", pair(study.literal)},
            {"paper", pair(study.paper)},
            {"best", pair(study.best)}};
  const Choices paper = paper_choices();
  for (std::size_t p = 0; p < open_points().size(); ++p) {
    const OpenPoint& point = open_points()[p];
    Json entry{{"name", point.name}, {"question", point.question}};
    for (std::size_t c = 0; c < point.choices.size(); ++c) {
      Json value = pair(study.one_by_one[p][c]);
      value["choice"] = point.choices[c].text;
      value["found"] = study.found[p] == c;
      value["paper"] = paper[p] == c;
      entry["choices"].push_back(std::move(value));
    }
    json["points"].push_back(std::move(entry));
  }
  return print_json(json, 1) + "\n";
}

std::string study_text(const Study& study) {
  const auto numbers = [](const Study::Measured& measured) {
    return fmt::format("{:>8.4f}  {:>8.4f}  {:>6.0f} %  {:>8.3f}\n", measured.search,
                       measured.check, 100 * measured.greedy_calibrates, measured.bandits_to_best);
  };
  std::string text = fmt::format(
      "search, others: mean |ln(ours/published)| on the data sets of the search and on the others\n"
      "greedy: minibatches on which the greedy policy calibrates; published, in words: always\n"
      "bandits: log-loss/best fixed, geometric mean of {}; published: {:.3f}\n\n"
      "{:<64}{:>8}  {:>8}  {:>8}  {:>8}\n",
      fmt::join(winning_titles(), ", "), published_bandits_to_best(), "", "search", "others",
      "greedy", "bandits");
  text += fmt::format("{:<64}", "literal reading") + numbers(study.literal);
  text += fmt::format("{:<64}", "preset paper") + numbers(study.paper);
  text += fmt::format("{:<64}", "found by this search") + numbers(study.best) + "\n";
  for (std::size_t p = 0; p < open_points().size(); ++p) {
    const OpenPoint& point = open_points()[p];
    text += point.question + "\n";
    for (std::size_t c = 0; c < point.choices.size(); ++c) {
      text += fmt::format("  {} {:<60}", study.found[p] == c ? '*' : ' ', point.choices[c].text) +
              numbers(study.one_by_one[p][c]);
    }
  }
  return text;
}

}  // namespace plumbline::paper
