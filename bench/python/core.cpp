// The same work as Python's, by the library alone: core_loop FILE BATCH PASSES.
//
// Reads a CSV file of numbers with a label of 0 or 1 last, into memory. Then, on the clock, a Session goes over these
// rows: it copies BATCH of them at a time, predicts them and learns from them, with the preset `literal` and without
// standardizing. Prints the processor's seconds for each example, of the least of PASSES passes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <vector>

#include "plumbline/config.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/encoding/stored_rows.h"
#include "plumbline/error.h"
#include "plumbline/io/formats.h"
#include "plumbline/model.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"
#include "plumbline/threads.h"

namespace {

using namespace plumbline;

// Of the processor, for this thread alone: NumPy has threads of its own on the other side.
double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of_pass(const RowBatch& all, const Schema& schema, std::size_t batch_size) {
  Config config = preset("literal");
  config.encoder.standardize = EncoderOptions::Standardize::no;
  Model model(config, schema);
  std::vector<std::size_t> order(all.rows());
  std::iota(order.begin(), order.end(), 0);
  StoredRows source(schema, all.examples(), std::move(order));
  Session session(source, model);
  const ThreadLimit limit(1);
  const double start = thread_seconds();
  while (session.step(batch_size)) {
  }
  return thread_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::size_t batch_size = argc == 4 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::size_t passes = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0;
  if (batch_size == 0 || passes == 0) {
    std::fputs("usage: core_loop FILE BATCH PASSES\n", stderr);
    return 2;
  }
  SampledStream reader(open_stream(argv[1]));
  std::vector<Note> notes;
  const Encoder encoder = Encoder::fit({}, reader, reader.sample(), {}, notes);
  RowBatch all;
  RowReader(reader, encoder, Encoder::LabelUse::learn, {}).read(all, 100'000'000);
  double least = 1e9;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    least = std::min(least, seconds_of_pass(all, encoder.schema(), batch_size));
  }
  std::printf("%.9g\n", least / static_cast<double>(all.rows()));
  return 0;
} catch (const plumbline::Error& error) {
  std::fprintf(stderr, "core_loop: %s\n", error.what());
  return 1;
}
