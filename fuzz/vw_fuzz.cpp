// Any bytes as a VW file; see read_through.h for what must hold.

#include "plumbline/io/vw.h"

#include "read_through.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_through<plumbline::VwReader>(data, size);
  return 0;
}
