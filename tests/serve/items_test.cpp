#include "serve/items.h"

#include <random>

#include <gtest/gtest.h>

namespace plumbline::serve {
namespace {

TEST(Items, AreTheSameAloneAndInAList) {
  const std::string item = R"({"id":"a","row":{"x":1.50,"s":"é","t":true,"n":null},"label":"yes"})";
  const ParsedItems one = parse_items(item, true);
  const ParsedItems list = parse_items("{\"items\":[" + item + "," + item + "]}", true);
  EXPECT_FALSE(one.several);
  EXPECT_TRUE(list.several);
  ASSERT_EQ(one.items.size(), 1u);
  ASSERT_EQ(list.items.size(), 2u);
  for (const Item* parsed : {&one.items[0], &list.items[0], &list.items[1]}) {
    EXPECT_EQ(parsed->id, "a");
    EXPECT_EQ(parsed->label, "yes");
    EXPECT_EQ(parsed->row->to_json(), R"({"x":1.50,"s":"é","t":true,"n":null})");
  }
}

TEST(Items, KeepNumbersAsTheyWereWritten) {
  const ParsedItems parsed =
      parse_items(R"({"row":{"a":0.1,"b":-3,"c":1e5,"d":12345678901234567890123}})", false);
  ASSERT_EQ(parsed.mistake, "");
  const JsonRow& row = *parsed.items[0].row;
  EXPECT_EQ(row.to_json(), R"({"a":0.1,"b":-3,"c":1e5,"d":12345678901234567890123})");
  EXPECT_EQ(row.field(0).number, 0.1);
  EXPECT_EQ(row.field(3).number, 12345678901234567890123.0);
}

TEST(Items, ARowIsParsedFromItsOwnText) {
  const std::string text = R"({"\"\\\n":"a\u0001b","é":-0.5e-7,"":false})";
  const std::optional<JsonRow> row = parse_row(text);
  ASSERT_TRUE(row);
  const std::optional<JsonRow> again = parse_row(row->to_json());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->to_json(), row->to_json());
  EXPECT_EQ(again->field(0).name, "\"\\\n");
  EXPECT_EQ(again->field(0).text,
            "a\x01"
            "b");
}

TEST(Items, SayWhetherATextIsMalformedOrAnItemWrong) {
  EXPECT_TRUE(parse_items("{\"row\":", false).malformed);
  EXPECT_TRUE(parse_items("{} {}", false).malformed);
  for (const char* wrong :
       {"[]", "1", R"({"row":{"x":{}}})", R"({"row":{"x":1,"x":2}})", R"({"id":""})",
        R"({"label":1})", R"({"items":[],"id":"a"})", R"({"items":1})", R"({"row":{"x":1e999}})"}) {
    const ParsedItems parsed = parse_items(wrong, false);
    EXPECT_FALSE(parsed.malformed) << wrong;
    EXPECT_NE(parsed.mistake, "") << wrong;
  }
}

TEST(Items, DeepNestingEndsAtOnce) {
  const std::string deep = "{\"row\":" + std::string(1'000'000, '[');
  EXPECT_EQ(parse_items(deep, false).mistake, "'row' cannot be a list");
}

// Texts near to valid ones: whatever comes, parsing ends, and what is accepted can be written and read again.
TEST(Items, AnyTextIsParsedOrRefused) {
  const std::string seed =
      R"({"items":[{"id":"a","row":{"x":1.5,"s":"t\u00e9","b":true},"label":1},{"row":{}}]})";
  std::mt19937 random(1);
  const std::string alphabet = "{}[]\":,0123456789.eE+-truefalsn\\u idrowlabeits\x01\xff\xc3";
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seed;
    for (unsigned change = random() % 4; change-- > 0;) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 5);
      } else {
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
      if (text.empty()) break;
    }
    const ParsedItems parsed = parse_items(text, true);
    if (!parsed.mistake.empty()) continue;
    ++accepted;
    for (const Item& item : parsed.items) {
      if (!item.row) continue;
      const std::optional<JsonRow> again = parse_row(item.row->to_json());
      ASSERT_TRUE(again) << text;
      EXPECT_EQ(again->to_json(), item.row->to_json());
    }
  }
  EXPECT_GT(accepted, 1000u);
}

}  // namespace
}  // namespace plumbline::serve
