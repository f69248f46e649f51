// The class _core.Model.
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "plumbline/config.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"
#include "plumbline/stream.h"
#include "shared_model.h"
#include "tables.h"

namespace plumbline::python {
namespace {

using Texts = std::vector<std::string>;

// Releases Python's lock while `work` runs, which must not use Python.
template <class Work>
auto without_python(const Work& work) {
  const nb::gil_scoped_release release;
  return work();
}

// ---- Construction

// Applies the JSON to the preset `auto`.
Config config_from(const std::string& json) { return overlay(preset("auto"), json); }

// A model for rows of numbers, dense or sparse.
std::unique_ptr<SharedModel> numeric(const std::string& config, Texts features,
                                     const Texts& classes, bool multiclass, bool sparse) {
  const Config parsed = config_from(config);
  Schema schema{.features = std::move(features), .sparse = sparse};
  if (multiclass) {
    for (const std::string& label : classes) schema.classes.push_back(canonical_label(label));
  } else {
    schema.negative = canonical_label(classes.at(0));
    schema.positive = canonical_label(classes.at(1));
  }
  return std::make_unique<SharedModel>(Model(parsed, schema));
}

Texts texts_of(const std::vector<Note>& notes) {
  Texts texts;
  for (const Note& note : notes) texts.push_back(in_python(note.text, note.remedies));
  return texts;
}

// A model for rows of a table; the column types are inferred from the first rows.
std::unique_ptr<SharedModel> from_table(const std::string& config, nb::handle table,
                                        const Texts& classes, bool multiclass,
                                        const Texts& categorical, const Texts& numeric,
                                        const Texts& time, const Texts& ignore,
                                        const Texts& missing, const Texts& scores,
                                        const Texts& score_input) {
  auto rows = std::make_unique<TableRows>(table);
  rows->show_to_fit(ignore, classes);
  SampledStream sampled(std::move(rows));
  sampled.need_a_row();
  std::vector<Note> notes;
  ColumnChoices choices{.multiclass = multiclass,
                        .categorical = categorical,
                        .numeric = numeric,
                        .ignore = ignore,
                        .time = time,
                        .scores = scores,
                        .missing = missing};
  if (!score_input.empty()) choices.score_inputs.clear();
  for (const std::string& input : score_input) {
    choices.score_inputs.push_back(score_input_named(input));
  }
  Model model(config_from(config), sampled, choices, notes);
  return std::make_unique<SharedModel>(std::move(model), texts_of(notes));
}

std::unique_ptr<SharedModel> from_named(const std::string& config, const nb::list& rows,
                                        const Texts& classes, bool multiclass) {
  const Config parsed = config_from(config);
  NamedRows named;
  named.add_rows(rows);
  std::vector<Note> notes;
  return std::make_unique<SharedModel>(
      Model(parsed, Encoder::fit(parsed.encoder, named, named.sample(),
                                 {.multiclass = multiclass, .classes = classes}, notes)));
}

std::unique_ptr<SharedModel> from_bytes(const nb::bytes& bytes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
  return without_python([&] {
    return std::make_unique<SharedModel>(Model::from_bytes({begin, bytes.size()}, "the bytes"));
  });
}

// ---- Learning and predicting

// Calls use(input) with the rows, of any kind.
template <class Use>
auto with_rows(const nb::object& rows, const Use& use) {
  Matrix matrix;
  if (nb::try_cast(rows, matrix)) {
    MatrixRows input(matrix);
    return use(input);
  }
  if (nb::isinstance<nb::list>(rows)) {
    NamedRows input;
    input.add_rows(nb::borrow<nb::list>(rows));
    return use(input);
  }
  if (nb::hasattr(rows, "__arrow_c_stream__")) {
    TableRows input(rows);
    return use(input);
  }
  if (!nb::hasattr(rows, "indptr"))
    throw nb::type_error("X has to be rows of numbers, a table or dicts");
  const SparseMatrix sparse{
      nb::cast<Vector>(rows.attr("data")), nb::cast<Vector>(rows.attr("indices")),
      nb::cast<Vector>(rows.attr("indptr")), nb::cast<std::size_t>(rows.attr("shape")[1])};
  SparseMatrixRows input(sparse);
  return use(input);
}

// One column for each class; for two classes, that of the negative class is 1 minus that of the positive class.
Numbers in_columns(const SharedModel& model, std::vector<double> values, std::size_t outputs) {
  const std::size_t rows = values.size() / outputs;
  if (model.several_classes()) return as_array(std::move(values), rows, outputs);
  std::vector<double> both(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    both[2 * i] = 1 - values[i];
    both[2 * i + 1] = values[i];
  }
  return as_array(std::move(both), rows, 2);
}

Numbers predict(const SharedModel& self, const nb::object& rows, bool scores,
                SharedModel::Places places) {
  return with_rows(rows, [&](InputRows& input) {
    auto [outputs, probabilities, raw, asked] =
        without_python([&] { return self.predict(input, places); });
    return in_columns(self, std::move(scores ? raw : probabilities), outputs);
  });
}

// The classes as numbers, with false as 0 and true as 1; empty if one is not a number.
std::vector<double> class_numbers(const Model& model) {
  const Schema& schema = model.schema();
  std::vector<double> numbers;
  for (const std::string& text :
       schema.classes.empty() ? Texts{schema.negative, schema.positive} : schema.classes) {
    double number = text == "true" ? 1 : 0;
    if (text != "true" && text != "false" && !parse_number(text, number)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

// One number for each row; without a label budget, all labels are asked for.
Numbers flags(const std::vector<std::uint8_t>& asked, std::size_t rows) {
  std::vector<double> numbers(asked.begin(), asked.end());
  if (numbers.empty()) numbers.assign(rows, 1);
  return as_array(std::move(numbers), rows, 1);
}

nb::object ask(SharedModel& self, const nb::object& rows) {
  return with_rows(rows, [&](InputRows& input) -> nb::object {
    auto [outputs, probabilities, raw, asked] = without_python([&] { return self.ask(input); });
    return nb::make_tuple(in_columns(self, std::move(probabilities), outputs),
                          flags(asked, input.size()));
  });
}

// `labels` are the classes' numbers, or their indices if `coded`. With `details`, the result is a tuple of the
// probabilities, the scores, and 1 for each row whose label was asked for, otherwise 0.
nb::object step(SharedModel& self, const nb::object& rows, const Vector& labels, bool coded,
                const Texts& new_classes, const std::optional<Matrix>& costs, bool details,
                bool every) {
  return with_rows(rows, [&](InputRows& input) -> nb::object {
    auto [outputs, probabilities, raw, asked] = without_python([&] {
      Targets targets{.labels = {}, .new_classes = new_classes};
      if (coded) {
        targets.labels = indices(labels, kMostClasses);
      } else {
        targets.labels = indices_of(labels, self.look(class_numbers));
      }
      if (costs) targets.costs = costs_of(*costs, input.size());
      return self.step(input, targets, every);
    });
    const Numbers calibrated = in_columns(self, std::move(probabilities), outputs);
    if (!details) return nb::cast(calibrated);
    return nb::make_tuple(calibrated, in_columns(self, std::move(raw), outputs),
                          flags(asked, input.size()));
  });
}

// Learns each row the given number of times. `labels` are indices.
void learn(SharedModel& self, const nb::object& rows, const Vector& labels, const Vector& times) {
  with_rows(rows, [&](InputRows& input) {
    without_python([&] {
      const std::vector<std::uint32_t> repetitions = counts_of(times);
      self.step(input, {.labels = indices(labels, kMostClasses), .repetitions = repetitions},
                /*every=*/true);
      return 0;
    });
    return 0;
  });
}

// The probability of each class for a single row, without an array, for river.
std::vector<double> predict_one(const SharedModel& self, const nb::dict& row) {
  NamedRows named;
  named.add_row(row);
  return without_python([&] {
    std::vector<double> p = self.predict(named).probabilities;
    if (!self.several_classes()) p.insert(p.begin(), 1 - p[0]);
    return p;
  });
}

void learn_one(SharedModel& self, const nb::dict& row, Label label, const Texts& new_classes) {
  NamedRows named;
  named.add_row(row);
  without_python([&] {
    self.step(named, {.labels = {label}, .new_classes = new_classes}, /*every=*/true);
    return 0;
  });
}

// ---- Inspection

nb::dict to_dict(const BinaryView& view) {
  nb::dict all;
  all["rounds"] = view.rounds;
  all["examples"] = view.examples;
  nb::list learners, arms, curve;
  for (const auto& learner : view.learners) {
    nb::dict one;
    one["correct_weight"] = learner.correct_weight;
    one["wrong_weight"] = learner.wrong_weight;
    one["error"] = learner.error;
    one["vote"] = learner.vote;
    learners.append(one);
  }
  for (const auto& arm : view.arms) {
    nb::dict one;
    const std::string_view action = name_of(arm.action);
    one["action"] = nb::str(action.data(), action.size());
    one["pulls"] = arm.estimate.pulls;
    one["mean"] = arm.estimate.mean;
    arms.append(one);
  }
  for (const auto& point : view.curve) curve.append(nb::make_tuple(point.score, point.probability));
  all["learners"] = learners;
  all["arms"] = arms;
  all["curve"] = curve;
  return all;
}

// The state of each binary model.
nb::list view(const SharedModel& self) {
  const ModelView view =
      without_python([&] { return self.look([](const Model& model) { return model.view(); }); });
  nb::list all;
  for (const ModelView::Part& part : view.parts) all.append(to_dict(part.view));
  return all;
}

// A property that is read without Python's lock, because a thread that learns may hold the model's lock for long.
template <class Look>
auto property(const Look& look) {
  return
      [look](const SharedModel& self) { return without_python([&] { return self.look(look); }); };
}

}  // namespace

void add_model(nb::module_& module) {
  using nb::arg;
  module.def(
      "canonical_label", [](const std::string& text) { return canonical_label(text); },
      arg("text"));
  nb::enum_<SharedModel::Places>(module, "Places")
      .value("in_order", SharedModel::Places::in_order)
      .value("next", SharedModel::Places::next)
      .value("unknown", SharedModel::Places::unknown);
  nb::class_<SharedModel>(module, "Model")
      .def_static("numeric", &numeric, arg("config"), arg("features"), arg("classes"),
                  arg("multiclass"), arg("sparse") = false)
      .def_static("from_table", &from_table, arg("config"), arg("table"), arg("classes"),
                  arg("multiclass"), arg("categorical"), arg("numeric"), arg("time"), arg("ignore"),
                  arg("missing"), arg("scores"), arg("score_input"))
      .def_static("from_named", &from_named, arg("config"), arg("rows"), arg("classes"),
                  arg("multiclass"))
      .def_static(
          "load",
          [](const nb::bytes& path) {
            const std::string text(path.c_str(), path.size());
            return without_python([&] { return std::make_unique<SharedModel>(Model::load(text)); });
          },
          arg("path"))
      .def_static("from_bytes", &from_bytes, arg("bytes"))
      .def("to_bytes",
           [](const SharedModel& self) {
             const auto bytes = without_python([&] { return self.to_bytes(); });
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def(
          "save",
          [](const SharedModel& self, const nb::bytes& path) {
            const std::string text(path.c_str(), path.size());
            without_python([&] { self.save(text); });
          },
          arg("path"))
      .def("predict", &predict, arg("rows"), arg("scores") = false,
           arg("places") = SharedModel::Places::in_order)
      .def("step", &step, arg("rows"), arg("labels"), arg("coded") = false,
           arg("new_classes") = Texts{}, arg("costs") = nb::none(), arg("details") = false,
           arg("every") = false)
      .def("ask", &ask, arg("rows"))
      .def("learn", &learn, arg("rows"), arg("labels"), arg("times"))
      .def("predict_one", &predict_one, arg("row"))
      .def("learn_one", &learn_one, arg("row"), arg("label"), arg("new_classes") = Texts{})
      .def(
          "set_threads",
          [](SharedModel& self, std::size_t threads) {
            without_python([&] { self.set_threads(threads); });
          },
          arg("threads"))
      .def_prop_ro("rows_learned", &SharedModel::rows_learned)
      .def_prop_ro("notes", &SharedModel::notes)
      .def_prop_ro("config", property([](const Model& model) { return to_json(model.config()); }))
      .def_prop_ro("features", property([](const Model& model) { return model.schema().features; }))
      .def_prop_ro("columns", property([](const Model& model) {
                     const std::string& label = model.schema().label;
                     Texts names = model.encoder().plan().names();
                     std::erase(names, label);
                     return names;
                   }))
      .def_prop_ro("is_sparse", property([](const Model& model) { return model.schema().sparse; }))
      .def_prop_ro("is_open",
                   property([](const Model& model) { return model.encoder().plan().named; }))
      .def_prop_ro("multiclass", &SharedModel::several_classes)
      .def_prop_ro("classes", property([](const Model& model) {
                     const Schema& schema = model.schema();
                     return schema.classes.empty() ? Texts{schema.negative, schema.positive}
                                                   : schema.classes;
                   }))
      .def("view", &view);
}

}  // namespace plumbline::python
