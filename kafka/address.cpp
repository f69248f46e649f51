#include "kafka/address.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

constexpr std::string_view kScheme = "kafka://";
constexpr std::size_t kLongestTopic = 249;

bool may_be_in_topic(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

Address parse_address(const std::string& text, const std::string& option) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorKind::config,
                fmt::format("{} '{}' {}; an address is kafka://BROKER[,BROKER]/TOPIC, such as "
                            "kafka://localhost:9092/payments",
                            option, text, reason));
  };
  if (!text.starts_with(kScheme)) refuse("does not begin with kafka://");
  const std::string rest = text.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos) refuse("has no topic");
  Address address{rest.substr(0, slash), rest.substr(slash + 1)};
  if (address.topic.empty()) refuse("has no topic");
  if (!std::ranges::all_of(address.topic, may_be_in_topic) ||
      address.topic.size() > kLongestTopic || address.topic == "." || address.topic == "..") {
    refuse("has no valid topic: letters, digits, '.', '_' and '-', at most 249");
  }
  return address;
}

std::string parse_topic(const std::string& text, const std::string& option, const Address& input) {
  const Address address = parse_address(text, option);
  if (!address.brokers.empty() && address.brokers != input.brokers) {
    throw Error(ErrorKind::config,
                fmt::format("{} '{}' is on other brokers than {}; a transaction cannot span two "
                            "clusters. For the same cluster, write kafka:///{}",
                            option, text, input.text(), address.topic));
  }
  if (address.topic == input.topic) {
    throw Error(ErrorKind::config,
                fmt::format("{} is the topic that is read; use another", option));
  }
  return address.topic;
}

}  // namespace plumbline::kafka
