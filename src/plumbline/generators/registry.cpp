#include "plumbline/generators/registry.h"

#include "plumbline/generators/agrawal.h"
#include "plumbline/generators/hyperplane.h"
#include "plumbline/generators/led.h"
#include "plumbline/generators/random_rbf.h"
#include "plumbline/generators/sea.h"
#include "plumbline/generators/waveform.h"

namespace plumbline::inline v0 {

const GeneratorRegistry& generators() {
  using R = GeneratorRegistry;
  static const R registry(
      "generator",
      {R::row<Waveform>("waveform", "noisy mixtures of triangular waves (CART)"),
       R::row<Sea>("sea", "a threshold on the sum of two of three features (Street & Kim)"),
       R::row<Hyperplane>("hyperplane", "one side of a plane that rotates (Hulten et al.)"),
       R::row<RandomRbf>("random_rbf", "clouds around random centroids, fixed or moving (MOA)"),
       R::row<Agrawal>("agrawal",
                       "loan applicants in two groups, by ten functions (Agrawal et al.)"),
       R::row<Led>("led", "digits on a faulty seven-segment display (CART)")});
  return registry;
}

std::unique_ptr<Stream> open_generator(const Spec& generator, std::uint64_t seed) {
  return generators().make(generator, seed);
}

}  // namespace plumbline::inline v0
