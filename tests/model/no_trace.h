// After an Error a model is as it was, to the byte, and goes on as if nothing had been.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plumbline/error.h"
#include "plumbline/model.h"

namespace plumbline::test {

using Words = std::vector<std::string>;

// A model of its own with the same bytes.
inline Model copy_of(const Model& model) { return Model::from_bytes(model.to_bytes(), "a copy"); }

// Runs `fault` and expects an Error of this kind, whose sentence holds each of the words; the place that it tells.
template <class Fault>
Where place_of_error(ErrorKind kind, const Words& words, Fault&& fault) {
  try {
    fault();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const std::string& word : words) {
      EXPECT_NE(error.sentence().find(word), std::string::npos)
          << "'" << word << "' is not in: " << error.sentence();
    }
    return error.where();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

// The same, and expects that the model has the bytes of before.
template <class Fault>
Where expect_unchanged(const Model& model, ErrorKind kind, const Words& words, Fault&& fault) {
  const auto before = model.to_bytes();
  Where where = place_of_error(kind, words, fault);
  EXPECT_TRUE(model.to_bytes() == before) << "the model has changed";
  return where;
}

// The same, and `go_on` then makes of the model what it makes of one that never met the fault.
template <class Fault, class GoOn>
void expect_no_trace(Model& model, ErrorKind kind, const Words& words, Fault&& fault,
                     GoOn&& go_on) {
  Model twin = copy_of(model);
  expect_unchanged(model, kind, words, fault);
  go_on(model);
  go_on(twin);
  EXPECT_TRUE(model.to_bytes() == twin.to_bytes()) << "the fault has left a trace";
}

}  // namespace plumbline::test
