// Lanes on the mock cluster of librdkafka. It speaks the protocol, but forgets the offsets of transactions, fences nobody,
// and knows no isolation: what needs these is in engine_test.py, on a real broker.
#include "kafka/lane.h"

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdlib.h>

#include "plumbline/config.h"
#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "plumbline-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Cluster {
 public:
  Cluster() {
    char reason[512];
    handle_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), reason, sizeof reason);
    cluster_ = rd_kafka_mock_cluster_new(handle_, 1);
  }
  ~Cluster() {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(handle_);
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  Connection connection() const { return {rd_kafka_mock_cluster_bootstraps(cluster_)}; }
  void make(const char* topic) { rd_kafka_mock_topic_create(cluster_, topic, 1, 1); }
  rd_kafka_mock_cluster_t* mock() const { return cluster_; }
  // Rows as one transaction.
  void send(const std::string& topic, int from, int to) {
    Publisher publisher(connection(), "sender-" + topic);
    publisher.begin(Milliseconds(10'000));
    for (int i = from; i < to; ++i) {
      publisher.publish({.topic = topic,
                         .partition = 0,
                         .key = fmt::format("k{}", i),
                         .value = fmt::format(R"({{"a":{},"label":{}}})", i * 7 % 10, i % 2)});
    }
    publisher.commit("sender", {{topic, 0, to, ""}}, Milliseconds(10'000));
  }
  std::vector<Message> read(const std::string& topic) {
    Log log(connection(), "reader", topic, 0);
    log.read_from(0);
    std::vector<Message> messages;
    while (!log.at_end()) {
      if (log.peek(Milliseconds(100)) != nullptr) messages.push_back(log.pop());
    }
    return messages;
  }

 private:
  rd_kafka_t* handle_;
  rd_kafka_mock_cluster_t* cluster_;
};

void set_up(Job& job, const Cluster& cluster, const StateFolder& folder) {
  job.connection = cluster.connection();
  job.group = folder.group();
  job.topic = "rows";
  job.predictions = "scores";
  job.prediction_partitions = 1;
  job.folder = &folder;
  job.config = preset("fast");
  job.sample = 20;
  job.tell = [](const std::string&) {};
}

void run_to_end(Job& job, Cluster& cluster) {
  job.until_end = true;
  const Log log(cluster.connection(), "bounds", "rows", 0);
  job.ends[0] = log.bounds(Milliseconds(10'000)).high;
  Lane lane(job, 0);
  while (!lane.finished()) std::this_thread::sleep_for(Milliseconds(10));
  lane.stop();
  if (job.failure()) std::rethrow_exception(job.failure());
}

TEST(Lane, PredictsEachRowOnceAlsoIfTheCoordinatorIsBusy) {
  constexpr int kTxnOffsetCommit = 28;  // the number of this request in the protocol
  Cluster cluster;
  cluster.make("rows");
  cluster.make("scores");
  cluster.send("rows", 0, 80);
  rd_kafka_mock_push_request_errors(cluster.mock(), kTxnOffsetCommit, 2,
                                    RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
                                    RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE);
  const Folder path;
  const StateFolder folder(path.path(), {.topic = "rows", .labels = "", .group = ""});
  Job job;
  set_up(job, cluster, folder);
  job.snapshot_every = 25;
  run_to_end(job, cluster);
  EXPECT_EQ(job.counts.predictions, 80U);
  EXPECT_EQ(job.counts.restarts, 0U);
  const std::vector<Message> scores = cluster.read("scores");
  ASSERT_EQ(scores.size(), 80U);
  for (int i = 0; i < 80; ++i) {
    EXPECT_EQ(scores[static_cast<std::size_t>(i)].key, fmt::format("k{}", i));
  }
  // One model is left, that of the end.
  EXPECT_EQ(PartitionModel::offsets_of(folder.load(0, "80")).value().rows, 80);
  EXPECT_THROW(folder.load(0, "25"), Error);
}

TEST(Lane, ABadRowStopsItWithItsPlace) {
  Cluster cluster;
  cluster.make("rows");
  cluster.make("scores");
  cluster.send("rows", 0, 30);
  Publisher publisher(cluster.connection(), "bad");
  publisher.begin(Milliseconds(10'000));
  publisher.publish({.topic = "rows", .partition = 0, .value = "{"});
  publisher.commit("bad", {{"rows", 0, 31, ""}}, Milliseconds(10'000));
  const Folder path;
  const StateFolder folder(path.path(), {.topic = "rows", .labels = "", .group = ""});
  Job job;
  set_up(job, cluster, folder);
  try {
    run_to_end(job, cluster);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("partition 0, offset 30"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(job.counts.predictions, 30U);
}

TEST(Properties, OfLibrdkafkaAreChecked) {
  const auto properties = parse_properties({"security.protocol=SASL_SSL", "sasl.password=a=b"});
  ASSERT_EQ(properties.size(), 2U);
  EXPECT_EQ(properties[1].second, "a=b");
  for (const char* text : {"nonsense=1", "security.protocol=MAGIC", "group.id=x", "=1", "x"}) {
    EXPECT_THROW(parse_properties({text}), Error) << text;
  }
}

TEST(StateFolder, BelongsToItsTopic) {
  const Folder path;
  const StateFolder folder(path.path(), {.topic = "rows", .labels = "labels", .group = ""});
  EXPECT_EQ(StateFolder(path.path(), {.topic = "rows", .labels = "labels", .group = ""}).group(),
            folder.group());
  EXPECT_THROW(StateFolder(path.path(), {.topic = "other", .labels = "labels", .group = ""}),
               Error);
  EXPECT_THROW(StateFolder(path.path(), {.topic = "rows", .labels = "", .group = ""}), Error);
  EXPECT_THROW(StateFolder(path.path(), {.topic = "rows", .labels = "labels", .group = "g"}),
               Error);
}

}  // namespace
}  // namespace plumbline::kafka
