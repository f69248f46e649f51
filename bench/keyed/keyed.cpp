// Rows per second, memory and file of a KeyedModel with many keys, on one core.
//
//   keyed_bench KEYS ROWS [--features 20] [--parent fast|off|…] [--cache MIB] [--save-every ROWS] [--skewed]
//
// Keys are uniform, the worst case for a cache, or skewed (the square of a uniform number). Times are those of the
// processor, so that other work on the machine matters little; the elapsed time is printed too.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/keyed_model.h"
#include "plumbline/math/rng.h"
#include "plumbline/threads.h"

namespace {

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double peak_mib() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  if (argc < 3) {
    std::fprintf(stderr, "usage: keyed_bench KEYS ROWS [options]; see the file\n");
    return 2;
  }
  const std::uint64_t keys = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t rows = std::strtoull(argv[2], nullptr, 10);
  std::size_t features = 20, cache = 256;
  std::uint64_t save_every = 1000000;
  std::string parent = "fast";
  bool skewed = false;
  for (int i = 3; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--skewed") {
      skewed = true;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    if (option == "--features") features = std::stoul(value);
    if (option == "--cache") cache = std::stoul(value);
    if (option == "--save-every") save_every = std::stoull(value);
    if (option == "--parent") parent = value == "off" ? "" : value;
  }
  const ThreadLimit one(1);
  const std::string path = "keyed_bench.keyed";
  std::filesystem::remove(path);
  std::optional<KeyedModel> store =
      KeyedModel::create(path, preset("small"), Schema::numeric(features), {.parent = parent},
                         {.cache_bytes = cache << 20});
  KeyedModel& model = *store;

  const auto start = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  double made = 0;  // seconds for making rows
  constexpr std::size_t kTogether = 10000;
  std::vector<std::string> names;
  KeyedPredictions predictions;
  Minibatch batch(features);
  for (std::uint64_t done = 0; done < rows;) {
    const double begin = processor_seconds();
    batch.clear();
    names.clear();
    for (std::size_t i = 0; i < kTogether && done + i < rows; ++i) {
      Rng rng(1, 1, done + i);
      const double u = skewed ? std::pow(rng.uniform(), 2) : rng.uniform();
      const auto key = static_cast<std::uint64_t>(u * static_cast<double>(keys));
      names.push_back("customer-" + std::to_string(key));
      const std::span<double> row = batch.add(0);
      double sum = static_cast<double>(key % 7) - 3;
      for (std::size_t j = 0; j < features; ++j) {
        row[j] = rng.uniform() - 0.5;
        if (j < 4) sum += 3 * row[j];
      }
      if (rng.uniform() < 1 / (1 + std::exp(-sum))) {
        const std::vector<double> copy(row.begin(), row.end());
        batch.remove_last();
        std::copy(copy.begin(), copy.end(), batch.add(1).begin());
      }
    }
    made += processor_seconds() - begin;
    model.step(names, batch.examples(), predictions);
    const std::uint64_t last = done;
    done += batch.rows();
    if (done / save_every != last / save_every) {
      model.save(std::vector<Position>{{"rows", done}});
      std::fprintf(stderr, "%llu rows, %.0f s\n", static_cast<unsigned long long>(done),
                   processor_seconds() - before);
    }
  }
  model.save(std::vector<Position>{{"rows", rows}});
  const double used = processor_seconds() - before - made;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const KeyedTotals totals = model.totals();
  const double hits = static_cast<double>(model.hits());
  std::printf(
      "%llu keys, %llu rows of %zu features, parent %s, cache %zu MiB, saved every %llu rows\n"
      "  %.0f rows/s of processor time (%.0f s; elapsed with the making of rows %.0f s)\n"
      "  %.0f MiB of memory at most; file %.0f MiB, %.0f bytes a key; %zu bytes for a new key\n"
      "  %.1f %% of the rows found their state in memory; log-loss %.4f, parent %.4f\n",
      static_cast<unsigned long long>(totals.keys), static_cast<unsigned long long>(rows), features,
      parent.empty() ? "off" : parent.c_str(), cache, static_cast<unsigned long long>(save_every),
      static_cast<double>(rows) / used, used, elapsed.count(), peak_mib(),
      static_cast<double>(std::filesystem::file_size(path)) / 0x1p20,
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(totals.keys),
      model.fresh_bytes(), 100 * hits / (hits + static_cast<double>(model.misses())),
      totals.log_loss / static_cast<double>(rows),
      totals.parent_log_loss / static_cast<double>(rows));
  store.reset();
  std::filesystem::remove(path);
}
