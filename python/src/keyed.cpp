// The class _core.Keyed: one model per key, for rows of numbers.
//
// Calls keep Python's lock; those for many rows let signal handlers run between two parts, which are learned then.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "plumbline/keyed_model.h"

namespace plumbline::python {
namespace {

using Texts = std::vector<std::string>;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const Label, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Statistics =
    std::tuple<std::string, std::uint64_t, std::uint64_t, double, double, std::uint64_t>;

std::string text_of(const nb::bytes& path) { return {path.c_str(), path.size()}; }

std::unique_ptr<KeyedModel> make(const nb::bytes& path, const std::string& config,
                                 const Texts& features, const Texts& labels,
                                 const std::string& parent, std::uint64_t ttl,
                                 std::size_t cache_bytes) {
  Config chosen = overlay(preset("small"), config);
  const Schema schema{
      .features = features, .label = "label", .negative = labels.at(0), .positive = labels.at(1)};
  return std::make_unique<KeyedModel>(KeyedModel::create(
      text_of(path), chosen, schema, {.parent = parent, .ttl = ttl}, {.cache_bytes = cache_bytes}));
}

std::unique_ptr<KeyedModel> open(const nb::bytes& path, bool learns, std::size_t cache_bytes) {
  return std::make_unique<KeyedModel>(
      KeyedModel::open(text_of(path), learns ? KeyedModel::Use::learn : KeyedModel::Use::predict,
                       {.cache_bytes = cache_bytes}));
}

Batch batch_of(const Rows& rows) {
  return {.values = {rows.data(), rows.shape(0) * rows.shape(1)},
          .rows = rows.shape(0),
          .columns = rows.shape(1)};
}

Numbers in_two_columns(const std::vector<double>& probabilities) {
  std::vector<double> both(2 * probabilities.size());
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    both[2 * i] = 1 - probabilities[i];
    both[2 * i + 1] = probabilities[i];
  }
  return as_array(std::move(both), probabilities.size(), 2);
}

Numbers predict(KeyedModel& self, const Texts& keys, const Rows& rows) {
  KeyedPredictions predictions;
  self.predict(keys, batch_of(rows), predictions);
  return in_two_columns(predictions.probabilities);
}

Numbers step(KeyedModel& self, const Texts& keys, const Rows& rows, const Labels& labels) {
  KeyedPredictions predictions;
  self.step(keys, {.x = batch_of(rows), .y = {labels.data(), labels.shape(0)}}, predictions);
  return in_two_columns(predictions.probabilities);
}

Statistics tuple_of(const KeyStatistics& of) {
  return {of.key, of.rows, of.positives, of.log_loss, of.parent_log_loss, of.last};
}

}  // namespace

void add_keyed(nb::module_& module) {
  using nb::arg;
  nb::class_<KeyedModel>(module, "Keyed")
      .def_static("make", &make, arg("path"), arg("config"), arg("features"), arg("labels"),
                  arg("parent"), arg("ttl"), arg("cache_bytes"))
      .def_static("open", &open, arg("path"), arg("learns"), arg("cache_bytes"))
      .def("predict", &predict, arg("keys"), arg("rows"))
      .def("step", &step, arg("keys"), arg("rows"), arg("labels"))
      .def(
          "save",
          [](KeyedModel& self, const std::vector<std::pair<std::string, std::uint64_t>>& all) {
            std::vector<Position> positions;
            for (const auto& [source, rows] : all) positions.push_back({source, rows});
            self.save(positions);
          },
          arg("positions"))
      .def("positions",
           [](KeyedModel& self) {
             std::vector<std::pair<std::string, std::uint64_t>> all;
             for (const auto& [source, rows] : self.positions()) all.emplace_back(source, rows);
             return all;
           })
      .def("totals",
           [](const KeyedModel& self) {
             const KeyedTotals of = self.totals();
             return std::make_tuple(of.rows, of.keys, of.expired, of.log_loss, of.parent_log_loss);
           })
      .def("worst",
           [](const KeyedModel& self) {
             std::vector<Statistics> all;
             for (const KeyStatistics& of : self.worst()) all.push_back(tuple_of(of));
             return all;
           })
      .def(
          "statistics",
          [](KeyedModel& self, const std::string& key) -> std::optional<Statistics> {
            const auto of = self.statistics(key);
            if (!of) return std::nullopt;
            return tuple_of(*of);
          },
          arg("key"))
      .def(
          "model_bytes",
          [](KeyedModel& self, const std::string& key) -> std::optional<nb::bytes> {
            const auto model = self.model_of(key);
            if (!model) return std::nullopt;
            const std::vector<std::byte> bytes = model->to_bytes();
            return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          },
          arg("key"))
      .def_prop_ro("features", [](const KeyedModel& self) { return self.schema().features; })
      .def_prop_ro("labels",
                   [](const KeyedModel& self) {
                     return Texts{self.schema().negative, self.schema().positive};
                   })
      .def_prop_ro("parent", [](const KeyedModel& self) { return self.options().parent; })
      .def_prop_ro("ttl", [](const KeyedModel& self) { return self.options().ttl; })
      .def_prop_ro("fresh_bytes", [](const KeyedModel& self) { return self.fresh_bytes(); });
}

}  // namespace plumbline::python
