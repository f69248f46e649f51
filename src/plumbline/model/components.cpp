#include "plumbline/components.h"

namespace plumbline::inline v0 {

const Components& Components::builtin() {
  static const Components components{plumbline::learners(), plumbline::calibrators(),
                                     plumbline::policies(), plumbline::rewards()};
  return components;
}

std::shared_ptr<const Components> share(const Components& components) {
  if (&components == &Components::builtin()) return {std::shared_ptr<void>(), &components};
  return std::make_shared<const Components>(components);
}

}  // namespace plumbline::inline v0
