// How tests write down a row of a format without columns.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "plumbline/stream.h"

namespace plumbline::test {

// A row as text: "label: name=value name=value".
inline std::string text_of(const plumbline::Row& row) {
  std::string text = std::string(row.label.value_or("none")) + ":";
  EXPECT_EQ(row.names.size(), row.fields.size());
  for (std::size_t j = 0; j < row.names.size(); ++j) {
    text += " " + std::string(row.names[j]) + "=" + std::string(row.fields[j]);
  }
  return text;
}

}  // namespace plumbline::test
