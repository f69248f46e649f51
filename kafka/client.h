// librdkafka behind a few classes: the log of one partition, a transactional publisher, the membership in a group.
//
// Two kinds of exceptions: an Error is one for the user, who has to change something (credentials, a topic that does not
// exist, messages that were deleted). `Trouble` is one that may pass (a broker that restarts, a transaction that was
// fenced or timed out): the work begins again from the last state that was committed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <librdkafka/rdkafka.h>

namespace plumbline::kafka {

using Milliseconds = std::chrono::milliseconds;

class Trouble : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Message {
  std::int64_t offset = 0;
  std::int64_t time = 0;  // milliseconds since 1970; 0 if the message has none
  std::optional<std::string> key{};
  std::optional<std::string> value{};  // empty for a tombstone
  std::vector<std::pair<std::string, std::string>> headers{};
};

// What all clients of a run share.
struct Connection {
  std::string brokers;
  // Properties of librdkafka, in order; validated by `check_properties`.
  std::vector<std::pair<std::string, std::string>> properties{};
};

// Parses KEY=VALUE. Throws a configuration error for a property that librdkafka does not know, a value that it refuses,
// or a property that plumbline has to set itself.
std::vector<std::pair<std::string, std::string>> parse_properties(
    const std::vector<std::string>& texts);

// A handle of librdkafka with what it last complained about.
class Client {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;

  Client(rd_kafka_type_t type, const Connection& connection, const Settings& settings);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  rd_kafka_t* handle() const { return handle_.get(); }
  // "; the last complaint was: …", or nothing.
  std::string complaint() const;
  // The number of partitions. Throws an Error if the brokers cannot be reached or the topic does not exist.
  int partitions(const std::string& topic, Milliseconds patience) const;
  // The same for a topic to write to, which is made with this number of partitions if there is none.
  int partitions_or_make(const std::string& topic, int partitions, Milliseconds patience) const;
  // The offsets of the first message of a partition and of the next one to come. Throws Trouble if the brokers do not
  // answer.
  struct Bounds {
    std::int64_t low = 0, high = 0;
  };
  Bounds bounds(const std::string& topic, int partition, Milliseconds patience) const;

  using Rebalance = std::function<void(rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t*)>;
  void on_rebalance(Rebalance rebalance) { rebalance_ = std::move(rebalance); }

 private:
  static void on_error(rd_kafka_t*, int error, const char* reason, void* self);
  static void on_log(const rd_kafka_t*, int level, const char* facility, const char* text);
  static void pass_rebalance(rd_kafka_t*, rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t*,
                             void* self);

  struct Destroy {
    void operator()(rd_kafka_t* handle) const;
  };
  mutable std::mutex mutex_;
  std::string complaint_;
  Rebalance rebalance_;
  std::unique_ptr<rd_kafka_t, Destroy> handle_;
};

// One partition of a topic, read from an offset on.
class Log {
 public:
  Log(const Connection& connection, const std::string& group, const std::string& topic,
      int partition);

  const std::string& topic() const { return topic_; }
  int partition() const { return partition_; }
  Client::Bounds bounds(Milliseconds patience) const {
    return client_.bounds(topic_, partition_, patience);
  }
  struct Committed {
    std::int64_t offset;
    std::string note;
  };
  // What the group has committed for this partition.
  std::optional<Committed> committed(Milliseconds patience) const;

  void read_from(std::int64_t offset);
  // The next message, once it is there; null if there is none after `patience`.
  const Message* peek(Milliseconds patience);
  Message pop();
  // True if the log ended behind the last message that was read.
  bool at_end() const { return at_end_ && !head_; }
  // The offset of the next message to pop.
  std::int64_t position() const { return position_; }
  // Messages that are there and not read yet, as far as is known.
  std::int64_t lag() const;

 private:
  std::string topic_;
  int partition_;
  Client client_;
  std::optional<Message> head_;
  std::int64_t position_ = 0;
  bool at_end_ = false;
};

// A producer of transactions with an identity of its own: whoever opens the same identity later ends the transaction
// that is under way, and makes every further one of this publisher fail.
class Publisher {
 public:
  Publisher(const Connection& connection, const std::string& identity);

  // Fences earlier publishers of the same identity, and ends their transactions.
  void begin(Milliseconds patience);

  struct Record {
    std::string topic;
    std::int32_t partition = RD_KAFKA_PARTITION_UA;
    std::optional<std::string> key{};
    std::optional<std::string> value{};
    std::vector<std::pair<std::string, std::string>> headers{};
    std::int64_t time = 0;  // now if 0
  };
  // Part of the next commit.
  void publish(const Record& record);
  struct Offset {
    std::string topic;
    int partition;
    std::int64_t offset;
    std::string note;
  };
  // Commits the records and the offsets, with their notes, in one transaction.
  void commit(const std::string& group, const std::vector<Offset>& offsets, Milliseconds patience);

 private:
  void open();
  void check(rd_kafka_error_t* error, const char* what) const;

  Client client_;
  bool open_ = false;  // a transaction is under way
};

// The membership in a consumer group, which says the partitions of this process. It reads no messages.
class Group {
 public:
  // Called within `poll`. Partitions that are revoked must be given up before the call returns. Must not throw.
  struct Callbacks {
    std::function<void(const std::vector<int>&partitions)> assigned, revoked;
  };
  Group(const Connection& connection, const std::string& group, const std::string& topic,
        Callbacks callbacks);
  ~Group();

  void poll(Milliseconds patience);
  // Leaves the group, and revokes all partitions.
  void leave();
  const Client& client() const { return client_; }

 private:
  void rebalance(rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions);

  Callbacks callbacks_;
  Client client_;
  bool left_ = false;
};

}  // namespace plumbline::kafka
