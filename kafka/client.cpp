#include "kafka/client.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

constexpr std::size_t kTextSize = 512;  // of librdkafka's messages

// Set by plumbline, because results depend on them.
constexpr std::array kOwn{
    "bootstrap.servers",  "metadata.broker.list",         "group.id",
    "transactional.id",   "enable.auto.commit",           "enable.auto.offset.store",
    "auto.offset.reset",  "enable.partition.eof",         "isolation.level",
    "enable.idempotence", "partition.assignment.strategy"};

struct DestroyList {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};
using List = std::unique_ptr<rd_kafka_topic_partition_list_t, DestroyList>;

List list_of(const std::string& topic, int partition, std::int64_t offset) {
  List list(rd_kafka_topic_partition_list_new(1));
  rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset = offset;
  return list;
}

// What the user has to change: waiting does not help.
bool is_for_the_user(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION:
    case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE:
      return true;
    default:
      return false;
  }
}

[[noreturn]] void fail(rd_kafka_resp_err_t error, const std::string& sentence) {
  if (is_for_the_user(error)) throw Error(ErrorKind::io, sentence);
  throw Trouble(sentence);
}

int in_ms(Milliseconds time) { return static_cast<int>(time.count()); }

Message copy(const rd_kafka_message_t& from) {
  Message message{.offset = from.offset};
  rd_kafka_timestamp_type_t type{};
  const std::int64_t time = rd_kafka_message_timestamp(&from, &type);
  if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE && time > 0) message.time = time;
  if (from.key != nullptr) message.key.emplace(static_cast<const char*>(from.key), from.key_len);
  if (from.payload != nullptr) {
    message.value.emplace(static_cast<const char*>(from.payload), from.len);
  }
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&from, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
      message.headers.emplace_back(
          name, value == nullptr ? "" : std::string(static_cast<const char*>(value), size));
    }
  }
  return message;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_properties(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> properties;
  const std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(
      rd_kafka_conf_new(), rd_kafka_conf_destroy);
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(
          ErrorKind::config,
          fmt::format("--kafka '{}' is not KEY=VALUE, such as security.protocol=SSL", text));
    }
    const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
    for (const char* own : kOwn) {
      if (key != own) continue;
      throw Error(ErrorKind::config,
                  fmt::format("--kafka {}: plumbline sets this property itself", key));
    }
    std::array<char, kTextSize> reason{};
    if (rd_kafka_conf_set(conf.get(), key.c_str(), value.c_str(), reason.data(), reason.size()) !=
        RD_KAFKA_CONF_OK) {
      throw Error(ErrorKind::config, fmt::format("--kafka {}: {}", key, reason.data()));
    }
    properties.emplace_back(key, value);
  }
  return properties;
}

// ---- Client

void Client::Destroy::operator()(rd_kafka_t* handle) const {
  // Groups are left before, by `Group::leave`; other handles have nothing to say goodbye to.
  rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
}

Client::Client(rd_kafka_type_t type, const Connection& connection, const Settings& settings) {
  rd_kafka_conf_t* const conf = rd_kafka_conf_new();
  std::array<char, kTextSize> reason{};
  const auto set = [&](const std::string& key, const std::string& value) {
    if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), reason.data(), reason.size()) ==
        RD_KAFKA_CONF_OK) {
      return;
    }
    rd_kafka_conf_destroy(conf);
    throw Error(ErrorKind::config, fmt::format("--kafka {}: {}", key, reason.data()));
  };
  set("bootstrap.servers", connection.brokers);
  set("client.id", "plumbline");
  // Of a broker that is back, after ten seconds by default.
  set("reconnect.backoff.max.ms", "2000");
  for (const auto& [key, value] : settings) set(key, value);
  for (const auto& [key, value] : connection.properties) set(key, value);
  rd_kafka_conf_set_opaque(conf, this);
  rd_kafka_conf_set_error_cb(conf, on_error);
  rd_kafka_conf_set_log_cb(conf, on_log);
  if (type == RD_KAFKA_CONSUMER) rd_kafka_conf_set_rebalance_cb(conf, pass_rebalance);
  handle_.reset(rd_kafka_new(type, conf, reason.data(), reason.size()));
  if (!handle_) {
    rd_kafka_conf_destroy(conf);
    throw Error(ErrorKind::config, fmt::format("the Kafka client cannot start: {}", reason.data()));
  }
  if (type == RD_KAFKA_CONSUMER) rd_kafka_poll_set_consumer(handle_.get());
}

Client::~Client() = default;

void Client::on_error(rd_kafka_t*, int, const char* reason, void* self) {
  auto* const client = static_cast<Client*>(self);
  const std::lock_guard lock(client->mutex_);
  client->complaint_ = reason;
}

