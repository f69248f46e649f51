// What several tests need: small data, and a way to expect an Error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/error.h"
#include "plumbline/generators/registry.h"
#include "plumbline/math/portable_math.h"
#include "plumbline/math/rng.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"

namespace plumbline::test {

struct Row {
  std::initializer_list<double> x;
  Label y;
};

inline Minibatch rows(std::initializer_list<Row> list) {
  Minibatch batch(list.begin()->x.size());
  for (const Row& row : list) {
    const auto x = batch.add(row.y);
    std::copy(row.x.begin(), row.x.end(), x.begin());
  }
  return batch;
}

// The first `count` examples of a generator.
inline Minibatch generate(const Spec& spec, std::size_t count, std::uint64_t seed = 1) {
  const auto stream = generators().make(spec, seed);
  Minibatch batch(stream->schema().size());
  stream->read(batch, count);
  return batch;
}

// Those of the waveform stream.
inline Minibatch waveform(std::size_t count, std::uint64_t seed = 1,
                          const Spec& spec = "waveform:noise_features=0") {
  return generate(spec, count, seed);
}

// The share of positive labels.
inline double positive_rate(const Minibatch& batch) {
  double positives = 0;
  for (const Label label : batch.examples().y) positives += label;
  return positives / static_cast<double>(batch.rows());
}

// Five standard errors of a share p among n.
inline double five_errors(double p, double n) { return 5 * std::sqrt(p * (1 - p) / n); }

// Expects the same examples from two equal streams, one read at once, one in uneven pieces.
inline void expect_the_same_in_pieces(Generator& whole, Generator& pieces, std::size_t count) {
  const std::size_t columns = whole.schema().size();
  Minibatch all(columns), piece(columns);
  whole.read(all, count);
  std::vector<double> values;
  std::vector<Label> labels;
  for (std::size_t size = 1; labels.size() < count; size = size % 7 + 1) {
    pieces.read(piece, std::min(size, count - labels.size()));
    const Examples read = piece.examples();
    values.insert(values.end(), read.x.values.begin(), read.x.values.end());
    labels.insert(labels.end(), read.y.begin(), read.y.end());
  }
  EXPECT_TRUE(std::ranges::equal(values, all.features().values));
  EXPECT_TRUE(std::ranges::equal(labels, all.examples().y));
}

// A mean at which a Poisson draw by inversion stands between two counts: e^-mean is the generator's next
// number, if that is at least 1/2; else 1.
inline double border_mean(Rng rng) {
  const double u = rng.uniform();
  if (u < 0.5) return 1;
  // Many means have the same e^-mean.
  double mean = -std::log(u);
  for (int i = 0; i < 100 && portable_exp(-mean) < u; ++i) mean = std::nextafter(mean, 0);
  for (int i = 0; i < 100 && portable_exp(-mean) > u; ++i) mean = std::nextafter(mean, 1);
  return mean;
}

// Rows `from` to `to` of a minibatch, as a view.
inline Examples slice(const Minibatch& batch, std::size_t from, std::size_t to) {
  const Examples all = batch.examples();
  const std::size_t columns = all.x.columns;
  return {{all.x.values.subspan(from * columns, (to - from) * columns), to - from, columns},
          all.y.subspan(from, to - from)};
}

// A model as a file brings it back: made anew, with a state that was saved.
inline BinaryModel resumed(const BinaryModel& like, const Tensors& state) {
  BinaryModel model(like.config(), like.features());
  load_state(model, state);
  return model;
}

inline MulticlassModel resumed(const MulticlassModel& like, const Tensors& state) {
  MulticlassModel model(like.config(), like.features(), like.classes());
  load_state(model, state);
  return model;
}

// Runs `body` and expects an Error of this kind whose message holds each of the parts.
template <class Body>
void expect_error(ErrorKind kind, std::initializer_list<const char*> parts, Body&& body) {
  try {
    body();
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const char* part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "'" << part << "' is not in: " << error.what();
    }
  }
}

}  // namespace plumbline::test
