// Steps of which each is tried, whatever became of those before it: a failing output must not cost
// another one.
#pragma once

#include <exception>
#include <vector>

#include "cli/output/messages.h"

namespace plumbline::cli {

class Attempts {
 public:
  // Runs the step; true if it did not throw.
  template <class Step>
  bool attempt(const Step& step) {
    try {
      step();
      return true;
    } catch (...) {
      failures_.push_back(std::current_exception());
      return false;
    }
  }

  bool failed() const { return !failures_.empty(); }

  // Throws the first failure, whose exit code is the program's, after telling of the others.
  void rethrow() const {
    for (std::size_t i = 1; i < failures_.size(); ++i) tell(failures_[i]);
    if (failed()) std::rethrow_exception(failures_.front());
  }

 private:
  static void tell(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      say("{}", in_words(error));
    } catch (const std::exception& error) {
      say("{}", error.what());
    } catch (...) {
      // A reader that has gone away, or an interrupt: no message.
    }
  }

  std::vector<std::exception_ptr> failures_;
};

}  // namespace plumbline::cli