void Client::on_log(const rd_kafka_t* handle, int, const char*, const char* text) {
  if (handle == nullptr) return;
  auto* const client = static_cast<Client*>(rd_kafka_opaque(handle));
  const std::lock_guard lock(client->mutex_);
  client->complaint_ = text;
}

void Client::pass_rebalance(rd_kafka_t*, rd_kafka_resp_err_t what,
                            rd_kafka_topic_partition_list_t* partitions, void* self) {
  const Client& client = *static_cast<Client*>(self);
  if (client.rebalance_) client.rebalance_(what, partitions);
}

std::string Client::complaint() const {
  const std::lock_guard lock(mutex_);
  return complaint_.empty() ? "" : "; the last complaint was: " + complaint_;
}

int Client::partitions(const std::string& topic, Milliseconds patience) const {
  const std::unique_ptr<rd_kafka_topic_t, decltype(&rd_kafka_topic_destroy)> handle(
      rd_kafka_topic_new(handle_.get(), topic.c_str(), nullptr), rd_kafka_topic_destroy);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const rd_kafka_metadata_t* metadata = nullptr;
    rd_kafka_resp_err_t error =
        rd_kafka_metadata(handle_.get(), 0, handle.get(), &metadata, in_ms(Milliseconds(2000)));
    int count = 0;
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (metadata->topic_cnt == 1) {
        error = metadata->topics[0].err;
        count = metadata->topics[0].partition_cnt;
      }
      rd_kafka_metadata_destroy(metadata);
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR && count > 0) return count;
    }
    rd_kafka_poll(handle_.get(), 0);
    const bool no_topic = error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
    if (is_for_the_user(error) || std::chrono::steady_clock::now() >= end) {
      throw Error(ErrorKind::io,
                  no_topic ? fmt::format("there is no topic '{}' on the brokers", topic)
                           : fmt::format("the brokers do not tell the partitions of '{}': {}{}",
                                         topic, rd_kafka_err2str(error), complaint()));
    }
  }
}

int Client::partitions_or_make(const std::string& topic, int partitions,
                               Milliseconds patience) const {
  std::array<char, kTextSize> reason{};
  const std::unique_ptr<rd_kafka_NewTopic_t, decltype(&rd_kafka_NewTopic_destroy)> wanted(
      rd_kafka_NewTopic_new(topic.c_str(), partitions, -1, reason.data(), reason.size()),
      rd_kafka_NewTopic_destroy);
  const std::unique_ptr<rd_kafka_queue_t, decltype(&rd_kafka_queue_destroy)> queue(
      rd_kafka_queue_new(handle_.get()), rd_kafka_queue_destroy);
  rd_kafka_NewTopic_t* const topics[] = {wanted.get()};
  rd_kafka_CreateTopics(handle_.get(), const_cast<rd_kafka_NewTopic_t**>(topics), 1, nullptr,
                        queue.get());
  // Whether it is there already, or may not be made, `partitions` says.
  const std::unique_ptr<rd_kafka_event_t, decltype(&rd_kafka_event_destroy)> done(
      rd_kafka_queue_poll(queue.get(), in_ms(patience)), rd_kafka_event_destroy);
  return this->partitions(topic, patience);
}

Client::Bounds Client::bounds(const std::string& topic, int partition,
                              Milliseconds patience) const {
  Bounds bounds;
  const rd_kafka_resp_err_t error = rd_kafka_query_watermark_offsets(
      handle_.get(), topic.c_str(), partition, &bounds.low, &bounds.high, in_ms(patience));
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return bounds;
  fail(error, fmt::format("the brokers do not tell the offsets of '{}', partition {}: {}{}", topic,
                          partition, rd_kafka_err2str(error), complaint()));
}

// ---- Log

Log::Log(const Connection& connection, const std::string& group, const std::string& topic,
         int partition)
    : topic_(topic),
      partition_(partition),
      client_(RD_KAFKA_CONSUMER, connection,
              {{"group.id", group},
               {"enable.auto.commit", "false"},
               {"enable.auto.offset.store", "false"},
               {"auto.offset.reset", "error"},
               {"isolation.level", "read_committed"},
               {"enable.partition.eof", "true"},
               {"fetch.wait.max.ms", "100"},
               {"queued.min.messages", "10000"},
               {"queued.max.messages.kbytes", "16384"}}) {}

