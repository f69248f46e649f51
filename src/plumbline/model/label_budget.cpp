#include "plumbline/model/label_budget.h"

#include "plumbline/math/entropy.h"
#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kWindow = 200;
// A rank among fewer values says little.
constexpr std::uint64_t kFewValues = 20;
constexpr double kAtRandom = 1.0 / 3;
constexpr double kMostEntropy = 5.6;  // ln 256 is 5.55

double entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum -= x_log_x(p);
  if (probabilities.size() == 1) sum -= x_log_x(1 - probabilities.front());
  return sum;
}

}  // namespace

LabelBudget::LabelBudget(double share, LabelChoice choice, std::uint64_t seed)
    : budget_(share), choice_(choice), seed_(seed), window_(kWindow) {}

LabelBudget::Ask LabelBudget::next(std::span<const double> probabilities) {
  const double uncertainty = entropy(probabilities);
  const double rank = window_.seen() < kFewValues ? 1 : window_.rank(uncertainty);
  window_.add(uncertainty);
  Rng rng(seed_, kLabelStream, rows_++);
  const bool at_random = choice_ == LabelChoice::random || rng.uniform() < kAtRandom;
  const double used = at_random ? rng.uniform() : rank;
  if (!budget_.allows(rows_) || used < 1 - budget_.share() * budget_.saved(rows_)) return Ask::no;
  budget_.spend();
  return at_random ? Ask::at_random : Ask::chosen;
}

void LabelBudget::next(std::span<const double> probabilities, std::size_t outputs,
                       std::vector<std::uint8_t>& asked) {
  asked.clear();
  for (; !probabilities.empty(); probabilities = probabilities.subspan(outputs)) {
    asked.push_back(next(probabilities.first(outputs)) == Ask::no ? 0 : 1);
  }
}

void LabelBudget::archive(Archive& archive) {
  archive.value("rows", rows_);
  // More than any stream has, and far from overflow.
  if (archive.loading() && rows_ > std::uint64_t{1} << 53) archive.refuse("rows", "is too large");
  budget_.archive(archive, rows_, "asked");
  window_.archive(archive, kMostEntropy);
}

}  // namespace plumbline::inline v0
