// The destination of results: a file, or standard output as `-`.
//
// A write that fails throws an io error; one that a signal interrupts is continued. If the reader has closed
// a pipe (`| head`), ClosedPipe is thrown, and the program ends quietly. A file never ends in the middle of
// a line, not even on a full disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::cli {

struct ClosedPipe {};

class Output {
 public:
  enum class Mode { replace, append };

  explicit Output(const std::string& path, Mode mode = Mode::replace);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  // Writes whole lines.
  void write(std::string_view text);
  void flush();
  // Must be called at the end: writing the buffer may fail.
  void close();

 private:
  [[noreturn]] void refuse(int error, const std::string& consequence = "") const;
  // Handles a failed write, after which only `written` bytes of the buffer are in the file.
  [[noreturn]] void give_up(std::size_t written, int error);

  std::string name_;
  int descriptor_;
  bool owned_;
  std::string buffer_;
  std::uint64_t lines_ = 0;  // lines written, without those in the buffer
};

// Writes all of a text to standard output.
void print(std::string_view text);

}  // namespace plumbline::cli
