// Columns that only identify rows are left out; measurements never are.

#include "plumbline/encoding/column_values.h"

#include <gtest/gtest.h>

#include <functional>

#include <fmt/format.h>

#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::column_values_test {
namespace {

using test::any_advice;
using test::any_note;
using test::fit;
using test::Fitted;
using Names = std::vector<std::string>;
using Column = std::function<std::string(int)>;

// A column beside another one that is a number, and a label.
Fitted fitted(const std::string& name, const Column& column, int rows = 100,
              const ColumnChoices& choices = {}) {
  std::string text = name + ",a,y\n";
  for (int i = 0; i < rows; ++i) text += fmt::format("{},{},{}\n", column(i), i % 7, i % 2);
  return fit(text, choices);
}

bool is_left_out(const std::string& name, const Column& column, int rows = 100) {
  return fitted(name, column, rows).encoder.plan().columns[0].role == ColumnRole::ignored;
}

std::string counter(int i) { return std::to_string(17 + i); }
std::string shuffled(int i) { return std::to_string(1000 + i * 37 % 101); }
std::string word(int i) { return fmt::format("u{:x}", i * 7919); }

TEST(Identifiers, AreTextsThatAllDiffer) {
  EXPECT_TRUE(is_left_out("who", word));
  EXPECT_TRUE(is_left_out(
      "who", [](int i) { return i == 5 ? "" : word(i); }, 101));
  EXPECT_FALSE(is_left_out("who", word, 99));
  EXPECT_FALSE(is_left_out("who", [](int i) { return word(i == 99 ? 3 : i); }));
  const Fitted told = fitted("who", word);
  EXPECT_TRUE(any_note(told, "'who' has a different text in each row and is left out"));
  EXPECT_TRUE(any_advice(told, Setting::categorical));
  EXPECT_EQ(told.encoder.schema().features, Names{"a"});
}

TEST(Identifiers, AreWholeNumbersThatCountTheRows) {
  EXPECT_TRUE(is_left_out("x", counter));
  // Some rows are not there.
  EXPECT_TRUE(is_left_out("x", [](int i) { return counter(i + i / 30 * 2); }));
  EXPECT_FALSE(is_left_out("x", [](int i) { return counter(2 * i); }));
  EXPECT_FALSE(is_left_out("x", [](int i) { return counter(100 - i); }));
  EXPECT_FALSE(is_left_out("x", counter, 99));
  EXPECT_FALSE(is_left_out("x", [](int i) { return i == 50 ? "" : counter(i); }));
  const Fitted told = fitted("x", counter);
  EXPECT_TRUE(any_note(told, "'x' counts the rows and is left out"));
  EXPECT_TRUE(any_advice(told, Setting::numeric));
}

TEST(Identifiers, AreWholeNumbersThatAllDifferAndHaveANameThatSaysSo) {
  for (const char* name : {"id", "ID", "Id", "customer_id", "customerId", "TransactionID", "uuid",
                           "order key", "order-no", "row.nr", "Invoice Number", "id_cliente"}) {
    EXPECT_TRUE(is_left_out(name, shuffled)) << name;
  }
  for (const char* name : {"amount", "paid", "grid", "humid", "keys_pressed", "none", "x"}) {
    EXPECT_FALSE(is_left_out(name, shuffled)) << name;
  }
  EXPECT_FALSE(is_left_out("id", [](int i) { return shuffled(i == 99 ? 3 : i); }));
}

TEST(Identifiers, AreNoRealNumbers) {
  const auto real = [](int i) { return fmt::format("{}", 0.5 + i); };
  for (const char* name : {"id", "key", "amount"}) EXPECT_FALSE(is_left_out(name, real));
  // One that is not whole is enough.
  EXPECT_FALSE(is_left_out("id", [](int i) { return i == 7 ? "24.5" : counter(i); }));
}

TEST(Identifiers, AreKeptIfTheUserSaysSo) {
  const auto role = [](const Column& column, const ColumnChoices& choices) {
    return fitted("id", column, 100, choices).encoder.plan().columns[0].role;
  };
  EXPECT_EQ(role(counter, {.numeric = {"id"}}), ColumnRole::numeric);
  EXPECT_EQ(role(counter, {.categorical = {"id"}}), ColumnRole::categorical);
  EXPECT_EQ(role(word, {.categorical = {"id"}}), ColumnRole::categorical);
}

TEST(Identifiers, AreKeptIfThereIsNothingElse) {
  std::string text = "x,y\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{},{}\n", counter(i), i % 2);
  EXPECT_EQ(fit(text).encoder.schema().features, Names{"x"});
}

TEST(Identifiers, MayBeMissingFromLaterRows) {
  Fitted one = fitted("id", counter);
  const auto stream = test::csv("a,y\n1,0\n");
  EXPECT_EQ(test::read(*stream, one.encoder).rows(), 1u);
}

}  // namespace
}  // namespace plumbline::column_values_test
