#include "plumbline/companions/forest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plumbline/companions/to_float.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kTreesTogether = 8;  // trees
constexpr RandomTree::Rates kOnes = [] {
  RandomTree::Rates ones{};
  ones.fill(1);
  return ones;
}();

// The log-odds of each class, from the logarithms of numbers proportional to the probabilities.
void to_log_odds(std::span<double> logs) {
  const double largest = *std::ranges::max_element(logs);
  double sum = 0;
  for (double& value : logs) {
    value = portable_exp(std::max(value - largest, -50.0));
    sum += value;
  }
  for (double& value : logs) {
    value = portable_log(value) - portable_log(std::max(sum - value, 1e-20));
  }
}

}  // namespace

void Forest::Params::visit(OptionVisitor& visitor) {
  visitor.integer("trees", trees, Range::closed(1, 1000), "number of trees");
  visitor.integer("nodes", nodes, Range::closed(3, 65535), "largest number of nodes of a tree");
  visitor.integer("grace", grace, Range::closed(2, 1000000),
                  "number of rows that a leaf counts before it splits");
  visitor.integer("candidates", candidates, Range::closed(1, 1000),
                  "number of random splits from which a leaf chooses");
  visitor.integer(
      "rates", rates, Range::closed(RandomTree::kFewestRates, RandomTree::kRates),
      "scores from counts of which a node keeps the shares 1, 0.8 and 0.98 with each row");
  visitor.flag("refine", refine, "a further score, from learned weights of the nodes of all trees");
}

std::size_t Forest::columns_of(const Spec& spec) {
  const auto params = read_params<Params>(spec, "companion 'forest'");
  return static_cast<std::size_t>(params.rates) + (params.refine ? 1 : 0);
}

Forest::Forest(const Params& params, const CompanionUse& use)
    : features_(use.features.count),
      several_(use.several_classes),
      classes_(use.several_classes ? 0 : 2),
      rates_(static_cast<std::size_t>(params.rates)),
      smallest_(features_),
      largest_(features_),
      varied_(features_),
      row_(std::max<std::size_t>(features_, 1)) {
  const RandomTree::Limits limits{
      .nodes = static_cast<std::size_t>(params.nodes + params.nodes % 2 - 1),
      .grace = static_cast<std::size_t>(params.grace),
      .candidates = static_cast<std::size_t>(params.candidates),
      .rates = rates_};
  for (std::uint32_t t = 0; t < params.trees; ++t) {
    trees_.emplace_back(limits, classes_, use.seed, t);
    if (params.refine) weights_.emplace_back(limits.nodes, outputs_of(several_, classes_));
  }
  drawable_.reserve(features_);
}

void Forest::read_row(const Batch& batch, std::size_t i, std::vector<float>& row) const {
  if (batch.sparse()) {
    for (const auto& [feature, value] : batch.sparse_row(i)) row[feature] = to_float(value);
  } else {
    std::ranges::transform(batch.row(i), row.begin(), to_float);
  }
}

void Forest::clear_row(const Batch& batch, std::size_t i, std::vector<float>& row) {
  if (!batch.sparse()) return;
  for (const auto& [feature, value] : batch.sparse_row(i)) row[feature] = 0;
}

void Forest::observe_value(std::size_t feature) {
  const float value = row_[feature];
  smallest_[feature] = std::min(smallest_[feature], value);
  largest_[feature] = std::max(largest_[feature], value);
  if (value != 0 && value != 1) varied_[feature] = 1;
  if (value != 0 || varied_[feature] == 1) {
    drawable_.push_back(static_cast<std::uint32_t>(feature));
  }
}

void Forest::observe(const Batch& batch, std::size_t i) {
  drawable_.clear();
  if (batch.sparse()) {
    for (const auto& [feature, value] : batch.sparse_row(i)) observe_value(feature);
    return;
  }
  if (rows_ == 0) smallest_ = largest_ = row_;
  for (std::size_t feature = 0; feature < features_; ++feature) observe_value(feature);
}

void Forest::learn(const Examples& examples) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    read_row(examples.x, i, row_);
    observe(examples.x, i);
    ++rows_;
    find_paths(row_, paths_);
    if (!weights_.empty()) learn_weights(examples.y[i]);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const std::uint32_t left =
          trees_[t].learn({row_, drawable_, smallest_, largest_}, paths_[t], examples.y[i]);
      if (left != 0 && !weights_.empty()) weights_[t].start_pair(left);
    }
    clear_row(examples.x, i, row_);
  }
}

void Forest::learn_weights(Label label) {
  const std::size_t outputs = outputs_of(several_, classes_);
  sums_.assign(outputs, {});
  points_.resize(outputs);
  for (std::size_t t = 0; t < trees_.size(); ++t) weights_[t].begin_step(paths_[t], sums_);
  for (std::size_t k = 0; k < outputs; ++k) {
    const Label y = several_ ? label == k : label;
    points_[k] = logistic_point(implicit_margin(sums_[k].margin, sums_[k].variance, y), y);
  }
  for (std::size_t t = 0; t < trees_.size(); ++t) weights_[t].end_step(paths_[t], points_);
}

