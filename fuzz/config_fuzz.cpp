// Any text as a configuration, and as the text form of a component: either it is refused with an
// Error, or what was read is written and read back to the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plumbline/config.h"
#include "plumbline/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string json = to_json(plumbline::config_from_json(text));
    if (to_json(plumbline::config_from_json(json)) != json) std::abort();
  } catch (const plumbline::Error&) {
  }
  try {
    const plumbline::Spec spec(text);
    if (plumbline::Spec(spec.text()) != spec) std::abort();
  } catch (const plumbline::Error&) {
  }
  return 0;
}
