#include "plumbline/companions/companion.h"
#include "plumbline/companions/forest.h"
#include "plumbline/companions/label_history.h"
#include "plumbline/companions/neighbors.h"

namespace plumbline::inline v0 {

const CompanionRegistry& companions() {
  using R = CompanionRegistry;
  static const R registry(
      "companion",
      {R::row<Forest>("forest", "randomized trees, each averaged over all its prunings"),
       R::row<LabelHistory>(
           "label_history",
           "shares of each class among the last labels, with memories of 1 to 100 labels"),
       R::row<Neighbors>("neighbors",
                         "votes of the nearest neighbors among the last rows (k-NN)")});
  return registry;
}

}  // namespace plumbline::inline v0
