#include "plumbline/model/multiclass_model.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model/coupling.h"
#include "plumbline/model/multiclass_model-inl.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kAnswersTogether = std::size_t{1} << 16;  // of all models in `predict`

std::size_t models_for(Multiclass scheme, std::size_t classes) {
  return scheme == Multiclass::ovo ? pair_index(0, classes) : classes;
}

std::uint64_t seed_of(std::uint64_t seed, std::size_t m) {
  return m == 0 ? seed : Rng(seed, kMulticlassStream, m).bits();
}

// Constructs a small binary model, so that errors of the first real one are thrown now.
void check_parts(ModelConfig config, const Components& components) {
  config.ensemble.size = 1;
  BinaryModel model(config, 1, components);
}

}  // namespace

MulticlassModel::MulticlassModel(const ModelConfig& config, FeatureSpace features,
                                 std::size_t classes, const Components& components)
    : components_(share(components)),
      config_(complete(config, components)),
      config_of_parts_(config_),
      features_(features),
      budget_(config_.learn_budget, config_.learn_burst) {
  if (classes == 0) throw Error(ErrorKind::config, "a model of several classes needs classes");
  check_parts(config_, components);
  make_companions();
  std::erase_if(config_of_parts_.companions,
                [](const Spec& spec) { return plumbline::companions().contains(spec.name); });
  counts_.resize(classes);
  models_.resize(models_for(config_.multiclass, classes));
}

void MulticlassModel::make_companions() {
  companions_.clear();
  widths_.clear();
  follows_labels_.clear();
  order_.clear();
  for (const Spec& spec : config_.companions) {
    if (!plumbline::companions().contains(spec.name)) continue;
    companions_.push_back(plumbline::companions().make(
        spec, {.features = features_, .several_classes = true, .seed = config_.seed}));
    widths_.push_back(companion_columns(spec));
    follows_labels_.push_back(follows_labels(spec));
  }
}

void MulticlassModel::make_room(std::size_t rows, Scratch& scratch) const {
  scratch.scores.resize(models_.size() * rows);
  scratch.probabilities.resize(models_.size() * rows);
  scratch.seen_classes.clear();
  for (std::size_t k = 0; k < classes(); ++k) {
    if (seen(k)) scratch.seen_classes.push_back(k);
  }
  scratch.begun.clear();
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    scratch.begun.push_back({m, of, against});
  });
}

void MulticlassModel::ask_companions(const Batch& batch, std::size_t ahead,
                                     std::vector<double>& margins) const {
  const std::size_t column = order_.size() * batch.rows;
  margins.resize(given_columns() * column);
  if (column == 0) return;
  std::size_t at = 0;
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    const std::size_t room = widths_[c] * column;
    companions_[c]->margins(batch, ahead, std::span(margins).subspan(at, room));
    at += room;
  }
}

ScoreInputs MulticlassModel::inputs_for(const Binary& binary, std::size_t rows,
                                        std::span<const std::size_t> selected,
                                        const Scratch& scratch, std::vector<double>& given) const {
  const auto number_of = [&](std::size_t k) {
    return static_cast<std::size_t>(std::ranges::find(order_, k) - order_.begin());
  };
  const std::size_t of = number_of(binary.of);
  const std::size_t against = binary.against ? number_of(*binary.against) : of;
  const std::size_t count = selected.empty() ? rows : selected.size();
  given.resize(given_columns() * count);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t row = selected.empty() ? i % count : selected[i % count];
    const auto margin = [&](std::size_t k) {
      return scratch.margins[(i / count * order_.size() + k) * rows + row];
    };
    // Given that the class is one of two: ln p_of - ln p_against.
    given[i] = binary.against ? softplus(-margin(against)) - softplus(-margin(of)) : margin(of);
  }
  return {.margins = given};
}

