#include "kafka/rows.h"

#include <string>

#include <gtest/gtest.h>

#include "kafka/address.h"
#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

Message message(std::optional<std::string> value) {
  return {.key = "k", .value = std::move(value), .headers = {{"h", "7"}, {"other", "8"}}};
}

std::string sentence_of(const std::optional<std::string>& value, const RowOptions& options = {}) {
  try {
    fields_of(message(value), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Rows, AreJsonObjects) {
  const Fields expected{{"a", "1.5"}, {"b", "x \"y\""}, {"c", "true"}, {"n", "-3"}};
  EXPECT_EQ(fields_of(message(R"( {"a":1.50,"b":"x \"y\"","c":true,"d":null,"n":-3})"), {}),
            expected);
}

TEST(Rows, AreLinesOfCsv) {
  const Fields numbered{{"x1", "1.50"}, {"x2", "a,\"b"}, {"x3", ""}};
  EXPECT_EQ(fields_of(message("1.50,\"a,\"\"b\",\r\n"), {}), numbered);
  const Fields named{{"p", "1"}, {"q", "2"}};
  EXPECT_EQ(fields_of(message("1;2"), {.delimiter = ';', .names = {"p", "q"}}), named);
}

TEST(Rows, HaveKeysAndHeadersAsColumnsIfAsked) {
  const Fields expected{{"a", "1"}, {"id", "k"}, {"h", "7"}};
  EXPECT_EQ(fields_of(message(R"({"a":1,"z":2})"),
                      {.key_column = "id", .headers = {"h", "absent"}, .ignore = {"z"}}),
            expected);
}

TEST(Rows, AreRefusedWithTheReason) {
  EXPECT_NE(sentence_of(std::nullopt).find("tombstone"), std::string::npos);
  EXPECT_NE(sentence_of(" ").find("empty"), std::string::npos);
  EXPECT_NE(sentence_of("{").find("not JSON"), std::string::npos);
  EXPECT_NE(sentence_of("[1]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(sentence_of(R"({"a":[1]})").find("'a' is a list"), std::string::npos);
  EXPECT_NE(sentence_of("{\"a\":\"\xff\"}").find("not JSON"), std::string::npos);
  EXPECT_NE(sentence_of("1,\xff").find("UTF-8"), std::string::npos);
  EXPECT_NE(sentence_of("1,\"2").find("not closed"), std::string::npos);
  EXPECT_NE(sentence_of("1,\"2\"3").find("follows"), std::string::npos);
  EXPECT_NE(sentence_of("1,2", {.names = {"a"}}).find("2 fields"), std::string::npos);
  EXPECT_NE(sentence_of(R"({"k":1})", {.key_column = "k"}).find("already"), std::string::npos);
}

TEST(Address, HasBrokersAndATopic) {
  const Address address = parse_address("kafka://a:9092,b/t.x-1", "topic");
  EXPECT_EQ(address.brokers, "a:9092,b");
  EXPECT_EQ(address.topic, "t.x-1");
  EXPECT_EQ(parse_topic("kafka:///u", "--labels", address), "u");
  EXPECT_EQ(parse_topic("kafka://a:9092,b/u", "--labels", address), "u");
  for (const char* text : {"a/t", "kafka://a", "kafka://a/", "kafka://a/t/u", "kafka://a/.."}) {
    EXPECT_THROW(parse_address(text, "topic"), Error) << text;
  }
  EXPECT_THROW(parse_topic("kafka://c/u", "--labels", address), Error);     // another cluster
  EXPECT_THROW(parse_topic("kafka:///t.x-1", "--labels", address), Error);  // the input
}

}  // namespace
}  // namespace plumbline::kafka
