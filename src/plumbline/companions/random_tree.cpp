#include "plumbline/companions/random_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "plumbline/batch.h"
#include "plumbline/companions/packed_floats.h"
#include "plumbline/math/entropy.h"
#include "plumbline/math/portable_math.h"
#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kClassPrior = 0.5;     // added to the count of each class
constexpr double kShare = 1e-4;         // s
constexpr double kWeight = 0.5;         // a_v at first
constexpr std::size_t kRowsDrawn = 8;   // rows that a leaf draws its candidates from
constexpr std::size_t kSearched = 256;  // nodes that a search for a pair of children looks at
constexpr double kUseless = 0.55;       // a_v from which on the children of v may be taken
constexpr double kLeastGain = 1e-9;     // more than rounding errors

using TreeRates = RandomTree::Rates;

// n_v + K/2. `kClasses` is the number of classes if it is known to the compiler, otherwise 0.
template <std::size_t kClasses>
TreeRates denominators(const TreeRates* counts, std::size_t classes) {
  TreeRates sums{};
  for (std::size_t k = 0; k < (kClasses > 0 ? kClasses : classes); ++k) {
    for (std::size_t rate = 0; rate < RandomTree::kRates; ++rate) sums[rate] += counts[k][rate];
  }
  for (double& sum : sums) sum += kClassPrior * static_cast<double>(classes);
  return sums;
}

// p_vk
TreeRates shares(const TreeRates& counts, const TreeRates& denominator) {
  TreeRates shares;
  for (std::size_t rate = 0; rate < RandomTree::kRates; ++rate) {
    shares[rate] = (counts[rate] + kClassPrior) / denominator[rate];
  }
  return shares;
}

// m_v of a node from its own prediction and the mixture of its child
TreeRates mix(const TreeRates& child, const TreeRates& own, const TreeRates& weights) {
  TreeRates mixed;
  for (std::size_t rate = 0; rate < RandomTree::kRates; ++rate) {
    mixed[rate] = child[rate] + weights[rate] * (own[rate] - child[rate]);
  }
  return mixed;
}

// Adds 1 to the count of each candidate on whose left the row is. In two steps, the second of which is vectorized:
// branches could not be predicted.
void count_lefts(std::span<const float> row, std::span<const std::uint32_t> features,
                 const float* thresholds, float* lefts) {
  constexpr std::size_t kPart = 32;
  std::array<float, kPart> values;
  for (std::size_t from = 0; from < features.size(); from += kPart) {
    const std::size_t count = std::min(kPart, features.size() - from);
    for (std::size_t c = 0; c < count; ++c) values[c] = row[features[from + c]];
    for (std::size_t c = 0; c < count; ++c) {
      lefts[from + c] += values[c] <= thresholds[from + c] ? 1.0F : 0.0F;
    }
  }
}

std::size_t slots_of(std::size_t nodes) { return (nodes + 1) / 2; }

std::uint64_t pack(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}
std::uint32_t high_of(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }
std::uint32_t low_of(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }

}  // namespace

RandomTree::RandomTree(const Limits& limits, std::size_t classes, std::uint64_t seed,
                       std::uint32_t number)
    : limits_(limits), classes_(classes), seed_(seed), number_(number) {
  resize(1);
  state(0)->fill(kWeight);
}

void RandomTree::resize(std::size_t nodes) {
  // Reserved memory that is not used costs nothing, and learning allocates nothing.
  const std::size_t most = slots_of(limits_.nodes) * limits_.candidates;
  nodes_.reserve(limits_.nodes);
  states_.reserve(limits_.nodes * (classes_ + 1));
  drawn_.reserve(slots_of(limits_.nodes));
  features_.reserve(most);
  thresholds_.reserve(most);
  lefts_.reserve(most * classes_);
  totals_.reserve(slots_of(limits_.nodes) * classes_);

  nodes_.resize(nodes);
  states_.resize(nodes * (classes_ + 1));
  drawn_.resize(slots_of(nodes));
  features_.resize(slots_of(nodes) * limits_.candidates);
  thresholds_.resize(features_.size());
  lefts_.resize(features_.size() * classes_);
  totals_.resize(slots_of(nodes) * classes_);
}

void RandomTree::predict(const Path& path, std::span<Rates> mixed) const {
  for (std::size_t i = path.size; i-- > 0;) {
    const Rates* weights = state(path.nodes[i]);
    const Rates denominator = denominators<0>(weights + 1, classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      const Rates own = shares(weights[1 + k], denominator);
      mixed[k] = i == path.size - 1 ? own : mix(mixed[k], own, *weights);
    }
  }
}

