#include "kafka/sampling.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::kafka {
namespace {

constexpr Milliseconds kNap{20};
constexpr std::size_t kMostRows = 20;  // times the sample, if few of them have a label

// Rows with their labels, from messages.
class Sample {
 public:
  Sample(const Job& job, bool separate) : job_(job), separate_(separate) {
    label_ = !job.columns.label.empty() ? job.columns.label : "label";
  }

  void add_row(const Message& message) {
    if (full()) return;
    try {
      Fields fields = fields_of(message, job_.rows);
      if (separate_) {
        take_field(fields, label_);
        std::string id = id_of(message, fields);
        rows_.emplace_back(std::move(fields), std::move(id));
        return;
      }
      if (!named_) name_label(message, fields);
      std::optional<std::string> label = take_field(fields, label_);
      if (!label) {
        throw Error(ErrorKind::data, fmt::format("the row has no label {}", in_quotes(label_)));
      }
      rows_.emplace_back(std::move(fields), *std::move(label));
    } catch (const Error& error) {
      if (mistake_.empty()) {
        mistake_ = fmt::format("offset {}: {}", message.offset, error.sentence());
      }
    }
  }

  void add_label(const Message& message) {
    if (!message.value || labels_.size() >= kMostRows * job_.sample) return;
    try {
      Fields fields;
      std::string label = *message.value;
      if (label.starts_with('{')) {
        fields = fields_of(message, {.format = "json", .ignore = job_.rows.ignore});
        label = take_field(fields, label_).value_or("");
      }
      labels_.emplace(id_of(message, fields), std::move(label));
    } catch (const Error&) {  // reported when it is taken
    }
  }

  // Rows that have a label.
  std::vector<std::pair<Fields, std::string>> rows() const {
    if (!separate_) return rows_;
    std::vector<std::pair<Fields, std::string>> labelled;
    for (const auto& [fields, id] : rows_) {
      const auto label = labels_.find(id);
      if (label != labels_.end()) labelled.emplace_back(fields, label->second);
    }
    return labelled;
  }
  bool empty() const { return rows_.empty() && mistake_.empty(); }
  bool full() const { return rows_.size() >= (separate_ ? kMostRows : 1) * job_.sample; }
  bool enough() const { return separate_ ? rows().size() >= job_.sample : full(); }
  const std::string& label() const { return label_; }
  const std::string& mistake() const { return mistake_; }

 private:
  std::string id_of(const Message& message, Fields& fields) const {
    std::optional<std::string> id = job_.id.empty() ? message.key : take_field(fields, job_.id);
    if (!id) throw Error(ErrorKind::data, "the message has no id; its key is the id, or --id");
    return *std::move(id);
  }

  // By name; in a line of CSV also by number, and the last field unless given.
  void name_label(const Message& message, const Fields& fields) {
    named_ = true;
    const bool json = message.value && message.value->find('{') == 0;
    const std::string wanted = job_.columns.label.empty() && !json ? "-1" : label_;
    if (std::ranges::find(fields, wanted, &Fields::value_type::first) != fields.end()) return;
    const std::optional<double> number = parse_number(wanted);
    const auto count = static_cast<double>(fields.size());
    if (!number || json || std::abs(*number) < 1 || std::abs(*number) > count) return;
    label_ = fields[static_cast<std::size_t>(*number < 0 ? count + *number : *number - 1)].first;
  }

  const Job& job_;
  bool separate_;
  bool named_ = false;
  std::string label_;
  std::vector<std::pair<Fields, std::string>> rows_;  // with the label, or the id
  std::unordered_map<std::string, std::string> labels_;
  std::string mistake_;
};

Model make_model(const Job& job, const Sample& sample, const std::string& topic,
                 std::vector<Note>& notes) {
  const auto rows = sample.rows();
  if (rows.empty()) {
    throw Error(ErrorKind::data,
                "there is no row to make a model from" +
                    (sample.mistake().empty() ? "" : "; " + sample.mistake()),
                {.source = topic});
  }
  const SampledStream stream(std::make_unique<SampleRows>(topic, rows, sample.label()),
                             rows.size());
  ColumnChoices columns = job.columns;
  columns.label = sample.label();
  return Model(job.config, stream, columns, notes);
}

}  // namespace

bool make_initial(Job& job, Log& rows, std::optional<Log>& labels, PartitionModel::Offsets from,
                  const std::atomic<bool>& stopping) {
  rows.read_from(from.rows);
  if (labels) labels->read_from(from.labels);
  Sample sample(job, labels.has_value());
  while (!stopping && !job.failure()) {
    if (job.folder->has_initial()) return true;
    for (int i = 0; i < 1000; ++i) {
      const bool row = rows.peek(Milliseconds(0)) != nullptr;
      const bool label = labels && labels->peek(Milliseconds(0)) != nullptr;
      if (row) sample.add_row(rows.pop());
      if (label) sample.add_label(labels->pop());
      if (!row && !label) break;
    }
    const bool at_end = rows.at_end() && (!labels || labels->at_end());
    // An empty partition makes no model; another one may.
    if (job.until_end && at_end && sample.empty()) return false;
    if (sample.enough() || (job.until_end && at_end)) {
      std::vector<Note> notes;
      const Model model = make_model(job, sample, rows.topic(), notes);
      if (job.folder->offer_initial(model)) {
        for (const Note& note : notes) job.tell(cli::in_words(note));
        job.tell(fmt::format("the columns are those of the first {} rows of '{}', partition {}",
                             sample.rows().size(), rows.topic(), rows.partition()));
      }
      return true;
    }
    if (at_end || rows.peek(kNap) == nullptr) std::this_thread::sleep_for(kNap);
  }
  return false;
}

}  // namespace plumbline::kafka
