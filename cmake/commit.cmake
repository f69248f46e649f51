# Writes the commit that is checked out to a header, and touches it only when it changes.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"#pragma once

namespace plumbline::cli {

inline constexpr const char* kCommit = \"@commit@\";

}  // namespace plumbline::cli
")
