// `plumbline serve`: hands over to the program plumbline-serve, which lies beside this one.

#include <memory>

#include "cli/options/command_line.h"
#include "cli/options/serve_options.h"
#include "cli/shell/sibling.h"
#include "cli/verbs/verbs.h"

namespace plumbline::cli {

Verb serve_verb() {
  const auto options = std::make_shared<ServeOptions>();
  Verb verb = serve_verb(options);
  verb.run = [options](const CommandLine&) {
    become("plumbline-serve", words_of_process(),
           "build it with -DPLUMBLINE_BUILD_SERVE=ON, which needs Boost and SQLite "
           "(libboost1.81-dev, libsqlite3-dev)");
  };
  return verb;
}

}  // namespace plumbline::cli
