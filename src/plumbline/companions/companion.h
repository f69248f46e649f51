// A companion predicts beside the boosted ensemble. Unlike a weak learner, it sees every example once and with weight
// 1, may give several scores, counts several classes natively, and may use the order of the rows.
//
// Its predictions are margins: log-odds of the positive class, or of each class against all others. The calibrator
// learns their weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/registry.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class Companion {
 public:
  virtual ~Companion() = default;

  // Learns the examples in order.
  virtual void learn(const Examples& examples) = 0;
  // Writes the margins, ordered by column, then class, then row. `ahead` is the number of rows between the last one
  // learned and the first one of the batch.
  virtual void margins(const Batch& batch, std::size_t ahead, std::span<double> margins) const = 0;

  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  virtual void grow(std::size_t features) = 0;
  // Several classes only: adds a class, which no example so far had.
  virtual void add_class() = 0;
  virtual void archive(Archive& archive) = 0;
};

// The features and classes that a companion is made for.
struct CompanionUse {
  FeatureSpace features;
  // True if labels are class indices and `add_class` adds the classes; otherwise there are two, 0 and 1.
  bool several_classes = false;
  std::uint64_t seed = 1;
};

// The number of outputs of each column: one for two classes, otherwise one for each class.
inline std::size_t outputs_of(bool several_classes, std::size_t classes) {
  return several_classes ? classes : 1;
}

// Static properties of a companion class: `static constexpr CompanionTraits kTraits`.
struct CompanionTraits {
  // The number of margins for each row; if there are several classes, for each row and class.
  std::size_t columns = 1;
  // If options determine that number, this function, which takes a complete spec; `columns` is then the largest one.
  std::size_t (*columns_of)(const Spec& spec) = nullptr;
  // True if it learns from labels alone, at hardly any cost, and must see all of them: it learns beyond a learn budget.
  bool follows_labels = false;
};

using CompanionRegistry = Registry<Companion, CompanionTraits, CompanionUse>;
// The built-in companions. A learner can be a companion, too (ensemble/score_sources.h).
const CompanionRegistry& companions();

}  // namespace plumbline::inline v0