RandomTree::Rates RandomTree::predict_two(const Path& path) const {
  Rates mixed{};
  for (std::size_t i = path.size; i-- > 0;) {
    const Rates* weights = state(path.nodes[i]);
    const Rates own = shares(weights[2], denominators<2>(weights + 1, 2));
    mixed = i == path.size - 1 ? own : mix(mixed, own, *weights);
  }
  return mixed;
}

std::uint32_t RandomTree::learn(const Row& row, const Path& path, std::size_t label) {
  classes_ == 2 ? count<2>(path, label) : count<0>(path, label);
  const std::uint32_t leaf = path.nodes[path.size - 1], slot = nodes_[leaf].slot;
  if (drawn_[slot] < limits_.candidates) {
    draw(slot, row);
    return 0;
  }

  float* totals = &totals_[slot * classes_];
  totals[label] += 1;
  const std::size_t first = slot * limits_.candidates;
  float* lefts = &lefts_[(slot * classes_ + label) * limits_.candidates];
  count_lefts(row.values, {&features_[first], limits_.candidates}, &thresholds_[first], lefts);
  float all = 0;
  for (std::size_t k = 0; k < classes_; ++k) all += totals[k];
  if (all < static_cast<float>(limits_.grace) || totals[label] == all) return 0;
  const std::size_t best = best_candidate(slot);
  if (best < limits_.candidates && path.size < kMaxDepth) return split(leaf, best);
  clear_slot(slot);
  return 0;
}

template <std::size_t kClasses>
void RandomTree::count(const Path& path, std::size_t label) {
  Rates mixed{};
  for (std::size_t i = path.size; i-- > 0;) {
    Rates* weights = state(path.nodes[i]);
    Rates* counts = weights + 1;
    const Rates own = shares(counts[label], denominators<kClasses>(counts, classes_));
    if (i == path.size - 1) {
      mixed = own;
    } else {
      const Rates both = mix(mixed, own, *weights);
      for (std::size_t rate = 0; rate < kRates; ++rate) {
        double& weight = (*weights)[rate];
        weight = (1 - kShare) * (weight * own[rate] / both[rate]) + kShare / 2;
      }
      mixed = both;
    }
    for (std::size_t k = 0; k < (kClasses > 0 ? kClasses : classes_); ++k) {
      const double added = k == label ? 1 : 0;
      for (std::size_t rate = 0; rate < kRates; ++rate) {
        counts[k][rate] = counts[k][rate] * kFadings[rate] + added;
      }
    }
  }
}

void RandomTree::draw(std::uint32_t slot, const Row& row) {
  if (row.drawable.empty()) return;
  Rng rng(seed_, kForestStream + number_, draws_++);
  const std::size_t each = (limits_.candidates + kRowsDrawn - 1) / kRowsDrawn;
  const std::size_t end = std::min<std::size_t>(drawn_[slot] + each, limits_.candidates);
  for (; drawn_[slot] < end; ++drawn_[slot]) {
    const std::uint32_t feature = row.drawable[rng.below(row.drawable.size())];
    const float value = row.values[feature];
    // The value itself belongs to the left, or to the right if nothing would be there.
    const bool to_the_right =
        value == row.largest[feature] || (value != row.smallest[feature] && rng.below(2) == 1);
    const std::size_t at = slot * limits_.candidates + drawn_[slot];
    features_[at] = feature;
    thresholds_[at] =
        to_the_right ? std::nextafter(value, std::numeric_limits<float>::lowest()) : value;
  }
}

std::size_t RandomTree::best_candidate(std::uint32_t slot) const {
  const float* totals = &totals_[slot * classes_];
  double all = 0, sum = 0;
  for (std::size_t k = 0; k < classes_; ++k) {
    all += totals[k];
    sum += x_log_x(totals[k]);
  }
  const double before = x_log_x(all) - sum;
  std::size_t best = limits_.candidates;
  double largest = kLeastGain;
  for (std::size_t c = 0; c < limits_.candidates; ++c) {
    double on_left = 0, pure = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double left = lefts_[(slot * classes_ + k) * limits_.candidates + c];
      on_left += left;
      pure += x_log_x(left) + x_log_x(totals[k] - left);
    }
    const double gain = before - (x_log_x(on_left) + x_log_x(all - on_left) - pure);
    if (on_left < 1 || all - on_left < 1 || gain <= largest) continue;
    largest = gain;
    best = c;
  }
  return best;
}

