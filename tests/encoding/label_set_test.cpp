#include "plumbline/encoding/label_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::label_set_test {
namespace {

using Labels = std::vector<Label>;
using Proposal = LabelSet::Proposal;
using Texts = std::vector<std::string>;

// A set of labels and the schema that it is of, as an encoder keeps them.
struct Kept {
  explicit Kept(Schema of, bool one_vs_rest = false, bool guessed = false)
      : schema(std::move(of)), labels(schema, one_vs_rest, guessed) {}

  std::optional<Label> read(std::string_view text, Proposal& proposal) {
    complaint = {};
    return labels.read(schema, text, proposal, complaint);
  }
  Labels commit(const Proposal& proposal) { return labels.commit(schema, proposal); }
  // The reason why the proposal cannot be committed any more; empty if it can.
  std::string check(const Proposal& proposal) const {
    return labels.check(schema, proposal).reason;
  }

  Schema schema;
  LabelSet labels;
  Complaint complaint{};
};

Schema with_classes(Texts classes) {
  Schema schema = Schema::numeric(1);
  schema.classes = std::move(classes);
  return schema;
}

Texts numbered(std::size_t from, std::size_t to) {
  Texts classes;
  for (std::size_t k = from; k < to; ++k) classes.push_back("c" + std::to_string(k));
  return classes;
}

// ---- Several classes

TEST(LabelSet, ReadingAClassChangesNothing) {
  Kept kept(with_classes({"a", "b"}));
  Proposal first, second;
  EXPECT_EQ(kept.read("c", first), 2);
  EXPECT_EQ(kept.read(" c ", first), 2);
  EXPECT_EQ(kept.read("b", first), 1);
  EXPECT_EQ(first.classes, Texts{"c"});
  EXPECT_EQ(kept.read("d", second), 2);  // nobody has taken the place yet
  EXPECT_EQ(kept.schema.classes, (Texts{"a", "b"}));
}

TEST(LabelSet, GivesANewClassTheIndexThatItWasReadWith) {
  Kept kept(with_classes({"a"}));
  Proposal proposal;
  EXPECT_EQ(kept.read("c", proposal), 1);
  EXPECT_EQ(kept.read("TRUE", proposal), 2);
  EXPECT_EQ(kept.commit(proposal), (Labels{1, 2}));
  EXPECT_EQ(kept.schema.classes, (Texts{"a", "c", "true"}));
  Proposal none;
  EXPECT_EQ(kept.read("True", none), 2);
  EXPECT_TRUE(none.empty());
}

TEST(LabelSet, FindsAClassThatAnotherBatchHasAdded) {
  Kept kept(with_classes({"a"}));
  Proposal first, second;
  kept.read("b", first);
  EXPECT_EQ(kept.read("c", second), 1);
  EXPECT_EQ(kept.read("b", second), 2);
  kept.commit(first);
  EXPECT_EQ(kept.check(second), "");
  EXPECT_EQ(kept.commit(second), (Labels{2, 1}));
  EXPECT_EQ(kept.schema.classes, (Texts{"a", "b", "c"}));
}

TEST(LabelSet, ProposesNoMoreClassesThanThereMayBe) {
  Kept kept(with_classes(numbered(0, 254)));
  Proposal proposal;
  EXPECT_EQ(kept.read("x", proposal), 254);
  EXPECT_EQ(kept.read("y", proposal), 255);
  EXPECT_FALSE(kept.read("z", proposal));
  EXPECT_NE(kept.complaint.reason.find("class 257, but 256 are the most"), std::string::npos)
      << kept.complaint.reason;
  EXPECT_EQ(proposal.classes, (Texts{"x", "y"}));
  EXPECT_EQ(kept.commit(proposal), (Labels{254, 255}));
}

// 254 and two are 256, and the two of another batch are no longer possible.
TEST(LabelSet, ComplainsOfClassesForWhichAnotherBatchHasTakenTheRoom) {
  Kept kept(with_classes(numbered(0, 254)));
  Proposal first, second, same;
  for (const char* name : {"x", "y"}) kept.read(name, first);
  for (const char* name : {"x", "z"}) kept.read(name, second);
  for (const char* name : {"y", "x"}) kept.read(name, same);
  EXPECT_EQ(kept.check(second), "");
  kept.commit(first);
  EXPECT_NE(kept.check(second).find("'z' would be class 257"), std::string::npos)
      << kept.check(second);
  EXPECT_EQ(kept.check(same), "");
  EXPECT_EQ(kept.commit(same), (Labels{255, 254}));
  EXPECT_EQ(kept.schema.classes.size(), 256u);
}

TEST(LabelSet, WordsAndNumbersAreNoClassesOfOneLabel) {
  Kept words(with_classes({"a"})), numbers(with_classes({"1"}));
  Proposal proposal;
  EXPECT_FALSE(words.read("7", proposal));
  EXPECT_FALSE(numbers.read("x", proposal));
  EXPECT_FALSE(numbers.read("", proposal));
  EXPECT_FALSE(words.read("\xff", proposal));
  EXPECT_TRUE(proposal.empty());
}

// ---- Two classes

Kept guessed() { return Kept(Schema::numeric(1), /*one_vs_rest=*/false, /*guessed=*/true); }

TEST(LabelSet, ProposesTheNameOfTheNegativeClassWhereItWasGuessed) {
  for (const std::string negative : {"0", "-1"}) {
    Kept kept = guessed();
    Proposal proposal;
    EXPECT_EQ(kept.read("1", proposal), 1);
    EXPECT_TRUE(proposal.empty());
    EXPECT_EQ(kept.read(negative + ".0", proposal), 0);
    EXPECT_EQ(kept.read(negative, proposal), 0);
    EXPECT_EQ(proposal.negative, negative);
    EXPECT_TRUE(kept.labels.negative_is_guessed());  // so far
    kept.commit(proposal);
    EXPECT_EQ(kept.schema.negative, negative);
    EXPECT_FALSE(kept.labels.negative_is_guessed());
    Proposal later;
    EXPECT_EQ(kept.read(negative, later), 0);
    EXPECT_FALSE(kept.read(negative == "0" ? "-1" : "0", later));
    EXPECT_TRUE(later.empty());
  }
}

TEST(LabelSet, TheNegativeClassHasOneNameWithinABatch) {
  Kept kept = guessed();
  Proposal proposal;
  EXPECT_EQ(kept.read("-1", proposal), 0);
  EXPECT_FALSE(kept.read("0", proposal));
  EXPECT_NE(kept.complaint.reason.find("'0' is neither '-1' nor '1'"), std::string::npos)
      << kept.complaint.reason;
  EXPECT_EQ(proposal.negative, "-1");
}

TEST(LabelSet, TheNegativeClassHasOneNameInTwoBatchesThatWereReadTogether) {
  Kept kept = guessed();
  Proposal first, second, same;
  kept.read("0", first);
  kept.read("-1", second);
  kept.read("0", same);
  EXPECT_EQ(kept.check(second), "");
  kept.commit(first);
  EXPECT_NE(kept.check(second).find("'-1' is neither '0' nor '1'"), std::string::npos)
      << kept.check(second);
  EXPECT_EQ(kept.check(same), "");
  kept.commit(same);
  EXPECT_EQ(kept.schema.negative, "0");
}

// In rows that name their features the label stands before what is bad.
TEST(LabelSet, ACanceledRowDoesNotNameTheNegativeClass) {
  const auto libsvm = [](const char* text) {
    return std::make_unique<LibsvmReader>(source_from(text, "a"), "a");
  };
  const Encoder encoder = test::fit_stream(libsvm("1 1:1\n1 1:2\n")).encoder;
  ASSERT_TRUE(encoder.labels().negative_is_guessed());
  const auto stream = libsvm("1 1:1\n-1 1:1e200\n0 1:2\n0 1:3\n");
  RowBatch batch;
  RowReader(*stream, encoder, Encoder::LabelUse::learn, {.skip_bad_rows = true}).read(batch, 10);
  EXPECT_EQ(batch.rows(), 3u);
  EXPECT_EQ(batch.new_labels().negative, "0");
}

TEST(LabelSet, OneAgainstTheRestTakesAnyOtherLabelButAMissingOne) {
  Kept kept(Schema::numeric(1), /*one_vs_rest=*/true);
  Proposal proposal;
  EXPECT_EQ(kept.read("1", proposal), 1);
  EXPECT_EQ(kept.read("0", proposal), 0);
  EXPECT_EQ(kept.read("ham", proposal), 0);
  EXPECT_FALSE(kept.read("NA", proposal));
  EXPECT_TRUE(proposal.empty());
}

TEST(LabelSet, AdvisesHowAThirdLabelCouldBeTaken) {
  Kept kept(Schema::numeric(1));
  Proposal proposal;
  EXPECT_FALSE(kept.read("2", proposal));
  ASSERT_EQ(kept.complaint.remedies.size(), 2u);
  EXPECT_EQ(kept.complaint.remedies[0].setting, Setting::multiclass);
  EXPECT_EQ(kept.complaint.remedies[1].setting, Setting::positive);
}

}  // namespace
}  // namespace plumbline::label_set_test
