#include "plumbline/core/schema.h"

namespace plumbline {

Schema Schema::numeric(std::size_t count) {
  Schema schema;
  schema.features.reserve(count);
  for (std::size_t j = 1; j <= count; ++j) schema.features.push_back("x" + std::to_string(j));
  return schema;
}

}  // namespace plumbline
