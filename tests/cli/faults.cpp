// A library to preload (LD_PRELOAD): makes calls of the system fail, or kills the program at them.
//
// FAULT is CALL:ACTION[:NTH[:PATH]]. CALL is write, fsync, rename, close or open. ACTION is a name of errno
// (ENOSPC, EIO, EDQUOT, EINTR, EAGAIN), `zero` (write returns 0), `short` (write takes one byte less than
// half), `kill` (SIGKILL before the call) or `killed` (SIGKILL after it). NTH is the call that it happens at,
// from 1, or 0 for every one; EINTR and EAGAIN happen at every other one then. PATH is a part of the file's
// path that the call must be about.
//
// FAULT_LOG names a file that gets a line for each fsync and rename: the call and the path.

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

struct Fault {
  std::string call, action, path;
  int nth = 1;
  int count = 0;
};

Fault read_fault() {
  Fault fault;
  const char* const text = std::getenv("FAULT");
  if (text == nullptr) return fault;
  std::string parts[4];
  std::size_t part = 0;
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c == ':' && part < 3) {
      ++part;
    } else {
      parts[part] += *c;
    }
  }
  fault.call = parts[0];
  fault.action = parts[1];
  if (!parts[2].empty()) fault.nth = std::atoi(parts[2].c_str());
  fault.path = parts[3];
  return fault;
}

Fault& fault() {
  static Fault fault = read_fault();
  return fault;
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof(path));
  return size < 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

void log(const char* call, const std::string& path) {
  const char* const file = std::getenv("FAULT_LOG");
  if (file == nullptr) return;
  const int descriptor =
      original<int (*)(const char*, int, ...)>("open")(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
  const std::string line = std::string(call) + " " + path + "\n";
  (void)!original<ssize_t (*)(int, const void*, size_t)>("write")(descriptor, line.data(),
                                                                  line.size());
  original<int (*)(int)>("close")(descriptor);
}

// The action that is due at this call; empty if none is.
std::string due(const char* call, const std::string& path) {
  Fault& it = fault();
  if (it.call != call || path.find(it.path) == std::string::npos) return "";
  ++it.count;
  if (it.nth == 0) {
    const bool again = it.action == "EINTR" || it.action == "EAGAIN";
    return again && it.count % 2 == 0 ? "" : it.action;
  }
  return it.count == it.nth ? it.action : "";
}

int number_of(const std::string& action) {
  static const std::map<std::string, int> numbers{{"ENOSPC", ENOSPC}, {"EIO", EIO},
                                                  {"EDQUOT", EDQUOT}, {"EINTR", EINTR},
                                                  {"EAGAIN", EAGAIN}, {"EACCES", EACCES}};
  const auto found = numbers.find(action);
  return found == numbers.end() ? 0 : found->second;
}

// Does the call, or what is due in its place.
template <class Call>
auto act(const std::string& action, const Call& call) -> decltype(call()) {
  if (const int number = number_of(action)) {
    errno = number;
    return -1;
  }
  if (action == "kill") ::kill(::getpid(), SIGKILL);
  const auto result = call();
  if (action == "killed") ::kill(::getpid(), SIGKILL);
  return result;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto real = original<ssize_t (*)(int, const void*, size_t)>("write");
  const std::string action = due("write", path_of(descriptor));
  if (action == "zero") return 0;
  if (action == "short" && size > 3) size = size / 2 - 1;
  return act(action, [&] { return real(descriptor, bytes, size); });
}

int fsync(int descriptor) {
  static const auto real = original<int (*)(int)>("fsync");
  const std::string path = path_of(descriptor);
  log("fsync", path);
  return act(due("fsync", path), [&] { return real(descriptor); });
}

int rename(const char* from, const char* to) {
  static const auto real = original<int (*)(const char*, const char*)>("rename");
  log("rename", to);
  return act(due("rename", to), [&] { return real(from, to); });
}

int close(int descriptor) {
  static const auto real = original<int (*)(int)>("close");
  return act(due("close", path_of(descriptor)), [&] { return real(descriptor); });
}

}  // extern "C"
