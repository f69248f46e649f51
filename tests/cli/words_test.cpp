#include "cli/options/words.h"

#include <gtest/gtest.h>

#include "tests/cli/shell_words.h"

namespace plumbline::cli {
namespace {

TEST(Words, AreSplitAtSeparators) {
  EXPECT_EQ(split("a,b,c", ','), (Words{"a", "b", "c"}));
  EXPECT_EQ(split("a,,b,", ','), (Words{"a", "", "b"}));
  EXPECT_EQ(split("", ','), Words{""});
}

TEST(Words, AreWrappedAtBlanks) {
  EXPECT_EQ(wrap("one two three", 7), (Words{"one two", "three"}));
  EXPECT_EQ(wrap("incomprehensible it is", 5), (Words{"incomprehensible", "it is"}));
}

TEST(Words, ThatArePlainAreNotQuoted) {
  EXPECT_EQ(shell_word("a-1_b/c.csv"), "a-1_b/c.csv");
  EXPECT_EQ(shell_word("logistic:penalty=l1,alpha=0.01"), "logistic:penalty=l1,alpha=0.01");
}

TEST(Words, AreQuotedForAShell) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  const Words odd{"",    " ",     "it's",     "\"quoted\"", "$HOME",   "`id`", "$(id)", "a\\b",
                  "a*b", "[a-z]", "{a,b}",    "~",          "#x",      "a;b",  "a&b",   "a|b",
                  "<a>", "!x",    "line\nup", "tab\tto",    "grün 日", "'",    "''",    "\xff"};
  std::string text;
  for (const std::string& word : odd) text += " " + shell_word(word);
  EXPECT_EQ(cut_by_shell(text), odd);
}

}  // namespace
}  // namespace plumbline::cli
