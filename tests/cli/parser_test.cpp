#include "cli/options/parser.h"

#include <optional>

#include <gtest/gtest.h>

#include "cli/options/value.h"
#include "plumbline/error.h"

namespace plumbline::cli {
namespace {

class Parsing : public testing::Test {
 protected:
  std::string sentence(const Words& words) {
    const Parsed parsed = parse(program_, words);
    return parsed.mistake ? parsed.mistake->sentence : "";
  }

  std::string refusal(const Words& words) try {
    store(parse(program_, words).arguments);
    return "";
  } catch (const Error& error) {
    return error.what();
  }

  void take(const Words& words) {
    ASSERT_EQ(sentence(words), "");
    store(parse(program_, words).arguments);
  }

  std::string file_, output_, mode_ = "fast";
  Words columns_, specs_;
  std::uint64_t limit_ = 0;
  std::optional<std::int64_t> size_;
  std::optional<double> share_;
  bool quiet_ = false, loud_ = false;
  Verb program_{
      .name = "tool",
      .verbs = {
          {.name = "run",
           .positionals = {{.names = {"file"}, .required = true, .value = path(file_)}},
           .options = {{.names = {"-o", "--output"}, .metavar = "FILE", .value = text(output_)},
                       {.names = {"--mode"},
                        .metavar = "MODE",
                        .choices = {"fast", "slow"},
                        .value = text(mode_)},
                       {.names = {"--columns"}, .metavar = "NAME", .value = texts(columns_, ',')},
                       {.names = {"--specs"}, .metavar = "SPEC", .value = texts(specs_)},
                       {.names = {"--limit"},
                        .metavar = "N",
                        .value = whole(limit_, std::uint64_t{1}, std::uint64_t{9})},
                       {.names = {"--size"}, .metavar = "N", .value = whole(size_)},
                       {.names = {"--share"},
                        .metavar = "X",
                        .value = number(share_, {.low = 0, .high = 1, .low_open = true})},
                       {.names = {"-q", "--quiet"}, .excludes = {"--loud"}, .value = flag(quiet_)},
                       {.names = {"-l", "--loud"}, .needs = {"--mode"}, .value = flag(loud_)}}}}};
};

TEST_F(Parsing, TakesValuesInEverySpelling) {
  for (const Words& words : {Words{"run", "a", "--output", "x"}, Words{"run", "a", "--output=x"},
                             Words{"run", "a", "-o", "x"}, Words{"run", "-ox", "a"},
                             Words{"run", "--output", "x", "--", "a"}}) {
    file_ = output_ = "";
    take(words);
    EXPECT_EQ(file_, "a");
    EXPECT_EQ(output_, "x");
  }
}

TEST_F(Parsing, TakesFlagsAndAValueInOneWord) {
  take({"run", "a", "-qox"});
  EXPECT_TRUE(quiet_);
  EXPECT_EQ(output_, "x");
}

TEST_F(Parsing, TakesAListUpToTheNextOption) {
  take({"run", "a", "--columns", "x,y", "z", "-q", "--columns=u", "--specs", "p:q=1,r=2"});
  EXPECT_EQ(columns_, (Words{"x", "y", "z", "u"}));
  EXPECT_EQ(specs_, Words{"p:q=1,r=2"});
}

TEST_F(Parsing, LeavesTheLastWordToAPositionalThatIsMissing) {
  take({"run", "--columns", "x", "y", "a"});
  EXPECT_EQ(columns_, (Words{"x", "y"}));
  EXPECT_EQ(file_, "a");
  EXPECT_EQ(sentence({"run", "--columns", "x", "a", "-q"}),
            "file is required; write it before --columns, which takes all words that follow it");
}

TEST_F(Parsing, TakesNegativeNumbersAndDashesAsValues) {
  take({"run", "-", "--columns", "-1", "-.5", "--output", "--", "--size", "-3"});
  EXPECT_EQ(file_, "-");
  EXPECT_EQ(columns_, (Words{"-1", "-.5"}));
  EXPECT_EQ(output_, "--");
  EXPECT_EQ(size_, -3);
}

TEST_F(Parsing, TakesPositionalsThatBeginWithADashBehindTwoDashes) {
  take({"run", "-q", "--", "-a"});
  EXPECT_EQ(file_, "-a");
}

TEST_F(Parsing, SaysWhatIsWrong) {
  EXPECT_EQ(sentence({"rnu"}), "unknown verb 'rnu'; did you mean 'run'? known: run");
  EXPECT_EQ(sentence({"run", "a", "--outptu", "x"}),
            "unknown option '--outptu' of run; did you mean '--output'?");
  EXPECT_EQ(sentence({"run", "a", "-x"}), "unknown option '-x' of run");
  EXPECT_EQ(sentence({"run"}), "file is required");
  EXPECT_EQ(sentence({"run", "a", "b"}), "unexpected argument 'b'");
  EXPECT_EQ(sentence({"run", "a", "--output"}), "--output needs a value");
  EXPECT_EQ(sentence({"run", "a", "--output="}), "--output needs a value");
  EXPECT_EQ(sentence({"run", "a", "--columns", ","}), "--columns needs a value");
  EXPECT_EQ(sentence({"run", "a", "--output", "--quiet"}),
            "--output needs a value, and '--quiet' is an option");
  EXPECT_EQ(sentence({"run", "a", "--quiet=yes"}), "--quiet takes no value");
  EXPECT_EQ(sentence({"run", "a", "--limit", "1", "--limit", "2"}), "--limit is given twice");
  EXPECT_EQ(sentence({"run", "a", "--loud"}), "--loud requires --mode");
  EXPECT_EQ(sentence({"run", "a", "-ql", "--mode", "slow"}), "--quiet excludes --loud");
}

TEST_F(Parsing, NamesTheMistakeThatCausesTheOthers) {
  // The value of an unknown option is no positional, and the verb before it is known.
  EXPECT_EQ(sentence({"run", "a", "--lmit", "3"}),
            "unknown option '--lmit' of run; did you mean '--limit'?");
  EXPECT_EQ(sentence({"run", "a", "b", "--lmit"}),
            "unknown option '--lmit' of run; did you mean '--limit'?");
}

TEST_F(Parsing, RefusesValuesByTheirOption) {
  EXPECT_EQ(refusal({"run", "a", "--mode", "slwo"}),
            "--mode: unknown value 'slwo'; did you mean 'slow'? known: fast, slow");
  for (const char* number : {"0", "10", "x", "1.5", "", "99999999999999999999"}) {
    EXPECT_EQ(refusal({"run", "a", "--limit", number}),
              "--limit: '" + std::string(number) + "' is not a whole number from 1 to 9");
  }
  EXPECT_EQ(refusal({"run", "a", "--size", "0x10"}), "--size: '0x10' is not a whole number");
  EXPECT_EQ(refusal({"run", "a", "--share", "0"}), "--share: '0' is not a number in (0, 1]");
  EXPECT_EQ(refusal({"run", ""}), "file: the path is empty");
}

}  // namespace
}  // namespace plumbline::cli
