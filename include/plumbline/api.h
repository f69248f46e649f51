// The namespace of everything that public headers declare. It is versioned, so that two versions of the library do not
// mix in one program; and a shared library exports what stands in it, and nothing else.
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
