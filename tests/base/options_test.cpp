#include "plumbline/options.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace plumbline::options_test {
namespace {

using test::expect_error;

enum class Colour { red, green };

struct Params {
  double rate = 0.5;
  std::int64_t count = 3;
  bool loud = false;
  Colour colour = Colour::green;

  void visit(OptionVisitor& visitor) {
    visitor.real("rate", rate, Range::closed(0, 1), "how fast");
    visitor.integer("count", count, Range::closed(1, 1e19), "how many");
    visitor.flag("loud", loud, "how noisy");
    visitor.choice("colour", colour, {{"red", Colour::red}, {"green", Colour::green}}, "which");
  }
};

Params read(const Spec& spec) { return read_params<Params>(spec, "thing 'x'"); }

TEST(Spec, ReadsANameAndOptions) {
  const Spec spec("x:rate=0.25,colour=red");
  EXPECT_EQ(spec.name, "x");
  ASSERT_EQ(spec.options.size(), 2u);
  EXPECT_EQ(spec.text(), "x:rate=0.25,colour=red");
  EXPECT_EQ(Spec(spec.text()), spec);
}

TEST(Spec, RefusesTextThatIsNotASpec) {
  expect_error(ErrorKind::config, {"the name is missing"}, [] { Spec(""); });
  expect_error(ErrorKind::config, {"the name is missing"}, [] { Spec(":a=1"); });
  expect_error(ErrorKind::config, {"'rate' is not OPTION=VALUE"}, [] { Spec("x:rate"); });
  expect_error(ErrorKind::config, {"'=1' is not OPTION=VALUE"}, [] { Spec("x:=1"); });
}

TEST(Spec, ALaterValueReplacesAnEarlierOne) {
  Spec spec("x:rate=0.25");
  spec.set("rate", 0.75);
  EXPECT_EQ(spec.options.size(), 1u);
  EXPECT_EQ(read(spec).rate, 0.75);
}

TEST(Options, KeepTheDefaultsThatAreNotSet) {
  const Params params = read("x");
  EXPECT_EQ(params.rate, 0.5);
  EXPECT_EQ(params.count, 3);
  EXPECT_FALSE(params.loud);
  EXPECT_EQ(params.colour, Colour::green);
}

TEST(Options, AreReadFromTextAndFromTypedValues) {
  const Params text = read("x:rate=1e-3,count=12,loud=true,colour=red");
  const Params typed = read(Spec("x")
                                .set("rate", 1e-3)
                                .set("count", 12.0)
                                .set("loud", true)
                                .set("colour", std::string("red")));
  for (const Params& params : {text, typed}) {
    EXPECT_EQ(params.rate, 1e-3);
    EXPECT_EQ(params.count, 12);
    EXPECT_TRUE(params.loud);
    EXPECT_EQ(params.colour, Colour::red);
  }
}

TEST(Options, RefuseValuesOutOfRangeAndSayWhatIsAllowed) {
  expect_error(ErrorKind::config, {"'rate' of thing 'x' cannot be '2'", "[0, 1]"},
               [] { read("x:rate=2"); });
  expect_error(ErrorKind::config, {"'rate'", "nan"}, [] { read("x:rate=nan"); });
  expect_error(ErrorKind::config, {"'rate'", "'0.5s'"}, [] { read("x:rate=0.5s"); });
  expect_error(ErrorKind::config, {"'count'", "a whole number", "[1, 1e+19]"},
               [] { read("x:count=1.5"); });
  expect_error(ErrorKind::config, {"'count'", "'0'"}, [] { read("x:count=0"); });
  expect_error(ErrorKind::config, {"'loud'", "true or false"}, [] { read("x:loud=maybe"); });
  expect_error(ErrorKind::config, {"'colour'", "one of: red, green"},
               [] { read("x:colour=blue"); });
}

TEST(Options, ARealOptionTakesAWholeNumber) {
  EXPECT_EQ(read(Spec("x").set("rate", std::int64_t{1})).rate, 1);
}

// A double beyond 2^53 names no single whole number, and one beyond 2^63 fits no integer.
TEST(Options, AnIntegerOptionTakesNoRealThatIsNoExactInteger) {
  struct Any {
    std::int64_t n = 0;
    void visit(OptionVisitor& visitor) {
      visitor.integer("n", n, Range::closed(-1e19, 1e19), "any");
    }
  };
  const auto read_any = [](const Spec& spec) { return read_params<Any>(spec, "any 'x'").n; };
  EXPECT_EQ(read_any("x:n=-9007199254740991"), -9007199254740991);
  EXPECT_EQ(read_any(Spec("x").set("n", std::int64_t{1} << 60)), std::int64_t{1} << 60);
  for (const double value : {0x1p53, 1e300, -1e300}) {
    expect_error(ErrorKind::config, {"'n'", "a whole number"},
                 [&] { read_any(Spec("x").set("n", value)); });
  }
}

TEST(Options, RetiredOnesMayOnlyHaveTheValueThatDidNothing) {
  const std::vector<RetiredOption> retired{{.name = "old", .without_effect = 1}};
  const auto current = [&](const Spec& spec) {
    return without_retired(spec, retired, "thing 'x'");
  };
  EXPECT_EQ(current("x:rate=0.25,old=1,count=4"), Spec("x:rate=0.25,count=4"));
  EXPECT_EQ(current(Spec("x").set("old", 1.0)), Spec("x"));
  EXPECT_EQ(current(Spec("x").set("old", std::int64_t{1})), Spec("x"));
  EXPECT_EQ(current("x:odl=1"), Spec("x:odl=1"));
  expect_error(ErrorKind::config,
               {"option 'old' of thing 'x' cannot be '0.5'", "removed", "only 1"},
               [&] { current("x:old=0.5"); });
  expect_error(ErrorKind::config, {"'old'", "'yes'"}, [&] { current("x:old=yes"); });
  expect_error(ErrorKind::config, {"'old'", "'true'"},
               [&] { current(Spec("x").set("old", true)); });
}

TEST(Options, SuggestTheNearestNameForAnUnknownOne) {
  expect_error(ErrorKind::config, {"unknown option of thing 'x' 'raet'", "did you mean 'rate'?"},
               [] { read("x:raet=1"); });
  expect_error(ErrorKind::config, {"unknown option", "known: rate, count, loud, colour"},
               [] { read("x:zzzzzzzzzz=1"); });
  try {
    read("x:zzzzzzzzzz=1");  // too far from every name
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("did you mean"), std::string::npos) << error.what();
  }
}

