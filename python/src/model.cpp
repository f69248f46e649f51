// The class _core.BinaryModel.
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "learner.h"
#include "plumbline/io/number.h"
#include "plumbline/io/sample.h"
#include "plumbline/model/config.h"
#include "tables.h"

namespace plumbline::python {
namespace {

using Texts = std::vector<std::string>;

// Releases Python's lock while `work` runs, which must not touch Python.
template <class Work>
auto without_python(const Work& work) {
  const nb::gil_scoped_release release;
  return work();
}

// ---- Making one

// `config` is JSON, and changes the preset `auto`.
Config config_from(const std::string& json) { return overlay(preset("auto"), json); }

// For rows of numbers.
std::unique_ptr<Learner> numeric(const std::string& config, Texts features, const Texts& classes,
                                 bool multiclass) {
  const Config parsed = config_from(config);
  Schema schema{.features = std::move(features)};
  if (multiclass) {
    for (const std::string& label : classes) schema.classes.push_back(canonical_label(label));
  } else {
    schema.negative = canonical_label(classes.at(0));
    schema.positive = canonical_label(classes.at(1));
  }
  check(schema);
  return std::make_unique<Learner>(
      Model(parsed, Encoder::numeric(parsed.encoder, std::move(schema))));
}

// For rows of a table: what its columns are is found out from the first of them.
std::unique_ptr<Learner> from_table(const std::string& config, nb::handle table,
                                    const Texts& classes, bool multiclass, const Texts& categorical,
                                    const Texts& numeric, const Texts& ignore,
                                    const Texts& missing) {
  auto rows = std::make_unique<TableRows>(table);
  rows->show_to_fit(ignore);
  const std::string label = rows->columns().back().name;
  const Config parsed = config_from(config);
  SampledStream reader(std::move(rows));
  reader.need_a_row();
  Texts notes;
  return std::make_unique<Learner>(
      Model(parsed, Encoder::fit(parsed.encoder, reader, reader.sample(),
                                 {.label = label,
                                  .multiclass = multiclass,
                                  .classes = classes,
                                  .categorical = categorical,
                                  .numeric = numeric,
                                  .ignore = ignore,
                                  .missing = missing},
                                 notes)));
}

std::unique_ptr<Learner> from_named(const std::string& config, const nb::list& rows,
                                    const Texts& classes, bool multiclass) {
  const Config parsed = config_from(config);
  NamedRows named;
  named.add_rows(rows);
  Texts notes;
  return std::make_unique<Learner>(
      Model(parsed, Encoder::fit(parsed.encoder, named, named.sample(),
                                 {.multiclass = multiclass, .classes = classes}, notes)));
}

std::unique_ptr<Learner> from_bytes(const nb::bytes& bytes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
  return without_python([&] {
    return std::make_unique<Learner>(Model::from_bytes({begin, bytes.size()}, "the bytes"));
  });
}

// ---- Learning and predicting

// Calls use(given) with the rows, of whatever kind they are.
template <class Use>
auto with_rows(const nb::object& rows, const Use& use) {
  Matrix matrix;
  if (nb::try_cast(rows, matrix)) {
    MatrixRows given(matrix);
    return use(given);
  }
  if (nb::isinstance<nb::list>(rows)) {
    NamedRows given;
    given.add_rows(nb::borrow<nb::list>(rows));
    return use(given);
  }
  if (nb::hasattr(rows, "__arrow_c_stream__")) {
    TableRows given(rows);
    return use(given);
  }
  if (!nb::hasattr(rows, "indptr"))
    throw nb::type_error("X has to be rows of numbers, a table or dicts");
  const SparseMatrix sparse{
      nb::cast<Vector>(rows.attr("data")), nb::cast<Vector>(rows.attr("indices")),
      nb::cast<Vector>(rows.attr("indptr")), nb::cast<std::size_t>(rows.attr("shape")[1])};
  SparseMatrixRows given(sparse);
  return use(given);
}

// One column for each class; of two classes, the negative one is what the positive one leaves.
Numbers in_columns(const Learner::Said& said, std::vector<double> values) {
  const std::size_t rows = values.size() / said.outputs;
  if (said.several) return as_array(std::move(values), rows, said.outputs);
  std::vector<double> both(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    both[2 * i] = 1 - values[i];
    both[2 * i + 1] = values[i];
  }
  return as_array(std::move(both), rows, 2);
}

Numbers predict(const Learner& self, const nb::object& rows, bool scores) {
  return with_rows(rows, [&](Given& given) {
    Learner::Said said = without_python([&] { return self.predict(given); });
    return in_columns(said, std::move(scores ? said.scores : said.probabilities));
  });
}

// The numbers that the classes are, false and true being 0 and 1; none if one is no number.
std::vector<double> class_numbers(const Model& pipeline) {
  const Schema& schema = pipeline.schema();
  std::vector<double> numbers;
  for (const std::string& text :
       schema.classes.empty() ? Texts{schema.negative, schema.positive} : schema.classes) {
    double number = text == "true" ? 1 : 0;
    if (text != "true" && text != "false" && !parse_number(text, number)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

// `labels` are the classes' numbers, or their places if `coded`.
nb::object step(Learner& self, const nb::object& rows, const Vector& labels, bool coded,
                const Texts& new_classes, const std::optional<Matrix>& costs, bool scores) {
  return with_rows(rows, [&](Given& given) -> nb::object {
    Learner::Said said = without_python([&] {
      Learner::Truth truth{.labels = {}, .new_classes = new_classes};
      if (coded) {
        truth.labels = places(labels, kMostClasses);
      } else {
        truth.labels = places_of(labels, self.look(class_numbers));
      }
      if (costs) truth.costs = costs_of(*costs, given.size());
      return self.step(given, truth);
    });
    const Numbers probabilities = in_columns(said, std::move(said.probabilities));
    if (!scores) return nb::cast(probabilities);
    return nb::make_tuple(probabilities, in_columns(said, std::move(said.scores)));
  });
}

// Learns each row so many times. `labels` are places.
void learn(Learner& self, const nb::object& rows, const Vector& labels, const Vector& times) {
  with_rows(rows, [&](Given& given) {
    without_python([&] {
      self.learn(given, {.labels = places(labels, kMostClasses)}, counts_of(times));
      return 0;
    });
    return 0;
  });
}

// What river asks for, without an array between: the probability of each class.
std::vector<double> predict_one(const Learner& self, const nb::dict& row) {
  NamedRows named;
  named.add_row(row);
  return without_python([&] {
    Learner::Said said = self.predict(named);
    std::vector<double>& p = said.probabilities;
    if (!said.several) p.insert(p.begin(), 1 - p[0]);
    return std::move(p);
  });
}

void learn_one(Learner& self, const nb::dict& row, Label label, const Texts& new_classes) {
  NamedRows named;
  named.add_row(row);
  without_python([&] {
    self.step(named, {.labels = {label}, .new_classes = new_classes});
    return 0;
  });
}

// ---- Looking

nb::dict to_dict(const ModelView& view) {
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
    const std::string_view action = name(arm.action);
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

// Of each binary model.
nb::list view(const Learner& self) {
  const auto views = without_python([&] {
    return self.look([](const Model& pipeline) {
      std::vector<ModelView> all;
      if (!pipeline.multiclass()) {
        all.push_back(pipeline.model().view());
      } else {
        for (const auto& part : pipeline.multiclass_model().parts()) {
          all.push_back(part.model->view());
        }
      }
      return all;
    });
  });
  nb::list all;
  for (const ModelView& one : views) all.append(to_dict(one));
  return all;
}

// A property that is read without Python's lock: whoever learns may hold the model's for long.
template <class Look>
auto property(const Look& look) {
  return [look](const Learner& self) { return without_python([&] { return self.look(look); }); };
}

}  // namespace

void add_model(nb::module_& module) {
  using nb::arg;
  module.def(
      "canonical_label", [](const std::string& text) { return canonical_label(text); },
      arg("text"));
  nb::class_<Learner>(module, "Model")
      .def_static("numeric", &numeric, arg("config"), arg("features"), arg("classes"),
                  arg("multiclass"))
      .def_static("from_table", &from_table, arg("config"), arg("table"), arg("classes"),
                  arg("multiclass"), arg("categorical"), arg("numeric"), arg("ignore"),
                  arg("missing"))
      .def_static("from_named", &from_named, arg("config"), arg("rows"), arg("classes"),
                  arg("multiclass"))
      .def_static(
          "load",
          [](const nb::bytes& path) {
            const std::string text(path.c_str(), path.size());
            return without_python([&] { return std::make_unique<Learner>(Model::load(text)); });
          },
          arg("path"))
      .def_static("from_bytes", &from_bytes, arg("bytes"))
      .def("to_bytes",
           [](const Learner& self) {
             const auto bytes = without_python([&] { return self.to_bytes(); });
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def(
          "save",
          [](const Learner& self, const nb::bytes& path) {
            const std::string text(path.c_str(), path.size());
            without_python([&] { self.save(text); });
          },
          arg("path"))
      .def("predict", &predict, arg("rows"), arg("scores") = false)
      .def("step", &step, arg("rows"), arg("labels"), arg("coded") = false,
           arg("new_classes") = Texts{}, arg("costs") = nb::none(), arg("scores") = false)
      .def("learn", &learn, arg("rows"), arg("labels"), arg("times"))
      .def("predict_one", &predict_one, arg("row"))
      .def("learn_one", &learn_one, arg("row"), arg("label"), arg("new_classes") = Texts{})
      .def(
          "set_threads",
          [](Learner& self, std::size_t threads) {
            without_python([&] { self.set_threads(threads); });
          },
          arg("threads"))
      .def_prop_ro("rows_learned", &Learner::rows_learned)
      .def_prop_ro("config",
                   property([](const Model& pipeline) { return to_json(pipeline.config()); }))
      .def_prop_ro("features",
                   property([](const Model& pipeline) { return pipeline.schema().features; }))
      .def_prop_ro("columns", property([](const Model& pipeline) {
                     const std::string& label = pipeline.schema().label;
                     Texts names = pipeline.encoder().column_names();
                     std::erase(names, label);
                     return names;
                   }))
      .def_prop_ro("is_open",
                   property([](const Model& pipeline) { return pipeline.encoder().open(); }))
      .def_prop_ro("multiclass",
                   property([](const Model& pipeline) { return pipeline.multiclass(); }))
      .def_prop_ro("classes", property([](const Model& pipeline) {
                     const Schema& schema = pipeline.schema();
                     return schema.classes.empty() ? Texts{schema.negative, schema.positive}
                                                   : schema.classes;
                   }))
      .def("view", &view);
}

}  // namespace plumbline::python
