// Generators and the rows of files.
#include "bindings.h"

#include <algorithm>
#include <memory>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "plumbline/base/utf8.h"
#include "plumbline/error.h"
#include "plumbline/generators/registry.h"
#include "plumbline/io/formats.h"
#include "plumbline/schema.h"

namespace plumbline::python {
namespace {

constexpr std::size_t kSome = 1024;  // rows between two checks for signals

class GeneratedRows {
 public:
  GeneratedRows(const std::string& spec, std::uint64_t seed)
      : stream_(generators().make(std::string_view(spec), seed)),
        batch_(stream_->schema().size()) {}

  const Schema& schema() const { return stream_->schema(); }

  // All memory is allocated first, so that a failure loses no rows. A signal handler that raises an exception ends the
  // call between minibatches.
  nb::tuple take(std::size_t rows) {
    Room<double> x({rows, schema().size()});
    Room<std::int64_t> y({rows});
    double* values = x.data();
    std::int64_t* labels = y.data();
    for (std::size_t left = rows; left > 0; left -= batch_.rows()) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      stream_->read(batch_, std::min(left, kSome));
      const Examples examples = batch_.examples();
      values = std::ranges::copy(examples.x.values, values).out;
      labels = std::ranges::copy(examples.y, labels).out;
    }
    return nb::make_tuple(std::move(x).as_array(), std::move(y).as_array());
  }

 private:
  std::unique_ptr<Generator> stream_;
  Minibatch batch_;
};

class FileRows {
 public:
  FileRows(const nb::bytes& path, const std::string& format)
      : reader_(open_stream({path.c_str(), path.size()}, {.format = format})) {}

  // A dict from names to texts; in formats whose rows name their features, it also has the key `label`.
  nb::dict next() {
    if (!reader_->next()) throw nb::stop_iteration();
    const Row& row = reader_->row();
    nb::dict result;
    const auto as_text = [&](std::string_view text) {
      if (!is_utf8(text)) {
        throw Error(ErrorKind::data, "the row is not valid UTF-8; convert the file",
                    {.source = reader_->name(), .line = reader_->line()});
      }
      return nb::str(text.data(), text.size());
    };
    const auto put = [&](std::string_view name, std::string_view text) {
      result[as_text(name)] = as_text(text);
    };
    if (row.label) put("label", *row.label);
    for (std::size_t j = 0; j < row.fields.size(); ++j) {
      put(row.names.empty() ? std::string_view(reader_->columns()[j].name) : row.names[j],
          row.fields[j]);
    }
    return result;
  }

 private:
  std::unique_ptr<Stream> reader_;
};

}  // namespace

void add_streams(nb::module_& module) {
  nb::class_<GeneratedRows>(module, "Generator")
      .def(nb::init<const std::string&, std::uint64_t>(), nb::arg("spec"), nb::arg("seed") = 1)
      .def("take", &GeneratedRows::take, nb::arg("rows"))
      .def_prop_ro("features", [](const GeneratedRows& self) { return self.schema().features; });
  nb::class_<FileRows>(module, "FileRows")
      .def(nb::init<const nb::bytes&, const std::string&>(), nb::arg("path"),
           nb::arg("format") = "")
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", &FileRows::next);
}

}  // namespace plumbline::python
