// The address of a topic: kafka://BROKER[,BROKER…]/TOPIC. Without brokers (kafka:///TOPIC), those of the input are meant.
#pragma once

#include <string>

namespace plumbline::kafka {

struct Address {
  std::string brokers, topic;

  std::string text() const { return "kafka://" + brokers + "/" + topic; }
};

// Throws a configuration error that names the option.
Address parse_address(const std::string& text, const std::string& option);
// As above, for a topic of the same cluster.
std::string parse_topic(const std::string& text, const std::string& option, const Address& input);

}  // namespace plumbline::kafka
