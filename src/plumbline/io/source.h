// Bytes from a file, standard input or a pipe, unpacked on the way if they are gzip, zstd, bzip2, xz or a zip archive
// with one member.
//
// The first bytes tell the format of the compression, not the file's name. Several packed texts one after the
// other are one text, as their own tools treat them. Memory: one buffer.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace plumbline::inline v0 {

class Source {
 public:
  virtual ~Source() = default;

  // Fills some of the buffer and returns how much; 0 only at the end. Throws an io error if the
  // bytes cannot be read, and a data error if the packing is damaged or ends too early.
  virtual std::size_t read(std::span<char> buffer) = 0;
  // Share of the (compressed) bytes read so far, from 0 to 1; nothing if their number is unknown.
  virtual std::optional<double> share_read() const { return std::nullopt; }
  // A descriptor for reading anywhere in the bytes; -1 if they are no file.
  virtual int file_descriptor() const { return -1; }
};

// Thrown by a source whose `interrupted` has become true: not an Error, but a wish to stop.
struct Interrupted {};

// `-` is standard input; its name in messages is "standard input". Once `interrupted` is true (a signal
// handler sets it), opening and reading throw Interrupted instead of waiting. Throws a data error for
// a packing or an encoding that is not read.
std::unique_ptr<Source> open_source(const std::string& path,
                                    const std::atomic<bool>* interrupted = nullptr);
std::string source_name(const std::string& path);
// The source with its first bytes: up to `length` of them, and no more than it takes to see the end of a
// line, so that a slow pipe does not cause a wait.
struct PeekedSource {
  std::string head;
  std::unique_ptr<Source> source;
};
PeekedSource peek(std::unique_ptr<Source> source, std::size_t length);
// In-memory source, for tests. `name` appears in error messages.
std::unique_ptr<Source> source_from(std::string bytes, const std::string& name);

}  // namespace plumbline::inline v0
