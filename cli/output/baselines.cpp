#include "cli/output/baselines.h"

#include <fmt/format.h>

#include "cli/output/rate.h"
#include "report/text.h"

namespace plumbline::cli {

std::string base_rate_title(const Recorder& recorder) {
  return recorder.several() ? "always saying the classes' shares"
                            : "always saying the share of positives";
}

std::string base_rate_name(const Recorder& recorder) {
  if (recorder.several()) return base_rate_title(recorder);
  return fmt::format("always saying {:.3f}", static_cast<double>(recorder.positives()) /
                                                 static_cast<double>(recorder.examples()));
}

std::string baselines_text() {
  return "Two baselines ignore all features. \"Always the last label\" predicts that an example "
         "has the label that was known last. Its log-loss is that of probabilities counted so far: "
         "how often each label came after the last known one. Kappa-temporal is the share of the "
         "last label's wrong predictions that the model avoids: 1 is perfect, 0 is no better, and "
         "below 0 is worse. It has no value if the last label is always right.";
}

report::Table baselines_table(const Recorder& recorder) {
  const auto row = [](const std::string& name, double log_loss, double accuracy,
                      const std::optional<double>& kappa, bool model = false) {
    const auto number = [](double value) { return report::fixed_text(value, 4); };
    return std::vector<report::Cell>{{name, model},
                                     {number(log_loss), model},
                                     {number(accuracy), model},
                                     {rate_text(kappa), model}};
  };
  const auto kappa = [&](double accuracy) {
    return kappa_temporal(accuracy, recorder.last_label_accuracy());
  };
  return {.columns = {{"", report::Align::left}, {"log-loss"}, {"accuracy"}, {"kappa-temporal"}},
          .rows = {row("the model", recorder.log_loss(), recorder.accuracy(),
                       recorder.kappa_temporal(), true),
                   row(base_rate_title(recorder), recorder.base_log_loss(),
                       recorder.base_accuracy(), kappa(recorder.base_accuracy())),
                   row(kLastLabel, recorder.last_label_log_loss(), recorder.last_label_accuracy(),
                       kappa(recorder.last_label_accuracy()))}};
}

}  // namespace plumbline::cli
