#include "plumbline/evaluation/prequential.h"

#include <algorithm>
#include <vector>

#include "plumbline/base/error.h"

namespace plumbline {

std::uint64_t prequential(BinaryModel& model, Generator& stream, const PrequentialOptions& options,
                          const std::function<void(const PrequentialStep&)>& observe) {
  if (options.batch == 0) throw Error(ErrorKind::config, "a minibatch needs at least one example");
  if (stream.schema() != model.schema()) {
    throw Error(ErrorKind::data,
                "the stream has other columns, or another label, than the model was made for");
  }
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
