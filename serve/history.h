// The labels of a log with their rows, as a text that `plumbline run` reads: CSV, or Vowpal Wabbit's format, which has
// rows that name their features.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/options/serve_options.h"
#include "serve/hosting.h"
#include "serve/http.h"

namespace plumbline::serve {

class History {
 public:
  enum class Format { csv, vw };

  // Reads the log as it is now. A server may use it. Throws an Error.
  History(const std::string& folder, Format format);
  ~History();
  // The next part, up to about 100 KB; empty at the end. Throws an Error.
  std::string next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `plumbline serve --export`.
void export_history(const cli::ServeOptions& options);
// A part after the other, as the client reads them. The query may have "format=vw".
void send_history(const HostedPointer& hosted, const HttpRequest& request, const HttpReply& reply);

}  // namespace plumbline::serve
