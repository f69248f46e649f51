#include "kafka/order.h"

#include <vector>

#include <gtest/gtest.h>

#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

std::vector<bool> all_of(Order order) {
  std::vector<bool> taken;
  for (; !order.empty(); order.take()) taken.push_back(order.next_is_label());
  return taken;
}

TEST(Order, SurvivesItsText) {
  for (const std::vector<int>& runs :
       {std::vector<int>{1}, {44}, {45}, {46}, {2025}, {1, 1, 1, 7, 100'000, 3}}) {
    for (const bool first : {false, true}) {
      Order order;
      bool is_label = first;
      for (const int run : runs) {
        for (int i = 0; i < run; ++i) order.add(is_label);
        is_label = !is_label;
      }
      EXPECT_EQ(all_of(Order::parse(order.text())), all_of(order)) << order.text();
      EXPECT_LE(order.text().size(), order.size() + 2 * runs.size());
    }
  }
  EXPECT_EQ(Order().text(), "");
  EXPECT_TRUE(Order::parse("").empty());
}

TEST(Order, IsAddedToAfterItsText) {
  Order order = Order::parse("r#");
  order.add(false);
  order.add(true);
  EXPECT_EQ(all_of(order), (std::vector<bool>{false, false, false, true}));
}

TEST(Order, TakesOneCharacterForAShortRun) {
  Order order;
  for (int i = 0; i < 3000; ++i) order.add(i % 2 == 0);
  EXPECT_EQ(order.text().size(), 3001U);
}

TEST(Order, RefusesOtherTexts) {
  for (const char* text : {"x", "r", "l!", "r\x7f", "r\n", "r#Z", "rZZZZZZZZZZZZZZZZZZZZZZ#"}) {
    EXPECT_THROW(Order::parse(text), Error) << text;
  }
}

}  // namespace
}  // namespace plumbline::kafka