std::uint32_t RandomTree::split(std::uint32_t leaf, std::size_t candidate) {
  const std::uint32_t slot = nodes_[leaf].slot;
  const Room room = make_room(leaf);
  if (room.child == 0) {
    clear_slot(slot);
    return 0;
  }
  const std::size_t at = slot * limits_.candidates + candidate;
  nodes_[leaf] = {thresholds_[at], features_[at], room.child, 0};
  start_child(room.child, slot, candidate, /*left=*/true);
  start_child(room.child + 1, slot, candidate, /*left=*/false);
  state(leaf)->fill(kWeight);
  nodes_[room.child].slot = slot;
  nodes_[room.child + 1].slot = room.slot;
  clear_slot(slot);
  clear_slot(room.slot);
  return room.child;
}

// A child starts with the rows that the candidate counted; if they fade, with as many as there can be.
void RandomTree::start_child(std::uint32_t node, std::uint32_t slot, std::size_t candidate,
                             bool left) {
  nodes_[node] = {};
  const auto count_of = [&](std::size_t k) -> double {
    const float lefts = lefts_[(slot * classes_ + k) * limits_.candidates + candidate];
    return left ? lefts : totals_[slot * classes_ + k] - lefts;
  };
  double all = 0;
  for (std::size_t k = 0; k < classes_; ++k) all += count_of(k);
  Rates* weights = state(node);
  weights->fill(kWeight);
  for (std::size_t rate = 0; rate < kRates; ++rate) {
    const double most = kFadings[rate] < 1 ? 1 / (1 - kFadings[rate]) : all;
    for (std::size_t k = 0; k < classes_; ++k) {
      weights[1 + k][rate] = count_of(k) * std::min(1.0, most / all);
    }
  }
}

RandomTree::Room RandomTree::make_room(std::uint32_t leaf) {
  const std::size_t size = nodes_.size();
  if (size + 2 <= limits_.nodes) {
    resize(size + 2);
    return {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(slots_of(size))};
  }
  for (std::size_t i = 0; i < kSearched; ++i) {
    hand_ = (hand_ + 1) % size;
    Node& node = nodes_[hand_];
    const std::uint32_t child = node.child;
    if (child == 0 || nodes_[child].child != 0 || nodes_[child + 1].child != 0 || child == leaf ||
        child + 1 == leaf || state(static_cast<std::uint32_t>(hand_))->front() < kUseless) {
      continue;
    }
    node = {.slot = nodes_[child].slot};
    clear_slot(node.slot);
    return {child, nodes_[child + 1].slot};
  }
  return {};
}

void RandomTree::clear_slot(std::uint32_t slot) {
  drawn_[slot] = 0;
  std::fill_n(&totals_[slot * classes_], classes_, 0.0F);
  std::fill_n(&lefts_[slot * classes_ * limits_.candidates], classes_ * limits_.candidates, 0.0F);
}

void RandomTree::add_class() {
  const RandomTree old = *this;
  ++classes_;
  const std::size_t size = old.classes_;
  states_.clear();
  lefts_.clear();
  totals_.clear();
  resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    std::copy_n(&old.states_[n * (size + 1)], size + 1, &states_[n * (classes_ + 1)]);
  }
  for (std::size_t slot = 0; slot < drawn_.size(); ++slot) {
    std::copy_n(old.totals_.begin() + static_cast<std::ptrdiff_t>(slot * size), size,
                totals_.begin() + static_cast<std::ptrdiff_t>(slot * classes_));
    const std::size_t room = limits_.candidates;
    std::copy_n(old.lefts_.begin() + static_cast<std::ptrdiff_t>(slot * size * room), size * room,
                lefts_.begin() + static_cast<std::ptrdiff_t>(slot * classes_ * room));
  }
}

