// The class _core.Model.
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "learner.h"
#include "plumbline/streams/sample.h"
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

Numbers in_rows(std::vector<double>&& values, std::size_t outputs) {
  const std::size_t rows = outputs == 0 ? 0 : values.size() / outputs;
  return as_array(std::move(values), rows, outputs);
}

// The outputs are asked for afterwards: learning may bring new classes.
template <class Say>
Numbers said(const Learner& learner, const Say& say) {
  std::size_t outputs = 0;
  std::vector<double> values = without_python([&] {
    auto all = say();
    outputs = learner.outputs();
    return all;
  });
  return in_rows(std::move(values), outputs);
}

void add_rows(NamedRows& named, const nb::list& rows, const std::optional<Texts>& labels) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const nb::object row = rows[i];
    if (!nb::isinstance<nb::dict>(row)) throw nb::type_error("rows have to be dicts");
    named.add(nb::borrow<nb::dict>(row), labels ? std::optional(labels->at(i)) : std::nullopt);
  }
}

std::pair<std::unique_ptr<Learner>, Texts> from_table(const std::string& config, nb::handle table,
                                                      const Texts& labels, const Texts& categorical,
                                                      bool multiclass) {
  auto owned = std::make_unique<TableReader>(table, labels);
  owned->need_texts(SampledReader::kRows);
  SampledReader reader(std::move(owned));
  reader.need_a_row();
  Texts notes;
  auto learner = Learner::for_rows(
      config, reader, reader.sample(),
      {.label = "-1", .multiclass = multiclass, .categorical = categorical}, notes);
  return {std::move(learner), notes};
}

std::unique_ptr<Learner> from_named(const std::string& config, const nb::list& rows,
                                    const Texts& labels, bool multiclass) {
  NamedRows reader;
  add_rows(reader, rows, labels);
  Texts notes;
  return Learner::for_rows(config, reader, reader.sample(), {.multiclass = multiclass}, notes);
}

void need_categories(TableReader& reader, const Learner& learner, bool needs_label) {
  learner.look([&](const Pipeline& pipeline) {
    const Encoder::Binding binding = pipeline.encoder().bind(reader, needs_label);
    for (const auto& bound : binding.categories) reader.need_text(bound.column);
  });
}

nb::dict view_of(const Model& model) {
  const ModelView view = model.view();
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

nb::bytes to_bytes(Learner& learner) {
  const std::vector<std::byte> bytes = without_python([&] { return learner.to_bytes(); });
  return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::unique_ptr<Learner> from_bytes(const nb::bytes& bytes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
  return without_python([&] {
    return std::make_unique<Learner>(Pipeline::from_bytes({begin, bytes.size()}, "the bytes"));
  });
}

}  // namespace

void add_model(nb::module_& module) {
  nb::class_<Learner>(module, "Model")
      .def_static("numeric", &Learner::numeric, nb::arg("config"), nb::arg("features"),
                  nb::arg("classes"), nb::arg("multiclass"))
      .def_static("from_table", &from_table, nb::arg("config"), nb::arg("table"), nb::arg("labels"),
                  nb::arg("categorical"), nb::arg("multiclass"))
      .def_static("from_named", &from_named, nb::arg("config"), nb::arg("rows"), nb::arg("labels"),
                  nb::arg("multiclass"))
      .def_static(
          "load",
          [](const std::string& path) {
            return without_python([&] { return std::make_unique<Learner>(Pipeline::load(path)); });
          },
          nb::arg("path"))
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def("to_bytes", &to_bytes)
      .def(
          "save",
          [](Learner& self, const std::string& path) { without_python([&] { self.save(path); }); },
          nb::arg("path"))
      .def(
          "predict",
          [](const Learner& self, const Matrix& rows) {
            return said(self, [&] { return self.predict(rows, false); });
          },
          nb::arg("rows"))
      .def(
          "scores",
          [](const Learner& self, const Matrix& rows) {
            return said(self, [&] { return self.predict(rows, true); });
          },
          nb::arg("rows"))
      .def(
          "step",
          [](Learner& self, const Matrix& rows, const Labels& labels) {
            return said(self, [&] { return self.step(rows, labels); });
          },
          nb::arg("rows"), nb::arg("labels"))
      // Tables call back into Python when another chunk of them is due.
      .def(
          "predict_table",
          [](const Learner& self, nb::handle table) {
            TableReader reader(table, std::nullopt);
            need_categories(reader, self, false);
            return in_rows(self.predict(reader), self.outputs());
          },
          nb::arg("table"))
      .def(
          "step_table",
          [](Learner& self, nb::handle table, const Texts& labels) {
            TableReader reader(table, labels);
            need_categories(reader, self, true);
            std::vector<double> all = self.step(reader);
            return in_rows(std::move(all), self.outputs());
          },
          nb::arg("table"), nb::arg("labels"))
      .def(
          "predict_named",
          [](const Learner& self, const nb::list& rows) {
            NamedRows reader;
            add_rows(reader, rows, std::nullopt);
            return said(self, [&] { return self.predict(reader); });
          },
          nb::arg("rows"))
      // The probability of each class, as a list: what river asks for, without an array between.
      .def(
          "predict_named_one",
          [](const Learner& self, const nb::dict& row) {
            NamedRows reader;
            reader.add(row, std::nullopt);
            return without_python([&] {
              std::vector<double> p = self.predict(reader);
              const bool several = self.look([](const Pipeline& all) { return all.multiclass(); });
              if (!several) p.insert(p.begin(), 1 - p[0]);
              return p;
            });
          },
          nb::arg("row"))
      .def(
          "step_named",
          [](Learner& self, const nb::list& rows, const Texts& labels) {
            NamedRows reader;
            add_rows(reader, rows, labels);
            return said(self, [&] { return self.step(reader); });
          },
          nb::arg("rows"), nb::arg("labels"))
      .def_prop_ro("config",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) { return to_json(p.config()); });
                   })
      .def_prop_ro("features",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) { return p.schema().features; });
                   })
      .def_prop_ro("columns",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) { return p.encoder().column_names(); });
                   })
      .def_prop_ro("is_open",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) { return p.encoder().open(); });
                   })
      .def_prop_ro("multiclass",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) { return p.multiclass(); });
                   })
      .def_prop_ro("classes",
                   [](const Learner& self) {
                     return self.look([](const Pipeline& p) {
                       const Schema& schema = p.schema();
                       return schema.classes.empty() ? Texts{schema.negative, schema.positive}
                                                     : schema.classes;
                     });
                   })
      .def("view", [](const Learner& self) {
        return self.look([](const Pipeline& p) {
          nb::list all;
          if (!p.multiclass()) {
            all.append(view_of(p.model()));
          } else {
            for (const auto& part : p.multiclass_model().parts()) all.append(view_of(*part.model));
          }
          return all;
        });
      });
}

}  // namespace plumbline::python