// Several trees take turns, so that their memory accesses overlap.
void Forest::find_paths(std::span<const float> row, std::vector<RandomTree::Path>& paths) const {
  paths.resize(trees_.size());
  for (std::size_t from = 0; from < trees_.size(); from += kTreesTogether) {
    const std::size_t to = std::min(from + kTreesTogether, trees_.size());
    for (std::size_t t = from; t < to; ++t) RandomTree::start(paths[t]);
    for (bool open = true; open;) {
      open = false;
      for (std::size_t t = from; t < to; ++t) open |= trees_[t].descend(row, paths[t]);
    }
  }
}

// Products of a few probabilities or odds neither overflow nor underflow, and need one logarithm.
void Forest::add_logs(std::span<const RandomTree::Path> paths, std::span<double> sums) const {
  const std::size_t outputs = outputs_of(several_, classes_);
  thread_local std::vector<RandomTree::Rates> mixed, products;
  mixed.resize(outputs);
  for (std::size_t from = 0; from < trees_.size(); from += kTreesTogether) {
    products.assign(outputs, kOnes);
    const std::size_t to = std::min(from + kTreesTogether, trees_.size());
    for (std::size_t t = from; t < to; ++t) {
      if (several_) {
        trees_[t].predict(paths[t], mixed);
      } else {
        mixed[0] = trees_[t].predict_two(paths[t]);
        for (double& p : mixed[0]) p /= 1 - p;
      }
      for (std::size_t k = 0; k < outputs; ++k) {
        for (std::size_t rate = 0; rate < rates_; ++rate) products[k][rate] *= mixed[k][rate];
      }
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      for (std::size_t rate = 0; rate < rates_; ++rate) {
        sums[rate * outputs + k] += portable_log(products[k][rate]);
      }
    }
  }
}

void Forest::margins(const Batch& batch, std::size_t, std::span<double> margins) const {
  const std::size_t outputs = outputs_of(several_, classes_);
  // Several threads may predict at once; each keeps its scratch. That of sparse rows has zeros only between calls, so that
  // a row costs what its own features cost.
  thread_local std::vector<float> of_dense, of_sparse;
  thread_local std::vector<RandomTree::Path> paths;
  thread_local std::vector<double> sums;
  std::vector<float>& row = batch.sparse() ? of_sparse : of_dense;
  row.resize(std::max(row.size(), row_.size()));
  for (std::size_t i = 0; i < batch.rows; ++i) {
    read_row(batch, i, row);
    find_paths(row, paths);
    sums.assign((rates_ + (weights_.empty() ? 0 : 1)) * outputs, 0);
    const std::span<double> of_rates = std::span(sums).first(rates_ * outputs);
    add_logs(paths, of_rates);
    for (double& sum : of_rates) sum /= static_cast<double>(trees_.size());
    for (std::size_t rate = 0; several_ && rate < rates_; ++rate) {
      to_log_odds(of_rates.subspan(rate * outputs, outputs));
    }
    for (std::size_t t = 0; t < weights_.size(); ++t) {
      weights_[t].add_margins(paths[t], std::span(sums).subspan(of_rates.size()));
    }
    for (std::size_t c = 0; c < sums.size(); ++c) margins[c * batch.rows + i] = sums[c];
    clear_row(batch, i, row);
  }
}

void Forest::grow(std::size_t features) {
  features_ = features;
  smallest_.resize(features);
  largest_.resize(features);
  varied_.resize(features);
  row_.resize(std::max<std::size_t>(features, 1));
  drawable_.reserve(features);
}

void Forest::add_class() {
  ++classes_;
  for (RandomTree& tree : trees_) tree.add_class();
  for (NodeWeights& weights : weights_) weights.add_output();
}

void Forest::archive(Archive& archive) {
  std::vector<double> smallest(smallest_.begin(), smallest_.end());
  std::vector<double> largest(largest_.begin(), largest_.end());
  std::vector<std::uint64_t> varied(varied_.begin(), varied_.end());
  archive.value("rows", rows_);
  archive.values("smallest", smallest);
  archive.values("largest", largest);
  archive.values("varied", varied);
  if (archive.loading()) {
    for (std::size_t j = 0; j < features_; ++j) {
      smallest_[j] = to_float(smallest[j]);
      largest_[j] = to_float(largest[j]);
      if (varied[j] > 1) archive.refuse("varied", "is neither 0 nor 1");
      if (smallest[j] > largest[j]) archive.refuse("smallest", "is above the largest value");
      varied_[j] = static_cast<std::uint8_t>(varied[j]);
    }
  }
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    archive.scope("tree" + std::to_string(t + 1), [&](Archive& inner) {
      trees_[t].archive(inner, features_);
      if (!weights_.empty()) weights_[t].archive(inner, trees_[t].size());
    });
  }
}

}  // namespace plumbline::inline v0