std::optional<Log::Committed> Log::committed(Milliseconds patience) const {
  const List list = list_of(topic_, partition_, RD_KAFKA_OFFSET_INVALID);
  rd_kafka_resp_err_t error = rd_kafka_committed(client_.handle(), list.get(), in_ms(patience));
  const rd_kafka_topic_partition_t& found = list->elems[0];
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) error = found.err;
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(error, fmt::format("the brokers do not tell the committed offset of '{}', partition {}: "
                            "{}{}",
                            topic_, partition_, rd_kafka_err2str(error), client_.complaint()));
  }
  if (found.offset < 0) return std::nullopt;
  return Committed{found.offset, found.metadata == nullptr
                                     ? ""
                                     : std::string(static_cast<const char*>(found.metadata),
                                                   found.metadata_size)};
}

void Log::read_from(std::int64_t offset) {
  head_.reset();
  at_end_ = false;
  position_ = offset;
  const List list = list_of(topic_, partition_, offset);
  const rd_kafka_resp_err_t error = rd_kafka_assign(client_.handle(), list.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) fail(error, rd_kafka_err2str(error));
}

const Message* Log::peek(Milliseconds patience) {
  if (head_) return &*head_;
  const std::unique_ptr<rd_kafka_message_t, decltype(&rd_kafka_message_destroy)> message(
      rd_kafka_consumer_poll(client_.handle(), in_ms(patience)), rd_kafka_message_destroy);
  if (!message) return nullptr;
  switch (message->err) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      head_ = copy(*message);
      at_end_ = false;
      return &*head_;
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
      at_end_ = true;
      return nullptr;
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
      throw Error(ErrorKind::data,
                  fmt::format("'{}', partition {}: the message at offset {} is not there any more, "
                              "so the rows from there on cannot be learned in order; keep messages "
                              "longer (retention.ms), or begin anew with another --state folder",
                              topic_, partition_, position_));
    default:
      if (is_for_the_user(message->err)) {
        throw Error(ErrorKind::io, fmt::format("'{}', partition {}: {}", topic_, partition_,
                                               rd_kafka_message_errstr(message.get())));
      }
      return nullptr;  // the client goes on by itself
  }
}

Message Log::pop() {
  Message message = std::move(*head_);
  head_.reset();
  position_ = message.offset + 1;
  return message;
}

std::int64_t Log::lag() const {
  std::int64_t low = 0, high = 0;
  if (rd_kafka_get_watermark_offsets(client_.handle(), topic_.c_str(), partition_, &low, &high) !=
      RD_KAFKA_RESP_ERR_NO_ERROR) {
    return 0;
  }
  // The markers of transactions have offsets too.
  return at_end() ? 0 : std::max<std::int64_t>(high - position_, 0);
}

// ---- Publisher

Publisher::Publisher(const Connection& connection, const std::string& identity)
    : client_(RD_KAFKA_PRODUCER, connection,
              {{"transactional.id", identity},
               {"linger.ms", "5"},
               {"transaction.timeout.ms", "30000"},
               {"message.timeout.ms", "30000"},
               {"compression.type", "lz4"}}) {}

void Publisher::check(rd_kafka_error_t* error, const char* what) const {
  if (error == nullptr) return;
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  const std::string sentence =
      fmt::format("{}: {}{}", what, rd_kafka_error_string(error), client_.complaint());
  rd_kafka_error_destroy(error);
  fail(code, sentence);
}

void Publisher::begin(Milliseconds patience) {
  check(rd_kafka_init_transactions(client_.handle(), in_ms(patience)),
        "transactions cannot be used (a single broker needs "
        "transaction.state.log.replication.factor=1)");
}

void Publisher::open() {
  if (open_) return;
  check(rd_kafka_begin_transaction(client_.handle()), "a transaction cannot begin");
  open_ = true;
}

void Publisher::publish(const Record& record) {
  open();
  rd_kafka_headers_t* headers = rd_kafka_headers_new(record.headers.size());
  for (const auto& [name, value] : record.headers) {
    rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()), value.data(),
                        static_cast<ssize_t>(value.size()));
  }
  const auto bytes = [](const std::optional<std::string>& text, rd_kafka_vu_t& to) {
    to.u.mem.ptr = text ? const_cast<char*>(text->data()) : nullptr;
    to.u.mem.size = text ? text->size() : 0;
  };
  std::array<rd_kafka_vu_t, 7> parts{};
  parts[0].vtype = RD_KAFKA_VTYPE_TOPIC;
  parts[0].u.cstr = record.topic.c_str();
  parts[1].vtype = RD_KAFKA_VTYPE_PARTITION;
  parts[1].u.i32 = record.partition;
  parts[2].vtype = RD_KAFKA_VTYPE_KEY;
  bytes(record.key, parts[2]);
  parts[3].vtype = RD_KAFKA_VTYPE_VALUE;
  bytes(record.value, parts[3]);
  parts[4].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  parts[4].u.i = RD_KAFKA_MSG_F_COPY;
  parts[5].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  parts[5].u.i64 = record.time;
  parts[6].vtype = RD_KAFKA_VTYPE_HEADERS;
  parts[6].u.headers = headers;
  while (rd_kafka_error_t* const error =
             rd_kafka_produceva(client_.handle(), parts.data(), parts.size())) {
    if (rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      rd_kafka_headers_destroy(headers);
      check(error, "a message cannot be sent");
    }
    rd_kafka_error_destroy(error);
    rd_kafka_poll(client_.handle(), in_ms(Milliseconds(100)));
  }
}