void MulticlassModel::teach_companions(const Examples& examples) {
  ordered_.clear();
  for (const Label label : examples.y) {
    ordered_.push_back(static_cast<Label>(std::ranges::find(order_, label) - order_.begin()));
  }
  const bool trained = std::ranges::any_of(
      records_, [](const RoundRecord& record) { return trains(record.action); });
  const bool train = !budget_.limited() || (trained && budget_.allows(rounds_));
  if (train) budget_.spend();
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    if (train || follows_labels_[c]) companions_[c]->learn({examples.x, ordered_});
  }
}

std::size_t MulticlassModel::given_columns() const {
  return std::reduce(widths_.begin(), widths_.end());
}

void MulticlassModel::ask(const Batch& batch, std::size_t ahead, Scratch& scratch) const {
  const std::size_t rows = batch.rows;
  make_room(rows, scratch);
  ask_companions(batch, ahead, scratch.margins);
  on_threads(scratch.begun.size(), rows, [&](std::size_t i) {
    const std::size_t m = scratch.begun[i].m;
    thread_local std::vector<double> given;
    models_[m]->predict(batch, std::span(scratch.scores).subspan(m * rows, rows),
                        std::span(scratch.probabilities).subspan(m * rows, rows),
                        inputs_for(scratch.begun[i], rows, {}, scratch, given));
  });
}

std::uint64_t MulticlassModel::examples() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

void MulticlassModel::couple(std::span<const double> answers, std::size_t rows,
                             Scratch& scratch) const {
  const std::vector<std::size_t>& seen_classes = scratch.seen_classes;
  const auto n = static_cast<double>(examples());
  scratch.shares.clear();
  for (const std::size_t k : seen_classes) {
    scratch.shares.push_back(static_cast<double>(counts_[k]) / n);
  }
  scratch.coupled.resize(rows * seen_classes.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto coupled =
        std::span(scratch.coupled).subspan(row * seen_classes.size(), seen_classes.size());
    if (pairs()) {
      scratch.second.clear();
      for_each_model(
          [&](std::size_t m, auto, auto) { scratch.second.push_back(answers[m * rows + row]); });
      scratch.couple_pairs(scratch.second, coupled);
    } else {
      for (std::size_t c = 0; c < seen_classes.size(); ++c) {
        coupled[c] = answers[seen_classes[c] * rows + row];
      }
      couple_one_against_rest(coupled, scratch.shares);
    }
  }
}

void MulticlassModel::sharpen(Scratch& scratch) const {
  const std::size_t count = scratch.seen_classes.size();
  scratch.sharpened = scratch.coupled;
  if (count < kSharpened) return;
  for (std::size_t at = 0; at < scratch.sharpened.size(); at += count) {
    temperature_.apply(std::span(scratch.sharpened).subspan(at, count));
  }
}

void MulticlassModel::learn_sharpness(const Scratch& scratch, std::span<const Label> labels) {
  const std::vector<std::size_t>& seen_classes = scratch.seen_classes;
  if (seen_classes.size() < kSharpened) return;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::find(seen_classes.begin(), seen_classes.end(), labels[i]);
    if (found == seen_classes.end()) continue;
    temperature_.learn(
        std::span(scratch.coupled).subspan(i * seen_classes.size(), seen_classes.size()),
        static_cast<std::size_t>(found - seen_classes.begin()));
  }
}

void MulticlassModel::add_unseen(std::span<const double> coupled,
                                 std::span<const std::size_t> seen_classes,
                                 std::span<double> probabilities) const {
  const auto n = static_cast<double>(examples());
  const auto unseen = static_cast<double>(classes() - seen_classes.size());
  std::ranges::fill(probabilities, 1 / (n + unseen));
  for (std::size_t c = 0; c < coupled.size(); ++c) {
    const std::size_t row = c / seen_classes.size(), k = seen_classes[c % seen_classes.size()];
    probabilities[row * classes() + k] = coupled[c] * (n / (n + unseen));
  }
}

