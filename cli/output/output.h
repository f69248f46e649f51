// Where results are written: a file, or standard output as `-`.
//
// A write that fails throws an io error; one that a signal interrupts goes on. When the reader of a
// pipe has gone away (`| head`), that is no error but a wish to stop: ClosedPipe, which the program ends
// on quietly. A file never ends in the middle of a line, not even on a full disk.
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

  // Whole lines.
  void write(std::string_view text);
  void flush();
  // Must be called at the end: what was buffered may not fit on the disk.
  void close();

 private:
  [[noreturn]] void refuse(int error, const std::string& consequence = "") const;
  // After a failed write of which only so many bytes of the buffer are in the file.
  [[noreturn]] void give_up(std::size_t written, int error);

  std::string name_;
  int descriptor_;
  bool owned_;
  std::string buffer_;
  std::uint64_t lines_ = 0;  // written, without those in the buffer
};

// Writes all of a text to standard output.
void print(std::string_view text);

}  // namespace plumbline::cli