void Publisher::commit(const std::string& group, const std::vector<Offset>& offsets,
                       Milliseconds patience) {
  open();
  const List list(rd_kafka_topic_partition_list_new(static_cast<int>(offsets.size())));
  for (const Offset& offset : offsets) {
    rd_kafka_topic_partition_t* const at =
        rd_kafka_topic_partition_list_add(list.get(), offset.topic.c_str(), offset.partition);
    at->offset = offset.offset;
    if (offset.note.empty()) continue;
    at->metadata = std::malloc(offset.note.size());  // freed with the list
    if (at->metadata == nullptr) throw std::bad_alloc();
    std::memcpy(at->metadata, offset.note.data(), offset.note.size());
    at->metadata_size = offset.note.size();
  }
  // Without a generation: the publisher's identity is that of the partition, so that the next owner fences this one.
  const std::unique_ptr<rd_kafka_consumer_group_metadata_t,
                        decltype(&rd_kafka_consumer_group_metadata_destroy)>
      of(rd_kafka_consumer_group_metadata_new(group.c_str()),
         rd_kafka_consumer_group_metadata_destroy);
  rd_kafka_poll(client_.handle(), 0);
  check(
      rd_kafka_send_offsets_to_transaction(client_.handle(), list.get(), of.get(), in_ms(patience)),
      "the offset cannot be committed");
  check(rd_kafka_commit_transaction(client_.handle(), in_ms(patience)),
        "a transaction cannot be committed");
  open_ = false;
}

// ---- Group

Group::Group(const Connection& connection, const std::string& group, const std::string& topic,
             Callbacks callbacks)
    : callbacks_(std::move(callbacks)),
      client_(
          RD_KAFKA_CONSUMER, connection,
          {{"group.id", group},
           {"enable.auto.commit", "false"},
           {"auto.offset.reset", "latest"},
           // Not cooperative-sticky, by which librdkafka 2.0.2 may abort when processes and brokers come
           // and go ("rd_kafka_sticky_assignor_state_destroy: Assertion `assignor_state' failed").
           {"partition.assignment.strategy", "range"}}) {
  client_.on_rebalance([this](rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* list) {
    rebalance(what, list);
  });
  const List topics = list_of(topic, RD_KAFKA_PARTITION_UA, RD_KAFKA_OFFSET_INVALID);
  const rd_kafka_resp_err_t error = rd_kafka_subscribe(client_.handle(), topics.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) throw Error(ErrorKind::io, rd_kafka_err2str(error));
}

Group::~Group() {
  try {
    leave();
  } catch (...) {  // the brokers notice by themselves
  }
}

void Group::rebalance(rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions) {
  std::vector<int> changed;
  for (int i = 0; i < partitions->cnt; ++i) changed.push_back(partitions->elems[i].partition);
  if (what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
    // The logs read; this client only has to be there.
    for (int i = 0; i < partitions->cnt; ++i) partitions->elems[i].offset = RD_KAFKA_OFFSET_END;
    rd_kafka_assign(client_.handle(), partitions);
    rd_kafka_pause_partitions(client_.handle(), partitions);
    callbacks_.assigned(changed);
    return;
  }
  callbacks_.revoked(changed);
  rd_kafka_assign(client_.handle(), nullptr);
}

void Group::poll(Milliseconds patience) {
  const std::unique_ptr<rd_kafka_message_t, decltype(&rd_kafka_message_destroy)> message(
      rd_kafka_consumer_poll(client_.handle(), in_ms(patience)), rd_kafka_message_destroy);
  if (message && is_for_the_user(message->err)) {
    throw Error(ErrorKind::io, fmt::format("the group cannot be joined: {}",
                                           rd_kafka_message_errstr(message.get())));
  }
}

void Group::leave() {
  if (left_) return;
  left_ = true;
  rd_kafka_consumer_close(client_.handle());
}

}  // namespace plumbline::kafka
