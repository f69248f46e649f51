#include "plumbline/version.h"

namespace plumbline::inline v0 {

const char* version() { return kVersion; }

}  // namespace plumbline::inline v0
