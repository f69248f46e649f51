// Steps that are all attempted, even if earlier ones fail: a failing output must not prevent another one.
#pragma once

#include <exception>
#include <vector>

#include "cli/output/messages.h"

namespace plumbline::cli {

class Attempts {
 public:
  // Runs the step; returns true if it did not throw.
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

  // Rethrows the first failure, which determines the exit code, after reporting the others.
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
      // A closed pipe or an interrupt needs no message.
    }
  }

  std::vector<std::exception_ptr> failures_;
};

}  // namespace plumbline::cli
