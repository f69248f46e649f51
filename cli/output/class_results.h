// Results for a label with several classes: as text, as JSON, and as parts of a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/output/json.h"
#include "plumbline/evaluation/recorder.h"
#include "plumbline/metrics/multiclass.h"
#include "report/page.h"

namespace plumbline::cli {

using Names = std::vector<std::string>;

// "one-vs-rest" or "one-vs-one".
std::string long_name(Multiclass scheme);

// A table with a line for each class, the most frequent ones if there are many.
std::string class_lines(const Names& names, const MulticlassMetrics& metrics);

// The name, examples, calibration error, recall, precision and reliability curve of each class.
Json classes_json(const Names& names, const MulticlassMetrics& metrics);
// Rows are the true classes, columns the predicted ones.
Json confusion_json(const MulticlassMetrics& metrics);

// The label's name and values.
Json label_json(const Schema& schema);

report::Table class_table(const Names& names, const MulticlassMetrics& metrics);
report::Table confusion_table(const Names& names, const MulticlassMetrics& metrics);
// A reliability diagram for each of the most frequent classes, of calibrated probabilities and of scores before
// calibration, by name.
using NamedMetrics = std::pair<std::string, const MulticlassMetrics*>;
std::vector<report::Figure> class_reliability(const Names& names,
                                              const MulticlassMetrics& calibrated,
                                              const std::vector<NamedMetrics>& scores);
// One diagram for the most frequent classes together.
report::Chart joint_reliability(const std::string& title, const Names& names,
                                const Recorder& recorder);

}  // namespace plumbline::cli
