#include "plumbline/generators/generator.h"

namespace plumbline::inline v0 {

Generator::Generator(Schema schema, std::uint64_t seed)
    : Stream("the generator"), schema_(std::move(schema)), seed_(seed), x_(schema_.size()) {
  for (const std::string& name : schema_.features) columns_.push_back({name, ColumnKind::numeric});
  classes_ = {schema_.negative, schema_.positive};
}

Label Generator::example(std::uint64_t i, std::span<double> x) {
  Rng rng(seed_, kGeneratorStream, i);
  return draw(rng, i, x);
}

bool Generator::next() {
  row_ = {.numbers = x_, .target = example(next_, x_)};
  line_ = ++next_;
  return true;
}

void Generator::read(Minibatch& batch, std::size_t rows) {
  batch.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const Label label = example(next_++, x_);
    std::ranges::copy(x_, batch.add(label).begin());
  }
}

}  // namespace plumbline::inline v0
