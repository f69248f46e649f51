#include "cli/options/threads_option.h"

#include "cli/options/value.h"

namespace plumbline::cli {

Option threads_option(std::size_t& threads, const std::string& help) {
  return {.names = {"--threads"},
          .metavar = "N",
          .help = help,
          .fallback = std::to_string(threads),
          .value = whole(threads, std::size_t{0}, std::size_t{1024})};
}

}  // namespace plumbline::cli
