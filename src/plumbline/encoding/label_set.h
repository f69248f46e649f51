// The values of a label, and the index of each: one of two values, one value against all others, or one of
// several classes, to which further ones may be added.
//
// Reading a label changes nothing: a value that is new is proposed, and gets its index when the proposal is
// committed. Labels are compared in a canonical form: "+1", "1.0" and " 1" are "1", "TRUE" is "true".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plumbline/base/text_hash.h"
#include "plumbline/batch.h"
#include "plumbline/error.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

// A reason why a value cannot be taken, and the settings that would change that.
struct Complaint {
  std::string reason{};
  Remedies remedies{};
};

class LabelSet {
 public:
  struct Proposal {
    std::vector<std::string> classes{};     // their indices follow those of the schema
    std::optional<std::string> negative{};  // the name that the negative class turns out to have
    bool empty() const { return classes.empty() && !negative; }
  };

  // The label's values are those of the schema; `one_vs_rest`: the positive one against all others.
  // `negative_is_guessed`: the negative one was not seen yet, and may be -1 instead of 0.
  explicit LabelSet(const Schema& schema, bool one_vs_rest = false,
                    bool negative_is_guessed = false);

  bool one_vs_rest() const { return one_vs_rest_; }
  bool negative_is_guessed() const { return negative_is_guessed_; }

  // The index of the label, or of the class that is proposed for it; nothing, and the complaint, if it can
  // be none.
  std::optional<Label> read(const Schema& schema, std::string_view text, Proposal& proposal,
                            Complaint& complaint) const;
  // The reason why these cannot be new classes, all of them together; empty if they can.
  Complaint check_new(const Schema& schema, std::span<const std::string> names) const;
  // The reason why what was proposed is no longer possible, since another proposal was committed; empty if it is.
  Complaint check(const Schema& schema, const Proposal& proposal) const;
  // Adds what was proposed to the schema's label; the index of each proposed class.
  std::vector<Label> commit(Schema& schema, const Proposal& proposal);

 private:
  std::optional<Label> read_class(const Schema& schema, std::string_view text, Proposal& proposal,
                                  Complaint& complaint) const;
  // The `others` are new too.
  static Complaint about_new_class(const Schema& schema, const std::string& name,
                                   std::span<const std::string> others);

  bool one_vs_rest_;
  bool negative_is_guessed_;
  TextMap<std::size_t> classes_;  // the index of each
};

std::string canonical_label(std::string_view text);

}  // namespace plumbline::inline v0
