// Predicts from the rows most like the new one: a weighted vote of its nearest neighbors among the last rows (k-NN;
// in streams: Law & Zaniolo 2005).
//
// Rows are compared by the L1 distance of their features, each of which is measured in deviations from its mean over the
// rows kept and rounded to a byte, 32 to a deviation, within +-4 deviations. Of the k nearest neighbors with distances
// d_1 <= … <= d_k, in bytes, neighbor i has the weight
//   w_i = ((d_1 + 1)/(d_i + 1))^4,     and class c the share q_c = (sum of its w_i + a)/(sum of all w_i + a K)
// with a = 0.03. The margin is ln(q_c/(1 - q_c)). There are two columns: with neighbors among all rows kept, and among the
// newest eighth of them, for streams that move.
//
// Means and deviations are those of the rows kept, renewed after 8, 16, …, 1024 rows and then after every 1024.
// Features beyond 256 are added to earlier ones: feature j to feature j modulo 256.
// Rows are kept in blocks of 8; the oldest block is forgotten when a new one starts.
// Memory: rows * features * 5 bytes, at most 256 features; 1.1 MB for 54 features. Cost per row: a byte-wise
// comparison with all rows kept, 32 bytes in one instruction with AVX2, and O(features) for learning.
#pragma once

#include <cstdint>
#include <vector>

#include "plumbline/companions/companion.h"
#include "plumbline/kernels/nearest_rows.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Neighbors : public Companion {
 public:
  static constexpr CompanionTraits kTraits{.columns = 2};

  struct Params {
    std::int64_t k = 16;
    std::int64_t rows = 4096;
    void visit(OptionVisitor& visitor);
  };

  Neighbors(const Params& params, const CompanionUse& use);

  void learn(const Examples& examples) override;
  void margins(const Batch& batch, std::size_t ahead, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void add_class() override { ++classes_; }
  void archive(Archive& archive) override;

 private:
  using Nearest = kernels::NearestRows;

  // The place of the next row; places are used in turn.
  std::size_t next() const { return count_ % capacity_; }
  // The number of rows after the one at this place.
  std::size_t age_of(std::size_t place) const {
    return ((count_ - 1) % capacity_ + capacity_ - place) % capacity_;
  }
  // Makes room for so many rows.
  void resize(std::size_t rows);
  void read_row(const Batch& batch, std::size_t i, std::span<float> row) const;
  // Writes the bytes of the row at this place.
  void write_bytes(std::size_t place);
  // Renews means and scales, and the bytes of all rows.
  void rescale();
  // Adds the rows of `count` blocks; before them, `skipped` newer ones are left out.
  void search(const std::uint8_t* query, std::size_t skipped, std::size_t count,
              Nearest& nearest) const;
  // Writes the log-odds of each output.
  void vote(const Nearest& nearest, std::span<double> log_odds) const;
  void archive_rows(Archive& archive);

  std::size_t k_, capacity_;  // the capacity is a multiple of the rows of a block
  std::size_t width_;         // features, but at most 256
  bool several_;
  std::size_t classes_;

  std::uint64_t count_ = 0;             // rows so far
  std::vector<float> rows_;             // the values of each row kept, by place
  std::vector<Label> labels_;           // by place
  std::vector<double> means_, scales_;  // of each feature
  std::vector<std::uint8_t> bytes_;     // kernels::ByteTable, by place
};

}  // namespace plumbline::inline v0
