// Any bytes as an ARFF file; see read_through.h for what must hold.

#include "plumbline/io/arff.h"

#include "read_through.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_through<plumbline::ArffReader>(data, size);
  return 0;
}
