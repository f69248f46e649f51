// Where results are written: a file, or standard output as `-`.
//
// A write that fails throws an io error; one that a signal interrupts goes on. When the reader of a
// pipe has gone away (`| head`), that is no error but a wish to stop: ClosedPipe, which the program ends
// on quietly.
#pragma once

#include <string>
#include <string_view>

namespace plumbline::cli {

struct ClosedPipe {};

class Output {
 public:
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view text);
  void flush();
  // To be called at the end: what was buffered may not fit on the disk.
  void close();

 private:
  [[noreturn]] void refuse() const;

  std::string name_;
  int descriptor_;
  bool owned_;
  std::string buffer_;
};

// Writes all of a text to standard output.
void print(std::string_view text);

}  // namespace plumbline::cli
