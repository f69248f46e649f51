#include "paper/report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "paper/claims.h"
#include "paper/figures.h"
#include "plumbline/version.h"
#include "report/page.h"
#include "report/text.h"

namespace plumbline::paper {
namespace {

using report::Align;
using report::fixed_text;
using report::Page;

// The shade of a cell for the ratio ours/theirs: lower is blue, higher is orange, a factor of 2 is full.
double shade(double ratio) { return std::clamp(-std::log(ratio) / std::log(2.0), -1.0, 1.0); }

std::string table_title(const Table& table) {
  return fmt::format("{}, {} learners", table.title, table.size);
}

std::vector<const Table*> tables_in(const Results& results) {
  std::vector<const Table*> list;
  for (const ResultRow& row : results) {
    if (std::ranges::find(list, row.table) == list.end()) list.push_back(row.table);
  }
  return list;
}

// The columns that are shown, without the single fixed policies.
std::vector<std::string> shown_columns(const ResultRow& row) {
  std::vector<std::string> names = columns_of(row);
  std::erase_if(names, [](const std::string& name) { return fixed_every(name).has_value(); });
  return names;
}

report::Cell title_cell(const ResultRow& row, bool with_table) {
  return {with_table ? row.table->name + " " + row.data_set : row.data_set};
}

// Ours above theirs: two lines for each data set.
report::Table losses_table(const Results& results, const Table& table) {
  report::Table out{.columns = {}, .compact = true};
  for (const ResultRow& row : results) {
    if (row.table != &table) continue;
    const auto names = shown_columns(row);
    if (out.columns.empty()) {
      out.columns = {{"data set", Align::left}};
      for (const std::string& name : names) out.columns.push_back({policy_title(name)});
    }
    double lowest_ours = 1e300, lowest_theirs = 1e300;
    for (const std::string& name : names) {
      lowest_ours = std::min(lowest_ours, row.column(name)->log_loss().mean);
      if (const auto theirs = published_beside(row, name)) {
        lowest_theirs = std::min(lowest_theirs, theirs->log_loss);
      }
    }
    std::vector<report::Cell> ours{title_cell(row, false)}, theirs{{"published"}};
    for (const std::string& name : names) {
      const paper::Cell& cell = *row.column(name);
      const MeanInterval loss = cell.log_loss();
      report::Cell& mine =
          ours.emplace_back(report::Cell{fixed_text(loss.mean, 3), loss.mean == lowest_ours});
      mine.note = fmt::format("± {:.3f}", loss.half_width);
      if (name == "best_fixed" || name == "worst_fixed") {
        mine.note += fmt::format(", N = {}", *fixed_every(cell.policy));
      }
      report::Cell& other = theirs.emplace_back();
      if (const auto published = published_beside(row, name)) {
        other.text = fixed_text(published->log_loss, 3);
        other.best = published->log_loss == lowest_theirs;
        other.note = fmt::format("± {:.3f}", published->ci95);
      }
    }
    out.rows.push_back(std::move(ours));
    out.rows.push_back(std::move(theirs));
  }
  return out;
}

report::Table ratio_table(const Results& results) {
  report::Table out{.columns = {}, .compact = true};
  for (const ResultRow& row : results) {
    const auto names = shown_columns(row);
    if (out.columns.empty()) {
      out.columns = {{"table and data set", Align::left}};
      for (const std::string& name : names) {
        out.columns.push_back({policy_title(name), Align::center});
      }
    }
    std::vector<report::Cell> cells{title_cell(row, true)};
    for (const std::string& name : names) {
      const auto theirs = published_beside(row, name);
      if (!theirs) {
        cells.push_back({""});
        continue;
      }
      const double ratio = row.column(name)->log_loss().mean / theirs->log_loss;
      cells.push_back({fixed_text(ratio, 2), false, shade(ratio)});
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

report::Table distance_table(const Results& results) {
  report::Table out{.columns = {{"over", Align::left}, {"mean |ln(ours/published)|"}, {"numbers"}}};
  const auto add = [&](const std::string& name, const Distance& one) {
    if (one.count == 0) return;
    out.rows.push_back({{name}, {fixed_text(one.mean(), 3)}, {std::to_string(one.count)}});
  };
  add("everything", distance(results, [](const auto&, const auto&) { return true; }));
  for (const Table* table : tables_in(results)) {
    add(table->name,
        distance(results, [&](const ResultRow& row, const auto&) { return row.table == table; }));
  }
  for (const std::string_view column : kColumns) {
    add(policy_title(std::string(column)),
        distance(results, [&](const auto&, const std::string& c) { return c == column; }));
  }
  return out;
}

report::Table claims_table(const Results& results) {
  report::Table out{.columns = {{"claim", Align::left},
                                {"published: holds"},
                                {"significantly"},
                                {"ours: holds"},
                                {"significantly"}}};
  const auto of = [](std::size_t count, std::size_t rows) {
    return fmt::format("{} of {}", count, rows);
  };
  for (const Claim& claim : claims(results)) {
    if (claim.ours.rows == 0) continue;
    std::vector<report::Cell> row{{claim.text}};
    if (claim.theirs) {
      row.push_back({of(claim.theirs->holds, claim.theirs->rows)});
      row.push_back({std::to_string(claim.theirs->significant)});
    } else {
      row.push_back({"in words"});
      row.push_back({""});
    }
    row.push_back({of(claim.ours.holds, claim.ours.rows)});
    row.push_back({std::to_string(claim.ours.significant)});
    out.rows.push_back(std::move(row));
  }
  return out;
}

void add_introduction(Page& page, const Results& results, const RunMetadata& facts) {
  page.text(
      "The paper “Better Boosting with Bandits for Online Learning” studies streams of labelled "
      "examples that arrive in minibatches. An ensemble of simple learners (online boosting) "
      "scores each example; the scores are good for ranking but are no probabilities: they crowd "
      "near 0 and 1. A calibrator can turn them into probabilities, but each minibatch is spent "
      "either on training the ensemble or on the calibrator. The paper lets bandit policies "
      "(UCB1, Thompson sampling) decide, and compares them with fixed policies that calibrate on "
      "every N-th minibatch.");
  page.text(
      "Every number is a log-loss: the mean of −ln of the probability that the model gave, before "
      "it learned the example, to what then happened. Lower is better; always saying 50 % gives "
      "0.693. Means over runs with 95 % intervals. The runs here are ours; the published numbers "
      "stand below or beside them.");
  const Distance all = distance(results, [](const auto&, const auto&) { return true; });
  std::vector<report::Tile> tiles;
  if (all.count > 0) {
    tiles.push_back({"mean |ln(ours/published)|", fixed_text(all.mean(), 3),
                     fmt::format("over {} numbers; 0 is identical", all.count)});
  }
  tiles.push_back({"rows of the paper's tables", std::to_string(results.size()), ""});
  tiles.push_back(
      {"runs of each policy", std::to_string(results.front().cells.front().runs.size()), ""});
  tiles.push_back(
      {"time", fmt::format("{:.0f} s", facts.seconds),
       fmt::format("on {} threads{}", facts.threads, facts.resumed ? ", since --resume" : "")});
  page.tiles(tiles);
}

report::Table consistency_table(const Results& results) {
  report::Table out{.columns = {{"data set", Align::left},
                                {"learner", Align::left},
                                {"T"},
                                {"runs inside"},
                                {"calibration error"}}};
  for (const ResultRow& row : results) {
    const paper::Cell& cell = row.cells.front();
    if (!cell.has_last_half()) continue;
    const MeanInterval error = cell.last_half_error();
    out.rows.push_back(
        {{row.data_set},
         {row.table->title},
         {std::to_string(row.table->size)},
         {fmt::format("{} of {}", cell.runs_inside(), cell.runs.size())},
         {.text = fixed_text(error.mean, 4), .note = fmt::format("± {:.4f}", error.half_width)}});
  }
  return out;
}

// Adds the figures in rows of two.
void add_in_pairs(Page& page, const std::vector<report::Figure>& list) {
  for (std::size_t i = 0; i < list.size(); i += 2) {
    page.charts({list.begin() + static_cast<std::ptrdiff_t>(i),
                 list.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, list.size()))});
  }
}

void add_consistency(Page& page, const Results& results, bool with_figures) {
  const report::Table table = consistency_table(results);
  if (table.rows.empty()) return;
  page.section("Are the probabilities calibrated?");
  page.text(fmt::format(
      "The last half of each run, in {0} bins with equally many predictions each (predictions that "
      "are equal share a bin). Even a calibrated forecaster's curve strays from the diagonal. If "
      "each label were drawn with the probability that was predicted for it, the whole curve would "
      "lie inside the band in {1:.0f} of 100 runs (simultaneous over all bins, computed exactly; "
      "after Bröcker & Smith, 2007). A run is inside if none of its bins is outside. The "
      "calibration error is the mean distance from the diagonal; for a calibrated forecaster it is "
      "above 0, too, the more so the fewer predictions there are.",
      kConsistencyBins, 100 * kBandLevel));
  page.table(table, "Runs whose curve is inside the band, and the mean calibration error.");
  if (!with_figures) return;
  std::vector<report::Figure> list;
  for (const PaperFigure& figure : consistency_figures(results)) {
    list.push_back({figure.chart, figure.caption});
  }
  add_in_pairs(page, list);
}

void add_figures(Page& page, const std::vector<PaperFigure>& list) {
  if (list.empty()) return;
  page.section("Figures");
  const std::map<int, std::string> titles{
      {1, "The paper's figure 1: scores are not probabilities"},
      {2, "The paper's figure 2: some calibration is better than none"},
      {3, "The paper's figure 3: log-loss over time, Naive Bayes"},
      {4, "The paper's figure 4: log-loss over time, logistic regression"},
      {5, "The paper's figure 5: log-loss over time on streams that change"},
      {0, "What each policy did"}};
  for (const int number : {1, 2, 3, 4, 5, 0}) {
    std::vector<report::Figure> group;
    for (const PaperFigure& figure : list) {
      if (figure.number == number) group.push_back({figure.chart, figure.caption});
    }
    if (group.empty()) continue;
    page.subsection(titles.at(number));
    add_in_pairs(page, group);
  }
  page.text("Bands are 95 % intervals of the mean over the runs.");
}

}  // namespace

void add_origin(Page& page, const RunMetadata& facts) {
  page.section("How this page was made");
  page.code(facts.command);
  page.text(fmt::format("plumbline {} ({}), preset {}, {:.0f} seconds on {} threads{}.", kVersion,
                        facts.commit, facts.preset, facts.seconds, facts.threads,
                        facts.resumed ? ", since --resume" : ""));
}

std::string report_html(const Results& results, const RunMetadata& facts, bool with_figures) {
  Page page("The paper, reproduced",
            "Better Boosting with Bandits for Online Learning, beside its published numbers");
  add_introduction(page, results, facts);
  const bool whole = results.front().best_fixed() != nullptr;
  if (whole) {
    page.section("What the paper claims");
    page.text(
        "Each claim, counted in the rows of the published tables and in ours. It holds "
        "significantly where the 95 % intervals do not overlap.");
    page.table(claims_table(results));
  }
  page.section("Ours over theirs");
  page.text(
      "The ratio of our log-loss to the published one. Blue is lower than published, orange is "
      "higher, white is the same; full colour is a factor of 2." +
      std::string(whole ? "" : " The published number is the lowest of the row's nine."));
  page.table(ratio_table(results));
  if (whole) {
    page.subsection("Distance from the published numbers");
    page.table(distance_table(results));
  }
  page.section("Tables");
  for (const Table* table : tables_in(results)) {
    page.subsection(table_title(*table));
    page.table(losses_table(results, *table),
               fmt::format("{}. Ours, and below it the published numbers; the lowest of a row in "
                           "bold; N is that of the fixed policy.",
                           table->name));
  }
  add_consistency(page, results, with_figures);
  if (with_figures) add_figures(page, figures(results));
  add_origin(page, facts);
  return page.html();
}

std::string study_html(const Study& study, const RunMetadata& facts) {
  Page page("Which reading of the paper fits its numbers?",
            "Mean |ln(ours/published)| of each reading, on the data sets of the search and on the "
            "others");
  page.tiles({{"literal reading", fixed_text(study.literal.search, 3),
               fmt::format("{:.3f} on the others", study.literal.check)},
              {"preset paper", fixed_text(study.paper.search, 3),
               fmt::format("{:.3f} on the others", study.paper.check)},
              {"found by this search", fixed_text(study.best.search, 3),
               fmt::format("{:.3f} on the others", study.best.check)}});
  report::Table table{.columns = {{"open point", Align::left},
                                  {"reading", Align::left},
                                  {"search"},
                                  {"others"},
                                  {"greedy calibrates"},
                                  {"bandits/best fixed"},
                                  {"found", Align::center},
                                  {"preset", Align::center}}};
  const Choices preset = paper_choices();
  for (std::size_t p = 0; p < open_points().size(); ++p) {
    const OpenPoint& point = open_points()[p];
    for (std::size_t c = 0; c < point.choices.size(); ++c) {
      const Study::Measured& measured = study.one_by_one[p][c];
      const auto relative = [](double value, double base) {
        return std::clamp(5 * (base - value) / base, -1.0, 1.0);
      };
      table.rows.push_back(
          {{c == 0 ? point.question : ""},
           {point.choices[c].text},
           {fixed_text(measured.search, 3), study.found[p] == c,
            relative(measured.search, study.best.search)},
           {fixed_text(measured.check, 3), false, relative(measured.check, study.best.check)},
           {fmt::format("{:.0f} %", 100 * measured.greedy_calibrates)},
           {fixed_text(measured.bandits_to_best, 3)},
           {study.found[p] == c ? "•" : ""},
           {preset[p] == c ? "•" : ""}});
    }
  }
  page.section("Each reading, the other points as found");
  page.table(table);
  add_origin(page, facts);
  return page.html();
}

}  // namespace plumbline::paper
