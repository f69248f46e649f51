// Bytes from a file, standard input or a pipe, unpacked on the way if they are gzip or zstd.
//
// What the bytes are is seen from how they begin, not from the file's name. Several gzip members or
// zstd frames one after the other are one text, as their own tools treat them. Memory: one buffer.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace plumbline {

class Source {
 public:
  virtual ~Source() = default;

  // Fills some of the buffer and returns how much; 0 only at the end. Throws an io error if the
  // bytes cannot be read, and a data error if the packing is damaged or ends too early.
  virtual std::size_t read(std::span<char> buffer) = 0;
};

// `-` is standard input; its name in messages is "standard input".
std::unique_ptr<Source> open_source(const std::string& path);
// The same from bytes that somebody else holds, for tests; `name` stands in messages.
std::unique_ptr<Source> source_from(std::string bytes, const std::string& name);

}  // namespace plumbline
