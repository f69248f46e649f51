#include "paper/summary.h"

#include <fmt/format.h>

#include "paper/claims.h"
#include "paper/preset_comparison.h"

namespace plumbline::paper {
namespace {

constexpr int kColumnWidth = 9;

std::string short_title(const std::string& column) {
  if (column == "uncalibrated") return "uncal.";
  if (column == "best_fixed") return "best fix";
  if (column == "worst_fixed") return "worst fix";
  if (column == "ucb1_improved") return "UCB1-imp";
  if (column == "ucb1") return "UCB1";
  if (column == "gts") return "Thompson";
  if (column == "discounted_ucb1") return "d-UCB1";
  if (column == "discounted_ucb1_improved") return "d-UCB1-i";
  if (column == "discounted_gts") return "d-Thomps";
  return column;
}

std::string tables_text(const Results& results) {
  std::string text;
  const Table* table = nullptr;
  for (const ResultRow& row : results) {
    std::vector<std::string> columns = columns_of(row);
    std::erase_if(columns, [](const auto& name) { return fixed_every(name).has_value(); });
    if (row.table != table) {
      text += table == nullptr ? "" : "\n";
      table = row.table;
      text += fmt::format("{}: {}, {} learners; ours, and below it the published\n{:<12}",
                          table->name, table->title, table->size, "");
      for (const std::string& name : columns) {
        text += fmt::format(" {:>{}}", short_title(name), kColumnWidth);
      }
      text += "\n";
    }
    std::string ours = fmt::format("{:<12}", row.data_set), theirs = fmt::format("{:<12}", "");
    for (const std::string& name : columns) {
      ours += fmt::format(" {:>{}.3f}", row.column(name)->log_loss().mean, kColumnWidth);
      const auto published = published_beside(row, name);
      theirs += published ? fmt::format(" {:>{}.3f}", published->log_loss, kColumnWidth)
                          : std::string(kColumnWidth + 1, ' ');
    }
    text += ours + "\n" + theirs + "\n";
  }
  return text;
}

std::string claims_text(const Results& results) {
  std::string text =
      fmt::format("\n{:<58} {:>11} {:>11}\n", "claim: rows where it holds", "published", "ours");
  for (const Claim& claim : claims(results)) {
    const std::string theirs =
        claim.theirs ? fmt::format("{} of {}", claim.theirs->holds, claim.theirs->rows) : "-";
    text += fmt::format("{:<58} {:>11} {:>11}\n", claim.text, theirs,
                        fmt::format("{} of {}", claim.ours.holds, claim.ours.rows));
  }
  const Distance all = distance(results, [](const auto&, const auto&) { return true; });
  return text + fmt::format("\nmean |ln(ours/published)| over {} numbers: {:.3f}\n", all.count,
                            all.mean());
}

std::string preset_text(const Results& results) {
  std::string text =
      fmt::format("\n{:<28} {:>8} {:>9}  {:<16} {:>11} {:>15}\n", "beside the paper's best",
                  "at most", "geo. mean", "worst", "runs inside", "9 of 10 inside");
  for (const PresetComparison& one : preset_comparisons(results)) {
    text += fmt::format("{:<28} {:>8} {:>9.3f}  {:<16} {:>11} {:>15}\n", one.name,
                        fmt::format("{} of {}", one.at_most, one.rows), one.ratio(),
                        fmt::format("{:.2f} {}", one.worst, one.worst_row),
                        fmt::format("{} of {}", one.inside, one.runs),
                        fmt::format("{} of {}", one.mostly_inside, one.rows));
  }
  return text;
}

}  // namespace

std::string summary_text(const Results& results) {
  std::string text = tables_text(results);
  if (results.front().best_fixed() != nullptr) text += claims_text(results);
  if (results.front().cells.front().has_last_half()) text += preset_text(results);
  return text;
}

}  // namespace plumbline::paper