TEST(Options, NearestIsTheOnlyNameThatBeginsSo) {
  const std::vector<std::string> known{"generate", "describe", "description"};
  EXPECT_EQ(nearest("gen", known), "generate");
  EXPECT_EQ(nearest("des", known), std::nullopt);  // which of the two?
}

TEST(Options, NearestIsANameAFewSlipsAway) {
  const std::vector<std::string> known{"run", "predict", "generate"};
  EXPECT_EQ(nearest("rnu", known), "run");  // two letters swapped are one slip
  EXPECT_EQ(nearest("rn", known), "run");
  EXPECT_EQ(nearest("runn", known), "run");
  EXPECT_EQ(nearest("pridect", known), "predict");
  EXPECT_EQ(nearest("hen", known), std::nullopt);
  EXPECT_EQ(nearest("", known), std::nullopt);
  EXPECT_EQ(nearest("run", {}), std::nullopt);
}

TEST(Options, WrittenParametersReadBackToTheSameOnes) {
  const Params params = read("x:rate=0.1,count=7,loud=true,colour=red");
  const Spec spec = write_params("x", params);
  EXPECT_EQ(spec.text(), "x:rate=0.1,count=7,loud=true,colour=red");
  EXPECT_EQ(write_params("x", read(spec)), spec);
}

TEST(Options, AreListedWithDefaultRangeAndHelp) {
  const auto options = list_params<Params>();
  ASSERT_EQ(options.size(), 4u);
  EXPECT_EQ(options[0].name, "rate");
  EXPECT_EQ(to_string(options[0].fallback), "0.5");
  EXPECT_EQ(options[0].allowed, "[0, 1]");
  EXPECT_EQ(options[0].help, "how fast");
  EXPECT_EQ(options[3].allowed, "red | green");
  EXPECT_EQ(options[3].choices, (std::vector<std::string>{"red", "green"}));
}

TEST(Range, KnowsItsEnds) {
  const Range open{.low = 0, .high = 1, .low_open = true, .high_open = true};
  EXPECT_FALSE(open.holds(0));
  EXPECT_FALSE(open.holds(1));
  EXPECT_TRUE(open.holds(0.5));
  EXPECT_EQ(open.text(), "(0, 1)");
  EXPECT_TRUE(Range::closed(0, 1).holds(1));
  EXPECT_EQ(Range::closed(0, 1).text(), "[0, 1]");
  EXPECT_EQ(Range::above(0).text(), "above 0");
  EXPECT_EQ(Range::at_least(0).text(), "at least 0");
  EXPECT_EQ(Range{}.text(), "any number");
}

}  // namespace
}  // namespace plumbline::options_test
