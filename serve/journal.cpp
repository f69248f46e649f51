#include "serve/journal.h"

#include <exception>
#include <mutex>

#include <unistd.h>

#include "serve/event_log.h"

namespace plumbline::serve {

void tell(Level level, std::string_view event,
          std::initializer_list<std::pair<const char*, Json>> fields) noexcept {
  try {
    Json json{{"time", in_seconds(now())},
              {"level", level == Level::info      ? "info"
                        : level == Level::warning ? "warning"
                                                  : "error"},
              {"event", event}};
    for (const auto& [name, value] : fields) json[name] = value;
    const std::string line = print_json(json, -1, Json::error_handler_t::replace) + "\n";
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    // A message that cannot be written is lost, and the work goes on.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  } catch (const std::exception&) {
  }
}

}  // namespace plumbline::serve
