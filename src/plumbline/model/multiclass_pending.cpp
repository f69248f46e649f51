// The part of MulticlassModel for labels that come later.

#include <algorithm>
#include <iterator>

#include "plumbline/model/multiclass_model-inl.h"
#include "plumbline/model/multiclass_model.h"

namespace plumbline::inline v0 {

// Rows of a minibatch have consecutive ages, and are asked about together.
void MulticlassModel::ask_companions(const Batch& batch, std::span<const std::uint64_t> ages,
                                     std::vector<double>& margins) const {
  const std::size_t rows = batch.rows, lines = given_columns() * order_.size();
  margins.resize(lines * rows);
  thread_local std::vector<double> of_part;
  for (std::size_t first = 0, last = 0; first < rows && lines > 0; first = last) {
    for (last = first + 1; last < rows && ages[last] == ages[last - 1] + 1;) ++last;
    const std::size_t count = last - first;
    ask_companions(batch.part(first, count), ages[first], of_part);
    for (std::size_t line = 0; line < lines; ++line) {
      std::ranges::copy(std::span(of_part).subspan(line * count, count),
                        std::span(margins).subspan(line * rows + first).begin());
    }
  }
}

void MulticlassModel::keep_coupled(std::size_t rows) {
  const std::vector<std::size_t>& seen_classes = scratch_.seen_classes;
  for (std::size_t row = 0; row < rows; ++row) {
    scratch_.shares.assign(classes(), -1);
    for (std::size_t c = 0; c < seen_classes.size(); ++c) {
      scratch_.shares[seen_classes[c]] = scratch_.coupled[row * seen_classes.size() + c];
    }
    kept_coupled_.push(scratch_.shares);
  }
}

void MulticlassModel::learn_kept_sharpness(std::span<const Label> labels) {
  for (const Label label : labels) {
    const std::span<const double> kept = kept_coupled_.front(classes());
    std::vector<double>& coupled = scratch_.shares;
    coupled.clear();
    std::ranges::copy_if(kept, std::back_inserter(coupled), [](double p) { return p >= 0; });
    if (coupled.size() >= kSharpened && kept[label] >= 0) {
      const auto before = kept.first(label);
      temperature_.learn(coupled, static_cast<std::size_t>(std::ranges::count_if(
                                      before, [](double p) { return p >= 0; })));
    }
    kept_coupled_.pop(classes());
  }
}

void MulticlassModel::score_and_keep(std::span<const Binary> models, const Examples& examples) {
  const std::size_t rows = examples.size();
  selections_.resize(std::max(selections_.size(), allowed_threads()));
  on_threads(models.size(), rows, [&](std::size_t i, std::size_t worker) {
    const Binary& binary = models[i];
    BinaryModel& model = *models_[binary.m];
    const auto probabilities = std::span(scratch_.probabilities).subspan(binary.m * rows, rows);
    model.score(examples.x, std::span(scratch_.scores).subspan(binary.m * rows, rows),
                probabilities, inputs_for(binary, rows, {}, scratch_, selections_[worker].given));
    for (std::size_t row = 0; row < rows; ++row) {
      if (binary.learns(examples.y[row])) model.keep(row, probabilities[row]);
    }
  });
}

void MulticlassModel::predict_pending(const Examples& examples, std::size_t ahead,
                                      std::span<double> scores, std::span<double> probabilities) {
  make_room(examples.size(), scratch_);
  ask_companions(examples.x, ahead, scratch_.margins);
  score_and_keep(scratch_.begun, examples);
  conclude(examples.size(), scores, probabilities, scratch_);
  keep_coupled(examples.size());
}

void MulticlassModel::score_pending(const Pending& pending) {
  constexpr std::size_t kTogether =
      256;  // so that the scratch does not grow with the number of pending rows
  const std::size_t rows = pending.examples.size();
  for (std::size_t first = 0; first < rows; first += kTogether) {
    const Examples part = pending.examples.part(first, std::min(kTogether, rows - first));
    make_room(part.size(), scratch_);
    ask_companions(part.x, pending.ages.subspan(first, part.size()), scratch_.margins);
    score_and_keep(started_, part);
  }
}

std::span<const RoundRecord> MulticlassModel::learn_pending(PendingRows& rows, std::size_t count) {
  const std::span<const Label> labels = rows.labels().first(count);
  records_.clear();
  learn_kept_sharpness(labels);
  for (const Label label : labels) ++counts_[label];
  ++rounds_;
  begin_classes(labels);
  begin_models();
  if (!started_.empty()) score_pending(rows.all());

  const Examples examples = rows.oldest(count);
  make_room(count, scratch_);
  const bool again = std::ranges::any_of(
      scratch_.begun, [&](const Binary& binary) { return models_[binary.m]->scores_again(); });
  if (again) ask_companions(examples.x, rows.ages().first(count), scratch_.margins);
  teach(scratch_.begun, examples, again,
        [&](const Binary& binary, const Examples& of_model, const ScoreInputs& inputs) {
          return models_[binary.m]->learn_kept(of_model, inputs);
        });
  teach_companions(examples);
  return records_;
}

void MulticlassModel::archive_pending(Archive& archive, const PendingRows& rows) {
  if (archive.loading() && rows.size() > archive.bytes() / (classes() * sizeof(double))) {
    archive.refuse("coupled", "is too short");
  }
  std::vector<double> coupled(kept_coupled_.all().begin(), kept_coupled_.all().end());
  coupled.resize(rows.size() * classes());
  archive.values("coupled", coupled, rows.size());
  if (archive.loading()) {
    archive.require_within("coupled", coupled, -1, 1);
    kept_coupled_.assign(std::move(coupled));
  }
  for_each_model([&](std::size_t m, std::size_t of, std::optional<std::size_t> against) {
    const Binary binary{m, of, against};
    const auto learned =
        std::ranges::count_if(rows.labels(), [&](Label label) { return binary.learns(label); });
    archive.scope(scope_of(of, against), [&](Archive& inner) {
      models_[m]->archive_kept(inner, static_cast<std::size_t>(learned));
    });
  });
}

}  // namespace plumbline::inline v0
