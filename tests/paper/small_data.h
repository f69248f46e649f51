// Small files in the shape of the paper's data sets, and a plan over them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "paper/plan.h"

namespace plumbline::paper::small_data {

namespace fs = std::filesystem;

// A folder with small files in the shape of the paper's data sets.
class PaperData : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        (std::string("paper_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Rows whose first feature tells the classes apart, mostly; features count the rows.
  void write(const DataSet& set, const std::vector<std::string>& classes) {
    std::ofstream file(folder_ / (set.name + ".csv"));
    for (std::size_t j = 0; j < set.features; ++j) file << "x" << j << ",";
    file << "class\n";
    for (std::size_t i = 0; i < classes.size(); ++i) {
      for (std::size_t j = 0; j < set.features; ++j) {
        const double signal = j == 0 && i % 5 != 0 ? std::atof(classes[i].c_str()) : 0;
        file << static_cast<double>((i * 7 + j * 3) % 11) + 4 * signal << ",";
      }
      file << classes[i] << "\n";
    }
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // So many rows of each class, by turns.
  static std::vector<std::string> by_turns(std::size_t rows, std::vector<std::string> classes) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < rows; ++i) list.push_back(classes[i % classes.size()]);
    return list;
  }

  fs::path folder_;
};

// Two tables of two data sets.
class PaperPlan : public PaperData {
 protected:
  Plan small_plan() {
    write(data_set("mushroom"), by_turns(150, {"0", "1"}));
    write(data_set("krvskp"), by_turns(120, {"0", "1"}));
    Plan plan;
    plan.tables = {&table("NB10_stationary"), &table("PERC10_stationary")};
    plan.data_sets = {"mushroom", "krvskp"};
    plan.policies = policy_rows();
    plan.reading.model = preset("paper").model;
    plan.runs = 2;
    plan.data = folder_.string();
    plan.threads = 1;
    return plan;
  }
};

}  // namespace plumbline::paper::small_data
