#include "cli/options/key_options.h"

#include "cli/options/value.h"
#include "plumbline/config.h"

namespace plumbline::cli {

constexpr const char* kKeys = "One model per key";

Option key_cache_option(KeyOptions& options) {
  return {.names = {"--key-cache"},
          .metavar = "MIB",
          .help = "Memory for the states of keys that came last; the results do not depend on it",
          .fallback = std::to_string(options.cache_mib),
          .value = whole(options.cache_mib, std::uint64_t{1}, std::uint64_t{1} << 24)};
}

void add_key_options(Verb& verb, KeyOptions& options) {
  Words parents{"off"};
  for (const Preset& preset : presets()) parents.push_back(preset.name);
  Option cache = key_cache_option(options);
  cache.needs = {"--key"};
  add_options(
      verb, kKeys,
      {{.names = {"--key"},
        .metavar = "COLUMN",
        .help = "Make a small model for each value of this column, e.g. a customer; --save is then "
                "a store of models, and the preset is small unless --preset names another",
        .value = text(options.key)},
       {.names = {"--key-parent"},
        .metavar = "PRESET",
        .help = "Model of all rows, from whose probability each key begins; off leaves it out; "
                "fast unless given",
        .choices = parents,
        .kept_in_model = true,
        .needs = {"--key"},
        .value = text(options.parent)},
       {.names = {"--key-ttl"},
        .metavar = "ROWS",
        .help = "Forget a key that has no row among so many rows; never unless given",
        .kept_in_model = true,
        .needs = {"--key"},
        .value = whole(options.ttl, std::uint64_t{1})},
       std::move(cache),
       {.names = {"--resume"},
        .help = "Continue after the rows of this file that the store of --load has learned",
        .needs = {"--key", "--load"},
        .excludes = {"--skip"},
        .value = flag(options.resume)}});
}

}  // namespace plumbline::cli
