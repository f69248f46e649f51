#include "plumbline/calibrators/isotonic.h"

#include <algorithm>

#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {
namespace {

// Cells with a smaller weight are dropped.
constexpr double kNegligible = 1e-9;
// More examples than any stream has.
constexpr double kMaxPoolWeight = 1e18;

}  // namespace

void Isotonic::Params::visit(OptionVisitor& visitor) {
  visitor.integer("cells", cells, Range::closed(2, 1000), "number of cells of the summary");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.real("prior", prior, Range::closed(0.001, 1e6),
               "weight of an artificial positive below every score, and of a negative above");
}

Isotonic::Isotonic(const Params& params) : params_(params) {
  const auto most = static_cast<std::size_t>(params.cells) + 1;  // one more before merging
  cells_.reserve(most);
  fit_.reserve(most);
  blocks_.reserve(most + 2);
}

void Isotonic::discount() {
  for (Cell& cell : cells_) {
    cell.weight *= params_.forgetting;
    cell.positive *= params_.forgetting;
  }
  std::erase_if(cells_, [](const Cell& cell) { return cell.weight < kNegligible; });
}

void Isotonic::add(double logit, Label label) {
  discount();
  auto at = std::ranges::lower_bound(cells_, logit, {}, &Cell::logit);
  if (at == cells_.end() || at->logit != logit) at = cells_.insert(at, {.logit = logit});
  at->weight += 1;
  at->positive += label;
  if (cells_.size() > static_cast<std::size_t>(params_.cells)) merge_lightest();
}

void Isotonic::merge_lightest() {
  std::size_t lightest = 0;
  double least = cells_[0].weight + cells_[1].weight;
  for (std::size_t i = 1; i + 1 < cells_.size(); ++i) {
    const double both = cells_[i].weight + cells_[i + 1].weight;
    if (both < least) {
      least = both;
      lightest = i;
    }
  }
  Cell& left = cells_[lightest];
  const Cell& right = cells_[lightest + 1];
  const double logit = left.logit + (right.logit - left.logit) * (right.weight / least);
  left = {std::clamp(logit, left.logit, right.logit), least, left.positive + right.positive};
  cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(lightest) + 1);
}

void Isotonic::fit() {
  blocks_.clear();
  const auto push = [&](Block block) {
    while (!blocks_.empty() && blocks_.back().rate() >= block.rate()) {
      const Block& last = blocks_.back();
      block = {last.weight + block.weight, last.positive + block.positive,
               last.cells + block.cells};
      blocks_.pop_back();
    }
    blocks_.push_back(block);
  };
  push({params_.prior, params_.prior, 0});
  for (const Cell& cell : cells_) push({cell.weight, cell.positive, 1});
  push({params_.prior, 0, 0});
  fit_.clear();
  for (const Block& block : blocks_) fit_.insert(fit_.end(), block.cells, block.rate());
}

void Isotonic::calibrate(const Scores& scores, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) add(scores.logit(0, i), labels[i]);
  fit();
}

double Isotonic::probability(double logit) const {
  const auto right = std::ranges::lower_bound(cells_, logit, {}, &Cell::logit);
  if (right == cells_.begin()) return fit_.front();
  if (right == cells_.end()) return fit_.back();
  const auto left = right - 1;
  const double share = (logit - left->logit) / (right->logit - left->logit);
  const double low = fit_[static_cast<std::size_t>(left - cells_.begin())];
  const double high = fit_[static_cast<std::size_t>(right - cells_.begin())];
  return std::clamp(low + share * (high - low), low, high);
}

void Isotonic::apply(const Scores& scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    probabilities[i] = cells_.empty() ? scores.column(0)[i] : probability(scores.logit(0, i));
  }
}

void Isotonic::archive(Archive& archive) {
  // Three rows of the full length, so that the state has a fixed size; unused cells have weight 0.
  const auto most = static_cast<std::size_t>(params_.cells);
  std::vector<double> logits(most), weights(most), positives(most);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    logits[i] = cells_[i].logit;
    weights[i] = cells_[i].weight;
    positives[i] = cells_[i].positive;
  }
  archive.values("logits", logits);
  archive.values("weights", weights);
  archive.values("positives", positives);
  if (!archive.loading()) return;
  archive.require_within("logits", logits, score_logit(0), score_logit(1));
  archive.require_within("weights", weights, 0, kMaxPoolWeight);
  const auto used = static_cast<std::size_t>(std::ranges::find(weights, 0.0) - weights.begin());
  cells_.clear();
  for (std::size_t i = 0; i < most; ++i) {
    archive.require_within("positives", {&positives[i], 1}, 0, weights[i]);
    if (i >= used) {
      if (weights[i] != 0 || logits[i] != 0) archive.refuse("weights", "has a gap");
      continue;
    }
    if (weights[i] < kNegligible) archive.refuse("weights", "has a cell of negligible weight");
    if (i > 0 && logits[i] <= logits[i - 1]) archive.refuse("logits", "is not in order");
    cells_.push_back({logits[i], weights[i], positives[i]});
  }
  fit();
}

}  // namespace plumbline::inline v0