void RandomTree::archive(Archive& archive, std::size_t features) {
  std::uint64_t count = nodes_.size();
  archive.value("nodes", count);
  archive.value("draws", draws_);
  archive.value("hand", hand_);
  if (archive.loading()) {
    if (count % 2 == 0 || count > limits_.nodes) archive.refuse("nodes", "is impossible");
    resize(count);
  }
  // Pairs of 32 bits in one number keep files small.
  std::vector<std::uint64_t> splits, places, candidates, drawn(drawn_.begin(), drawn_.end());
  for (const Node& node : nodes_) {
    splits.push_back(pack(node.feature, std::bit_cast<std::uint32_t>(node.threshold)));
    places.push_back(pack(node.child, node.slot));
  }
  for (std::size_t i = 0; i < features_.size(); ++i) {
    candidates.push_back(pack(features_[i], std::bit_cast<std::uint32_t>(thresholds_[i])));
  }
  std::vector<double> totals(totals_.begin(), totals_.end());
  archive.values("splits", splits);
  archive.values("places", places);
  archive_states(archive);
  archive.values("drawn", drawn);
  archive.values("candidates", candidates);
  archive_packed(archive, "lefts", lefts_);
  archive.values("totals", totals);
  if (!archive.loading()) return;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n] = {std::bit_cast<float>(low_of(splits[n])), high_of(splits[n]), high_of(places[n]),
                 low_of(places[n])};
  }
  for (std::size_t i = 0; i < features_.size(); ++i) {
    features_[i] = high_of(candidates[i]);
    thresholds_[i] = std::bit_cast<float>(low_of(candidates[i]));
  }
  std::ranges::transform(drawn, drawn_.begin(), low_of);
  std::ranges::transform(totals, totals_.begin(),
                         [](double total) { return static_cast<float>(total); });
  check(archive, features);
}

// In the file, the states of a node are those of one rate after those of the other, without rates that are not used.
void RandomTree::archive_states(Archive& archive) {
  const std::size_t each = classes_ + 1, rates = limits_.rates;
  std::vector<double> states(states_.size() * rates);
  const auto in_file = [&](std::size_t i, std::size_t rate) -> double& {
    return states[(i / each * rates + rate) * each + i % each];
  };
  for (std::size_t i = 0; i < states_.size(); ++i) {
    for (std::size_t rate = 0; rate < rates; ++rate) in_file(i, rate) = states_[i][rate];
  }
  archive.values("states", states);
  for (std::size_t i = 0; archive.loading() && i < states_.size(); ++i) {
    for (std::size_t rate = 0; rate < rates; ++rate) states_[i][rate] = in_file(i, rate);
  }
}

void RandomTree::check(Archive& archive, std::size_t features) const {
  if (hand_ >= nodes_.size()) archive.refuse("hand", "is not a node");
  // Every node and every slot must be reached exactly once from the root.
  std::vector<bool> used(drawn_.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 1}};
  std::size_t reached = 0;
  while (!open.empty()) {
    const auto [at, depth] = open.back();
    open.pop_back();
    const Node& node = nodes_[at];
    if (++reached > nodes_.size() || depth > kMaxDepth) archive.refuse("places", "are not a tree");
    // Leaves name a feature, too: it is read and not used.
    if (node.feature >= std::max<std::size_t>(features, 1) || !std::isfinite(node.threshold)) {
      archive.refuse("splits", "are not of the features");
    }
    if (node.child == 0) {
      if (node.slot >= used.size() || used[node.slot]) archive.refuse("places", "share a slot");
      used[node.slot] = true;
      continue;
    }
    if (node.child % 2 == 0 || node.child >= nodes_.size()) {
      archive.refuse("places", "are not a tree");
    }
    open.push_back({node.child, depth + 1});
    open.push_back({node.child + 1, depth + 1});
  }
  if (reached != nodes_.size()) archive.refuse("places", "are not a tree");
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (std::size_t k = 0; k <= classes_; ++k) {
      archive.require_within("states",
                             std::span(states_[n * (classes_ + 1) + k]).first(limits_.rates), 0,
                             k == 0 ? 1 : kMaxState);
    }
  }
  const auto is_count = [](float value) { return value >= 0 && std::isfinite(value); };
  for (std::size_t slot = 0; slot < drawn_.size(); ++slot) {
    if (drawn_[slot] > limits_.candidates) archive.refuse("drawn", "is more than there are");
    for (std::size_t c = 0; c < drawn_[slot]; ++c) {
      const std::size_t at = slot * limits_.candidates + c;
      if (features_[at] >= features || !std::isfinite(thresholds_[at])) {
        archive.refuse("candidates", "are not of the features");
      }
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      const float total = totals_[slot * classes_ + k];
      if (!is_count(total)) archive.refuse("totals", "are not counts");
      for (std::size_t c = 0; c < limits_.candidates; ++c) {
        const float left = lefts_[(slot * classes_ + k) * limits_.candidates + c];
        if (!is_count(left) || left > total) archive.refuse("lefts", "are not counts");
      }
    }
  }
}

}  // namespace plumbline::inline v0
