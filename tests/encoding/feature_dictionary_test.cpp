#include "plumbline/encoding/feature_dictionary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumbline::feature_dictionary_test {
namespace {

using Features = std::vector<std::size_t>;
using Proposal = FeatureDictionary::Proposal;
using Texts = std::vector<std::string>;

// A dictionary and the names of its features, as an encoder keeps them.
struct Kept {
  Features commit(const Proposal& proposal) {
    return dictionary.commit(
        proposal, [](std::size_t column) { return std::string(1, "abc"[column]); }, names);
  }
  std::size_t value(std::size_t column, const char* text, Proposal& proposal) const {
    return dictionary.of_value(column, text, names.size(), proposal);
  }
  std::size_t name(const char* text, Proposal& proposal) const {
    return dictionary.of_name(text, names.size(), proposal);
  }

  FeatureDictionary dictionary;
  Texts names{};
};

Kept columns(std::size_t categories, std::size_t features = 100) {
  return {FeatureDictionary({categories, features}, 3, /*named=*/false)};
}
Kept named(std::size_t features) { return {FeatureDictionary({100, features}, 0, /*named=*/true)}; }

TEST(FeatureDictionary, ProposingChangesNothing) {
  const Kept kept = columns(2);
  Proposal first;
  EXPECT_EQ(kept.value(0, "x", first), 0u);
  EXPECT_EQ(kept.value(1, "x", first), 1u);  // of another column: another feature
  EXPECT_EQ(kept.value(0, "x", first), 0u);
  EXPECT_EQ(first.size(), 2u);
  // Somebody who asks anew hears the same: nothing is there yet.
  Proposal second;
  EXPECT_EQ(kept.value(1, "x", second), 0u);
  EXPECT_TRUE(kept.dictionary.values(0).empty());
  EXPECT_TRUE(kept.dictionary.values(1).empty());
  EXPECT_EQ(kept.dictionary.overflowed(), 0u);
}

TEST(FeatureDictionary, GivesWhatWasProposedWhenItIsCommitted) {
  Kept kept = columns(3);
  Proposal proposal;
  const Features said{kept.value(0, "x", proposal), kept.value(0, "z", proposal),
                      kept.value(2, "", proposal)};
  EXPECT_EQ(kept.commit(proposal), said);
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=z", "c="}));
  Proposal none;
  EXPECT_EQ(kept.value(0, "z", none), 1u);
  EXPECT_EQ(kept.value(2, "", none), 2u);
  EXPECT_TRUE(none.empty());
}

// ---- Limits

TEST(FeatureDictionary, HoldsTheLimitOfAColumnWithinAProposalAndAfterIt) {
  Kept kept = columns(2);
  Proposal proposal;
  EXPECT_EQ(kept.value(0, "x", proposal), 0u);
  EXPECT_EQ(kept.value(0, "y", proposal), 1u);
  EXPECT_EQ(kept.value(0, "z", proposal), 2u);  // for this one and all others
  EXPECT_EQ(kept.value(0, "w", proposal), 2u);
  EXPECT_EQ(kept.value(1, "z", proposal), 3u);  // each column has a limit of its own
  EXPECT_EQ(proposal.overflowed(), 2u);
  kept.commit(proposal);
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=y", "a=*", "b=z"}));
  EXPECT_EQ(kept.dictionary.overflowed(), 2u);
  Proposal later;
  EXPECT_EQ(kept.value(0, "z", later), 2u);
  EXPECT_EQ(later.size(), 0u);
  EXPECT_EQ(later.overflowed(), 1u);
  EXPECT_FALSE(later.empty());  // it is to be counted
  kept.commit(later);
  EXPECT_EQ(kept.dictionary.overflowed(), 3u);
}

TEST(FeatureDictionary, HoldsTheLimitOfAllFeaturesButForTheSharedOnes) {
  Kept kept = columns(100, 2);
  Proposal proposal;
  kept.value(0, "x", proposal);
  kept.value(1, "x", proposal);
  EXPECT_EQ(kept.value(0, "y", proposal), 2u);
  EXPECT_EQ(kept.value(1, "y", proposal), 3u);
  EXPECT_EQ(kept.value(1, "z", proposal), 3u);
  kept.commit(proposal);
  EXPECT_EQ(kept.names, (Texts{"a=x", "b=x", "a=*", "b=*"}));
  EXPECT_EQ(kept.dictionary.overflowed(), 3u);
}

TEST(FeatureDictionary, NamesBeyondTheLimitShareFeaturesByTheirHash) {
  Kept kept = named(3);
  Proposal proposal;
  for (const char* name : {"a", "b", "c"}) kept.name(name, proposal);
  const std::size_t shared = kept.name("d", proposal);
  EXPECT_LT(shared, 3u);
  EXPECT_EQ(proposal.overflowed(), 1u);
  kept.commit(proposal);
  EXPECT_EQ(kept.names, (Texts{"a", "b", "c"}));
  Proposal later;
  EXPECT_EQ(kept.name("d", later), shared);  // as before the commit
  kept.commit(later);
  EXPECT_EQ(kept.names.size(), 3u);
  EXPECT_EQ(kept.dictionary.overflowed(), 2u);
}

// ---- Proposals that are out of date

TEST(FeatureDictionary, AStaleProposalFindsWhatAnotherOneHasAdded) {
  Kept kept = columns(9);
  Proposal first, second;
  for (const char* value : {"x", "y"}) kept.value(0, value, first);
  for (const char* value : {"z", "y", "x"}) kept.value(0, value, second);
  kept.commit(first);
  EXPECT_EQ(kept.commit(second), (Features{2, 1, 0}));
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=y", "a=z"}));
  EXPECT_EQ(kept.dictionary.overflowed(), 0u);
}

TEST(FeatureDictionary, AStaleProposalFindsTheRoomTaken) {
  Kept kept = columns(2);
  Proposal first, second;
  for (const char* value : {"x", "y"}) kept.value(0, value, first);
  for (const char* value : {"z", "w", "y"}) kept.value(0, value, second);  // the third shares
  EXPECT_EQ(second.overflowed(), 1u);
  kept.commit(first);
  // Those that had been promised a feature share one; y is known by now.
  EXPECT_EQ(kept.commit(second), (Features{2, 2, 2}));
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=y", "a=*"}));
  EXPECT_EQ(kept.dictionary.values_of(0), 2u);
  EXPECT_EQ(kept.dictionary.overflowed(), 3u);
}

TEST(FeatureDictionary, TwoProposalsOfTheSharedFeatureAddOne) {
  Kept kept = columns(1);
  Proposal first, second;
  for (Proposal* proposal : {&first, &second}) {
    kept.value(0, "x", *proposal);
    EXPECT_EQ(kept.value(0, "y", *proposal), 1u);
  }
  EXPECT_EQ(kept.commit(first), (Features{0, 1}));
  EXPECT_EQ(kept.commit(second), (Features{0, 1}));
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=*"}));
  EXPECT_EQ(kept.dictionary.overflowed(), 2u);
}

TEST(FeatureDictionary, AStaleProposalOfNamesFindsTheRoomTaken) {
  Kept kept = named(2);
  Proposal first, second;
  for (const char* name : {"a", "b"}) kept.name(name, first);
  for (const char* name : {"c", "a"}) kept.name(name, second);
  kept.commit(first);
  const Features found = kept.commit(second);
  EXPECT_LT(found[0], 2u);
  EXPECT_EQ(found[1], 0u);
  Proposal later;
  EXPECT_EQ(kept.name("c", later), found[0]);  // where it will be found from now on
  EXPECT_EQ(kept.names, (Texts{"a", "b"}));
  EXPECT_EQ(kept.dictionary.overflowed(), 1u);
}

// ---- Names of features

TEST(FeatureDictionary, NoTwoFeaturesOfColumnsHaveOneName) {
  Kept kept = columns(1);
  kept.names.push_back(kept.dictionary.take_name("a=x"));  // of a column that is named so
  Proposal proposal;
  kept.value(0, "x", proposal);
  kept.value(1, "*", proposal);
  kept.value(1, "y", proposal);
  kept.commit(proposal);
  EXPECT_EQ(kept.names, (Texts{"a=x", "a=x'", "b=*", "b=*'"}));
}

// ---- Withdrawing

TEST(FeatureDictionary, AProposalShrinksToWhatItWas) {
  const Kept kept = columns(2);
  Proposal proposal;
  kept.value(0, "x", proposal);
  const std::size_t size = proposal.size();
  for (const char* value : {"y", "z", "w"}) kept.value(0, value, proposal);
  EXPECT_EQ(proposal.overflowed(), 2u);
  proposal.shrink(size, 0);
  EXPECT_EQ(proposal.size(), 1u);
  EXPECT_EQ(proposal.overflowed(), 0u);
  // There is room for another one again, which is not where y was if x is not.
  EXPECT_EQ(kept.value(0, "w", proposal), 1u);
  EXPECT_EQ(kept.value(0, "x", proposal), 0u);
  EXPECT_EQ(proposal.overflowed(), 0u);
  EXPECT_EQ(kept.value(0, "y", proposal), 2u);
  EXPECT_EQ(proposal.overflowed(), 1u);
}

TEST(FeatureDictionary, IsRestoredToTheSame) {
  Kept kept = columns(2);
  Proposal proposal;
  for (const char* value : {"x", "", "z"}) kept.value(1, value, proposal);
  kept.commit(proposal);
  Kept loaded = columns(2);
  loaded.names = kept.names;
  for (const auto& [text, feature] : kept.dictionary.values(1)) {
    loaded.dictionary.restore_value(1, text, feature);
  }
  loaded.dictionary.restore_other(1, *kept.dictionary.other(1));
  Proposal none;
  for (const char* value : {"x", "", "z", "new"}) {
    EXPECT_EQ(loaded.value(1, value, none), kept.value(1, value, none)) << value;
  }
  EXPECT_EQ(none.size(), 0u);
}

}  // namespace
}  // namespace plumbline::feature_dictionary_test
