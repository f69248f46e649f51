#include "plumbline/companions/companion.h"
#include "plumbline/companions/forest.h"
#include "plumbline/companions/label_history.h"
#include "plumbline/companions/neighbors.h"

namespace plumbline::inline v0 {

const CompanionRegistry& companions() {
  using R = CompanionRegistry;
  static const R registry(
      "companion", {R::row<Forest>("forest", "randomized trees, averaged over their prunings"),
                    R::row<LabelHistory>("label_history", "shares of the last labels"),
                    R::row<Neighbors>("neighbors", "nearest rows among the last ones")});
  return registry;
}

}  // namespace plumbline::inline v0
