// `plumbline kafka`, and `plumbline run kafka://…`: hand over to the program plumbline-kafka, which lies beside this one.

#include <algorithm>
#include <memory>

#include "cli/options/command_line.h"
#include "cli/options/kafka_options.h"
#include "cli/shell/sibling.h"
#include "cli/verbs/verbs.h"

namespace plumbline::cli {

Verb kafka_verb() {
  const auto options = std::make_shared<KafkaOptions>();
  Verb verb = kafka_verb(options);
  verb.run = [options](const CommandLine&) {
    Words words = words_of_process();
    if (words.size() > 1) words[1] = "kafka";  // it may be "run"
    become("plumbline-kafka", std::move(words),
           "build it with -DPLUMBLINE_BUILD_KAFKA=ON, which needs librdkafka (librdkafka-dev)");
  };
  return verb;
}

Words with_kafka_verb(Words words) {
  const auto is_topic = [](const std::string& word) { return word.starts_with("kafka://"); };
  if (!words.empty() && words.front() == "run" &&
      std::ranges::any_of(words.begin() + 1, words.end(), is_topic)) {
    words.front() = "kafka";
  }
  return words;
}

}  // namespace plumbline::cli
