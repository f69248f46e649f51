#include <fmt/format.h>

#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/refuse.h"
#include "plumbline/encoding/row_counter.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"
#include "plumbline/io/text.h"
#include "plumbline/keyed/keyed_model_impl.h"

namespace plumbline::inline v0 {

struct KeyedSession::Impl {
  Impl(Stream& from, KeyedModel::Impl& to, KeyedModel::Use how, ReadOptions options,
       const std::string& key_name)
      : stream(from),
        model(to),
        learns(how == KeyedModel::Use::learn),
        counter(from, std::move(options)),
        key_column(find_column(key_name.empty() ? to.key_column : key_name, from.column_names())) {
    std::vector<std::string> ignore = counter.options().ignore;
    ignore.push_back(stream.columns()[key_column].name);
    binding = model.front().bind(stream, learns, ignore);
  }

  void read_key() {
    const Row& row = stream.row();
    if (!row.columns.empty()) refuse(stream, 0, "a sparse row has no key");
    std::string_view text = trimmed(row.text(key_column));
    std::string number;
    if (row.fields.empty()) text = number = fmt::format("{}", row.numbers[key_column]);
    if (is_missing(text)) text = {};
    try {
      model.check_key(text);
    } catch (const Error& error) {
      refuse(stream, key_column + 1,
             fmt::format("{} in '{}'", error.sentence(), stream.columns()[key_column].name));
    }
    key = text;
  }

  void read_to_learn() {
    const std::uint64_t number = counter.position();
    model.front_rows.forget_times();
    model.front_rows.clear(model.front().schema());
    if (model.parent) {
      model.front().read(stream, binding, Encoder::LabelUse::learn, number, model.front_rows);
      label = model.front_rows.examples().y[0];
    } else {
      label = model.front().read_label(stream, binding, model.front_rows);
    }
    read_for_key(label);
  }

  void read_to_predict() {
    const std::uint64_t number = counter.position();
    model.front_rows.forget_times();
    model.front_rows.clear(model.front().schema());
    if (model.parent) {
      model.front().read(stream, binding, Encoder::LabelUse::keep_text, number, model.front_rows);
    }
    label_text = binding.label ? stream.row().text(*binding.label)
                               : stream.row().label.value_or(std::string_view{});
    read_for_key(0);
  }

  void read_for_key(Label given) {
    const Encoder& encoder = model.load(key).encoder();
    model.rows.forget_times();
    model.rows.clear(encoder.schema());
    encoder.read(stream, binding, given, counter.position(), model.rows);
  }

  Stream& stream;
  KeyedModel::Impl& model;
  bool learns;
  RowCounter counter;
  std::size_t key_column;
  Binding binding;
  std::string key, label_text;
  Label label = 0;
  bool known = false;
};

KeyedSession::KeyedSession(Stream& stream, KeyedModel& model, KeyedModel::Use use,
                           ReadOptions options, const std::string& key)
    : impl_(std::make_unique<Impl>(stream, *model.impl_, use, std::move(options), key)) {}
KeyedSession::~KeyedSession() = default;

bool KeyedSession::step() {
  const bool read = impl_->counter.next([&] {
    impl_->read_key();
    impl_->learns ? impl_->read_to_learn() : impl_->read_to_predict();
  });
  if (!read) return false;
  impl_->known = impl_->model.known();
  impl_->learns ? impl_->model.learn(impl_->label) : impl_->model.predict();
  return true;
}

const std::string& KeyedSession::key() const { return impl_->key; }
bool KeyedSession::known() const { return impl_->known; }
Label KeyedSession::label() const { return impl_->label; }
const std::string& KeyedSession::label_text() const { return impl_->label_text; }
std::uint64_t KeyedSession::position() const { return impl_->counter.position(); }
std::uint64_t KeyedSession::bad_rows() const { return impl_->counter.bad_rows(); }

bool KeyedSession::at_end() {
  if (impl_->counter.at_limit()) return true;
  try {
    return !impl_->stream.next();
  } catch (const Error&) {
    return false;  // a bad row is one too
  } catch (const Interrupted&) {
    return false;
  }
}

double KeyedSession::probability() const { return impl_->model.prediction.probabilities[0]; }

std::optional<double> KeyedSession::parent() const {
  if (!impl_->model.parent) return std::nullopt;
  return impl_->model.parent_prediction.probabilities[0];
}

}  // namespace plumbline::inline v0
