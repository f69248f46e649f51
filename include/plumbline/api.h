// The namespace of all public declarations. It is versioned, so that two versions of the library do not mix in one
// program. A shared library exports the symbols of this namespace and no others.
#pragma once

#if defined(__GNUC__)
#define PLUMBLINE_BEGIN_NAMESPACE \
  namespace plumbline {           \
  inline namespace v0 __attribute__((visibility("default"))) {
#else
#define PLUMBLINE_BEGIN_NAMESPACE \
  namespace plumbline {           \
  inline namespace v0 {
#endif
#define PLUMBLINE_END_NAMESPACE \
  }                             \
  }
