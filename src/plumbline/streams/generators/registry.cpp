#include "plumbline/streams/generators/registry.h"

#include "plumbline/streams/generators/waveform.h"

namespace plumbline {

const GeneratorRegistry& generators() {
  using R = GeneratorRegistry;
  static const R registry(
      "generator", {R::row<Waveform>("waveform", "noisy mixtures of triangular waves (CART)")});
  return registry;
}

}  // namespace plumbline
