#include "plumbline/model/prequential.h"

#include <algorithm>
#include <vector>

namespace plumbline {

std::uint64_t prequential(Model& model, Stream& stream, const PrequentialOptions& options,
                          const std::function<void(const PrequentialStep&)>& observe) {
  Minibatch batch(stream.schema().size());
  std::vector<double> scores, probabilities;
  std::uint64_t done = 0;
  while (done < options.max_examples) {
    const auto rows = std::min<std::uint64_t>(options.batch, options.max_examples - done);
    if (!stream.read(batch, static_cast<std::size_t>(rows))) break;
    scores.resize(batch.rows());
    probabilities.resize(batch.rows());
    const RoundRecord round = model.step(batch.examples(), scores, probabilities);
    done += batch.rows();
    observe({batch.examples(), scores, probabilities, round});
  }
  return done;
}

}  // namespace plumbline
