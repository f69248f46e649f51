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
  for (std::size_t rate = 0; rate < kRates; ++rate) *state(0, rate) = kWeight;
}

void RandomTree::resize(std::size_t nodes) {
  // Reserved memory that is not used costs nothing, and learning allocates nothing.
  const std::size_t most = slots_of(limits_.nodes) * limits_.candidates;
  nodes_.reserve(limits_.nodes);
  states_.reserve(limits_.nodes * kRates * (classes_ + 1));
  drawn_.reserve(slots_of(limits_.nodes));
  features_.reserve(most);
  thresholds_.reserve(most);
  lefts_.reserve(most * classes_);
  totals_.reserve(slots_of(limits_.nodes) * classes_);

  nodes_.resize(nodes);
  states_.resize(nodes * kRates * (classes_ + 1));
  drawn_.resize(slots_of(nodes));
  features_.resize(slots_of(nodes) * limits_.candidates);
  thresholds_.resize(features_.size());
  lefts_.resize(features_.size() * classes_);
  totals_.resize(slots_of(nodes) * classes_);
}

double RandomTree::probability(const double* counts, std::size_t k) const {
  double total = 0;
  for (std::size_t c = 0; c < classes_; ++c) total += counts[c];
  return (counts[k] + kClassPrior) / (total + kClassPrior * static_cast<double>(classes_));
}

RandomTree::Path RandomTree::path_of(std::span<const float> row) const {
  Path path;
  for (std::uint32_t v = 0;;) {
    path.nodes[path.size++] = v;
    const Node& node = nodes_[v];
    if (node.child == 0) return path;
    v = node.child + (row[node.feature] <= node.threshold ? 0 : 1);
  }
}

template <bool kTwo>
void RandomTree::add_margins(std::span<const float> row, std::span<double> sums) const {
  const Path path = path_of(row);
  const std::size_t first = kTwo ? 1 : 0, count = kTwo ? 1 : classes_;
  for (std::size_t rate = 0; rate < kRates; ++rate) {
    for (std::size_t k = 0; k < count; ++k) {
      double mixed = probability(state(path.nodes[path.size - 1], rate) + 1, first + k);
      for (std::size_t i = path.size - 1; i-- > 0;) {
        const double* weight = state(path.nodes[i], rate);
        mixed += *weight * (probability(weight + 1, first + k) - mixed);
      }
      sums[rate * count + k] += portable_log(kTwo ? mixed / (1 - mixed) : mixed);
    }
  }
}

template void RandomTree::add_margins<true>(std::span<const float>, std::span<double>) const;
template void RandomTree::add_margins<false>(std::span<const float>, std::span<double>) const;

void RandomTree::learn(const Row& row, std::size_t label) {
  const Path path = path_of(row.values);
  count(path, label);
  const std::uint32_t leaf = path.nodes[path.size - 1], slot = nodes_[leaf].slot;
  if (drawn_[slot] < limits_.candidates) return draw(slot, row);

  float* totals = &totals_[slot * classes_];
  totals[label] += 1;
  const std::size_t first = slot * limits_.candidates;
  float* lefts = &lefts_[(slot * classes_ + label) * limits_.candidates];
  for (std::size_t c = 0; c < limits_.candidates; ++c) {
    lefts[c] += row.values[features_[first + c]] <= thresholds_[first + c] ? 1.0F : 0.0F;
  }
  float all = 0;
  for (std::size_t k = 0; k < classes_; ++k) all += totals[k];
  if (all < static_cast<float>(limits_.grace) || totals[label] == all) return;
  const std::size_t best = best_candidate(slot);
  best < limits_.candidates&& path.size < kMaxDepth ? split(leaf, best) : clear_slot(slot);
}

void RandomTree::count(const Path& path, std::size_t label) {
  for (std::size_t rate = 0; rate < kRates; ++rate) {
    double mixed = 0;
    for (std::size_t i = path.size; i-- > 0;) {
      double* weight = state(path.nodes[i], rate);
      double* counts = weight + 1;
      const double own = probability(counts, label);
      if (i == path.size - 1) {
        mixed = own;
      } else {
        const double both = mixed + *weight * (own - mixed);
        *weight = (1 - kShare) * (*weight * own / both) + kShare / 2;
        mixed = both;
      }
      if (kFadings[rate] < 1) {
        for (std::size_t k = 0; k < classes_; ++k) counts[k] *= kFadings[rate];
      }
      counts[label] += 1;
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

void RandomTree::split(std::uint32_t leaf, std::size_t candidate) {
  const std::uint32_t slot = nodes_[leaf].slot;
  const Room room = make_room(leaf);
  if (room.child == 0) return clear_slot(slot);
  const std::size_t at = slot * limits_.candidates + candidate;
  nodes_[leaf] = {thresholds_[at], features_[at], room.child, 0};
  start_child(room.child, slot, candidate, /*left=*/true);
  start_child(room.child + 1, slot, candidate, /*left=*/false);
  for (std::size_t rate = 0; rate < kRates; ++rate) *state(leaf, rate) = kWeight;
  nodes_[room.child].slot = slot;
  nodes_[room.child + 1].slot = room.slot;
  clear_slot(slot);
  clear_slot(room.slot);
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
  for (std::size_t rate = 0; rate < kRates; ++rate) {
    const double most = kFadings[rate] < 1 ? 1 / (1 - kFadings[rate]) : all;
    double* weight = state(node, rate);
    *weight = kWeight;
    for (std::size_t k = 0; k < classes_; ++k) {
      weight[1 + k] = count_of(k) * std::min(1.0, most / all);
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
        child + 1 == leaf || *state(static_cast<std::uint32_t>(hand_), 0) < kUseless) {
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
  for (std::size_t n = 0; n < nodes_.size() * kRates; ++n) {
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
  archive.values("states", states_);
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
    if (node.child == 0) {
      if (node.slot >= used.size() || used[node.slot]) archive.refuse("places", "share a slot");
      used[node.slot] = true;
      continue;
    }
    if (node.child % 2 == 0 || node.child >= nodes_.size()) {
      archive.refuse("places", "are not a tree");
    }
    if (node.feature >= features || !std::isfinite(node.threshold)) {
      archive.refuse("splits", "are not of the features");
    }
    open.push_back({node.child, depth + 1});
    open.push_back({node.child + 1, depth + 1});
  }
  if (reached != nodes_.size()) archive.refuse("places", "are not a tree");
  for (std::size_t n = 0; n < nodes_.size() * kRates; ++n) {
    const auto values = std::span(states_).subspan(n * (classes_ + 1), classes_ + 1);
    archive.require_within("states", values.first(1), 0, 1);
    archive.require_within("states", values.subspan(1), 0, kMaxState);
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