void MulticlassModel::conclude(std::size_t rows, std::span<double> scores,
                               std::span<double> probabilities, Scratch& scratch) const {
  couple(scratch.scores, rows, scratch);
  add_unseen(scratch.coupled, scratch.seen_classes, scores);
  couple(scratch.probabilities, rows, scratch);
  sharpen(scratch);
  add_unseen(scratch.sharpened, scratch.seen_classes, probabilities);
}

void MulticlassModel::predict(const Batch& batch, std::span<double> scores,
                              std::span<double> probabilities, std::size_t ahead) const {
  assert(batch.columns == features_.count && scores.size() == batch.rows * classes() &&
         probabilities.size() == scores.size());
  // Each thread keeps its own, as in BinaryModel; some rows at a time, so that it does not grow with the
  // batch.
  thread_local Scratch scratch;
  const std::size_t together = std::max<std::size_t>(1, kAnswersTogether / (models_.size() + 1));
  for (std::size_t first = 0; first < batch.rows; first += together) {
    const Batch part = batch.part(first, std::min(together, batch.rows - first));
    const std::size_t at = first * classes(), room = part.rows * classes();
    ask(part, ahead + first, scratch);
    conclude(part.rows, scores.subspan(at, room), probabilities.subspan(at, room), scratch);
  }
}

std::vector<double> MulticlassModel::predict(const Batch& batch) const {
  std::vector<double> scores(batch.rows * classes()), probabilities(scores.size());
  predict(batch, scores, probabilities);
  return probabilities;
}

Examples MulticlassModel::examples_for(const Binary& binary, const Examples& examples,
                                       Selection& selection) {
  if (!binary.against) {
    selection.indices.clear();
    selection.labels.clear();
    for (const Label label : examples.y) selection.labels.push_back(label == binary.of ? 1 : 0);
    return {examples.x, selection.labels};
  }
  selection.rows.clear(examples.x);
  selection.indices.clear();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (!binary.learns(examples.y[i])) continue;
    selection.rows.add(examples.x, i, examples.y[i] == binary.of ? 1 : 0);
    selection.indices.push_back(i);
  }
  return selection.rows.examples();
}

bool MulticlassModel::begin_classes(std::span<const Label> labels) {
  const std::size_t before = order_.size();
  for (const Label label : labels) {
    if (std::ranges::find(order_, label) == order_.end()) begin_class(label);
  }
  return order_.size() > before;
}

void MulticlassModel::begin_class(std::size_t k) {
  order_.push_back(k);
  for (const auto& companion : companions_) companion->add_class();
}

void MulticlassModel::begin_models() {
  started_.clear();
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    if (models_[m]) return;
    models_[m] = new_model(m);
    started_.push_back({m, of, against});
  });
}

std::unique_ptr<BinaryModel> MulticlassModel::new_model(std::size_t m) const {
  ModelConfig config = config_of_parts_;
  config.seed = seed_of(config_.seed, m);
  return std::make_unique<BinaryModel>(config, features_, *components_, given_columns());
}

std::span<const RoundRecord> MulticlassModel::learn(const Examples& examples) {
  scores_.resize(examples.size() * classes());
  probabilities_.resize(scores_.size());
  return step(examples, scores_, probabilities_);
}

// One-vs-rest: a binary model learns from all rows that it predicts, in one step.
void MulticlassModel::ask_and_teach(const Examples& examples) {
  const std::size_t rows = examples.size();
  make_room(rows, scratch_);
  ask_companions(examples.x, 0, scratch_.margins);
  teach(scratch_.begun, examples, true,
        [&](const Binary& binary, const Examples& of_model, const ScoreInputs& inputs) {
          const std::size_t at = binary.m * rows;
          return models_[binary.m]->step(of_model, std::span(scratch_.scores).subspan(at, rows),
                                         std::span(scratch_.probabilities).subspan(at, rows),
                                         inputs);
        });
}

