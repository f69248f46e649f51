#include "plumbline/model/components.h"

namespace plumbline {

const Components& Components::builtin() {
  static const Components components{plumbline::learners(), plumbline::calibrators(),
                                     plumbline::policies(), plumbline::rewards()};
  return components;
}

std::shared_ptr<const Components> share(const Components& components) {
  if (&components == &Components::builtin()) return {std::shared_ptr<void>(), &components};
  return std::make_shared<const Components>(components);
}

}  // namespace plumbline
