#include "serve/event_log.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "plumbline/sqlite/database.h"

namespace plumbline::serve {
namespace {

class EventLogTest : public testing::Test {
 protected:
  EventLogTest() { std::filesystem::create_directory(folder_); }
  ~EventLogTest() override { std::filesystem::remove_all(folder_); }

  Remembered remember(EventLog& log, const std::string& id, const std::string& row,
                      double probability = 0.25) {
    std::promise<Remembered> result;
    log.remember({{id, row, {probability}, 7}},
                 [&](const std::vector<Remembered>& all) { result.set_value(all.at(0)); });
    return result.get_future().get();
  }
  Labelled label(EventLog& log, std::optional<std::string> id, std::optional<std::string> row,
                 const std::string& text) {
    std::promise<Labelled> result;
    log.add({{std::move(id), std::move(row), text}},
            [&](const std::vector<Labelled>& all) { result.set_value(all.at(0)); });
    return result.get_future().get();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("event_log_test" + std::to_string(::getpid()));
  const std::string path_ = folder_ / "log.sqlite";
};

TEST_F(EventLogTest, KeepsWhatItReports) {
  using enum Labelled::Status;
  {
    EventLog log(path_, {});
    EXPECT_EQ(remember(log, "a", "{1}").status, Remembered::Status::remembered);
    EXPECT_EQ(remember(log, "b", "{2}").status, Remembered::Status::remembered);
    EXPECT_EQ(label(log, "a", std::nullopt, "1").number, 1u);
    EXPECT_EQ(label(log, std::nullopt, "{3}", "0").number, 2u);
  }
  EventLog log(path_, {});
  EXPECT_EQ(log.counts().labels, 2u);
  EXPECT_EQ(log.counts().remembered, 2u);
  EXPECT_EQ(log.counts().pending(), 1u);
  EXPECT_EQ(label(log, "a", std::nullopt, "1").status, duplicate);
  EXPECT_EQ(label(log, "a", std::nullopt, "0").status, other_label);
  EXPECT_EQ(label(log, "a", std::nullopt, "0").first_label, "1");
  EXPECT_EQ(label(log, "b", "{9}", "0").status, other_row);
  EXPECT_EQ(label(log, "c", std::nullopt, "0").status, unknown_id);
  EXPECT_EQ(label(log, "c", "{4}", "0").number, 3u);
  const Remembered again = remember(log, "b", "{2}", 0.75);
  EXPECT_EQ(again.status, Remembered::Status::repeated);
  EXPECT_EQ(again.probabilities, std::vector{0.25});
  EXPECT_EQ(again.learned, 7u);
  EXPECT_EQ(remember(log, "b", "{9}").status, Remembered::Status::other_row);
  EXPECT_EQ(remember(log, "c", "{4}").status, Remembered::Status::labelled);
}

TEST_F(EventLogTest, ReadsLabelsWithTheRowsOfTheirPredictions) {
  EventLog log(path_, {});
  remember(log, "a", "{1}");
  label(log, std::nullopt, "{2}", "x");
  label(log, "a", std::nullopt, "y");
  EventLog::Reader reader(path_);
  const std::vector<LabelRecord> all = reader.labels(0, 10);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].row, "{2}");
  EXPECT_FALSE(all[0].predicted);
  EXPECT_EQ(all[1].row, "{1}");
  EXPECT_EQ(all[1].id, "a");
  EXPECT_EQ(all[1].probabilities, std::vector{0.25});
  EXPECT_LE(*all[1].predicted, all[1].time);
  EXPECT_EQ(reader.labels(1, 10).size(), 1u);
  EXPECT_EQ(reader.labels(2, 10).size(), 0u);
  EXPECT_EQ(reader.find("a")->label, "y");
  EXPECT_FALSE(reader.find("b"));
}

TEST_F(EventLogTest, OneGroupMayHoldTheSameIdTwice) {
  EventLog log(path_, {});
  std::promise<std::vector<Labelled>> done;
  log.add({{"a", "{1}", "1"}, {"a", "{1}", "1"}, {"a", "{1}", "0"}},
          [&](const std::vector<Labelled>& all) { done.set_value(all); });
  const std::vector<Labelled> all = done.get_future().get();
  EXPECT_EQ(all[0].status, Labelled::Status::accepted);
  EXPECT_EQ(all[1].status, Labelled::Status::duplicate);
  EXPECT_EQ(all[2].status, Labelled::Status::other_label);
  EXPECT_EQ(log.counts().labels, 1u);
}

TEST_F(EventLogTest, KeepsTheLastTwoSnapshots) {
  EventLog log(path_, {});
  for (const std::uint64_t number : {10u, 20u, 30u}) {
    log.add(Snapshot{number, "f" + std::to_string(number), "{}", 5, 6});
  }
  EventLog::Reader reader(path_);
  const std::vector<Snapshot> all = reader.snapshots();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].number, 30u);
  EXPECT_EQ(all[1].file, "f20");
}

TEST_F(EventLogTest, LabelsOfManyThreadsAreNumberedWithoutGaps) {
  constexpr int kThreads = 8, kLabels = 200;
  std::atomic<int> reported = 0, notified = 0;
  {
    EventLog log(path_, {});
    log.on_labels([&] { ++notified; });
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kLabels; ++i) {
          // Each label is sent by two threads.
          const std::string id = std::to_string(t / 2) + "-" + std::to_string(i);
          log.add({{id, "{}", "1"}}, [&](const std::vector<Labelled>& all) {
            EXPECT_NE(all.at(0).number, 0u);
            ++reported;
          });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(reported, kThreads * kLabels);
  EXPECT_GT(notified, 0);
  EventLog::Reader reader(path_);
  const std::vector<LabelRecord> all = reader.labels(0, 10'000);
  ASSERT_EQ(all.size(), std::size_t{kThreads / 2 * kLabels});
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, i + 1);
}

TEST_F(EventLogTest, RefusesWhatIsNoLog) {
  { EventLog log(path_, {}); }
  std::filesystem::resize_file(path_, 100);
  EXPECT_THROW(EventLog(path_, {}), DatabaseError);
  EXPECT_THROW(EventLog("/nonexistent/log", {}), DatabaseError);
}

// Its file would grow with every label otherwise, and a restart would read all of it.
TEST_F(EventLogTest, WriteAheadLogBeginsAnewWhenItsPagesAreInTheDatabase) {
  EventLog log(path_, {});
  // In the header of the file: how often it has begun.
  const auto beginnings = [&] {
    std::ifstream file(path_ + "-wal", std::ios::binary);
    std::array<char, 16> header{};
    file.read(header.data(), header.size());
    return std::string(header.data() + 12, 4);
  };
  const auto write = [&] {
    const std::string row = "{" + std::string(100'000, 'x') + "}";
    EXPECT_EQ(label(log, std::nullopt, row, "1").status, Labelled::Status::accepted);
  };
  write();
  const std::string first = beginnings();
  for (int i = 0; i < 100; ++i) write();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (beginnings() == first && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    write();
  }
  EXPECT_NE(beginnings(), first);
}

}  // namespace
}  // namespace plumbline::serve