std::span<const RoundRecord> MulticlassModel::step(const Examples& examples,
                                                   std::span<double> scores,
                                                   std::span<double> probabilities) {
  assert(examples.x.columns == features_.count && examples.y.size() == examples.size() &&
         scores.size() == examples.size() * classes() && probabilities.size() == scores.size());
  records_.clear();
  if (examples.size() == 0) return records_;
  counts_before_ = counts_;
  pairs() ? ask(examples.x, 0, scratch_) : ask_and_teach(examples);
  conclude(examples.size(), scores, probabilities, scratch_);
  learn_sharpness(scratch_, examples.y);

  for (const Label label : examples.y) ++counts_[label];
  ++rounds_;
  if (begin_classes(examples.y)) ask_companions(examples.x, 0, scratch_.margins);
  begin_models();
  untaught_.clear();
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    const bool taught = !pairs() && counts_before_[of] > 0;
    if (!taught) untaught_.push_back({m, of, against});
  });
  teach(untaught_, examples, true,
        [&](const Binary& binary, const Examples& of_model, const ScoreInputs& inputs) {
          return models_[binary.m]->learn(of_model, inputs);
        });
  teach_companions(examples);
  return records_;
}

void MulticlassModel::grow(std::size_t features, std::size_t classes) {
  assert(features >= features_.count && classes >= this->classes());
  widen_rows(kept_coupled_, this->classes(), classes, -1.0);
  for (const auto& model : models_) {
    if (model) model->grow(features);
  }
  for (const auto& companion : companions_) companion->grow(features);
  features_.count = features;
  counts_.resize(classes);
  models_.resize(models_for(config_.multiclass, classes));
}

std::vector<MulticlassModel::Part> MulticlassModel::parts() const {
  std::vector<Part> parts;
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    parts.push_back({of, against, models_[m].get()});
  });
  return parts;
}

void MulticlassModel::archive(Archive& archive) {
  archive.value("rounds", rounds_);
  archive.values("counts", counts_);
  if (archive.loading()) {
    // More than any stream has; the sum of 256 counts is far from overflow.
    constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;
    if (rounds_ > kMaxCount) archive.refuse("rounds", "is too large");
    for (const std::uint64_t count : counts_) {
      if (count > kMaxCount) archive.refuse("counts", "are too large");
    }
    for (auto& model : models_) model = nullptr;
  }
  budget_.archive(archive, rounds_, "trained");
  if (!companions_.empty()) archive_companions(archive);
  archive.scope("sharpness", [&](Archive& inner) { temperature_.archive(inner); });
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    archive.scope(scope_of(of, against), [&](Archive& inner) {
      if (inner.loading()) {
        // Every learner stores at least one number per feature. A file that is too short for the next model
        // is therefore refused before its memory is allocated.
        const auto learners = static_cast<std::size_t>(config_.ensemble.size);
        if (learners * features_.count > inner.bytes() / sizeof(double)) {
          inner.refuse("ensemble", "is too short");
        }
        models_[m] = new_model(m);
      }
      models_[m]->archive(inner);
    });
  });
}

void MulticlassModel::archive_companions(Archive& archive) {
  const auto seen_classes = static_cast<std::size_t>(
      std::ranges::count_if(counts_, [](std::uint64_t count) { return count > 0; }));
  std::vector<std::uint64_t> order = order_;
  order.resize(seen_classes);
  archive.values("order", order);
  if (archive.loading()) {
    make_companions();
    for (const std::uint64_t k : order) {
      if (k >= classes() || !seen(k) || std::ranges::count(order, k) > 1) {
        archive.refuse("order", "is not that of the seen classes");
      }
      begin_class(k);
    }
  }
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    archive.scope("companion" + std::to_string(c + 1),
                  [&](Archive& inner) { companions_[c]->archive(inner); });
  }
}

}  // namespace plumbline::inline v0
