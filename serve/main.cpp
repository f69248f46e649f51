// The program behind `plumbline serve`: opens the models, listens, and waits for a signal to stop.

#include <csignal>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/options/serve_options.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/help.h"
#include "cli/shell/program.h"
#include "plumbline/error.h"
#include "plumbline/threads.h"
#include "serve/api.h"
#include "serve/data_folder.h"
#include "serve/history.h"
#include "serve/hosting.h"
#include "serve/http_server.h"
#include "serve/journal.h"
#include "serve/new_model.h"
#include "serve/replay.h"

namespace plumbline::serve {
namespace {

constexpr std::chrono::seconds kPatience{20};  // for requests under way at the end

struct Address {
  std::string host;
  std::uint16_t port;
  bool loopback() const { return host == "127.0.0.1" || host == "::1"; }
};

// "127.0.0.1:8080", "[::1]:8080" or "localhost:8080".
Address parse_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool digits = !port.empty() && port.size() <= 5 &&
                      port.find_first_not_of("0123456789") == std::string::npos;
  if (host.empty() || !digits || std::stoul(port) > 65535) {
    throw Error(ErrorKind::config,
                fmt::format("--listen '{}' is not ADDRESS:PORT, such as 127.0.0.1:8080", text));
  }
  return {std::move(host), static_cast<std::uint16_t>(std::stoul(port))};
}

void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

sigset_t signals_to_wait_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// Reads again what may have changed; a mistake changes nothing.
template <class Read>
void read_again(const char* what, const Read& read) {
  try {
    read();
    tell(Level::info, fmt::format("{} read", what));
  } catch (const Error& error) {
    tell(Level::error, fmt::format("{} not read", what), {{"reason", error.what()}});
  }
}

void wait_for_the_end(const sigset_t& signals, const cli::ServeOptions& options, Api& api,
                      HttpServer& server) {
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0 || signal != SIGHUP) {
      tell(Level::info, "stopping", {{"signal", signal}});
      return;
    }
    if (!options.tokens.empty()) {
      read_again("tokens", [&] { api.set_tokens(Tokens::load(options.tokens)); });
    }
    if (!options.tls_certificate.empty()) {
      read_again("certificate", [&] { server.reload_tls(); });
    }
  }
}

// Makes the model of the options, if there is none of its name, and the options, or an empty folder, ask for one.
void make_model(const cli::ServeOptions& options, const DataFolder& data) {
  check_model_name(options.name);
  const bool is_first = options.name == "default" && data.models().empty();
  const bool exists = data.has(options.name);
  const bool wanted = !exists && (is_first || options.name != "default");
  if (options.define_a_model() || wanted) {
    data.make(options.name, new_model(options));
  }
}

void serve(const cli::ServeOptions& options) {
  const Address address = parse_address(options.listen);
  std::optional<TlsFiles> tls;
  if (!options.tls_certificate.empty()) {
    tls = {options.tls_certificate, options.tls_key};
    load_tls(*tls);  // a mistake is told before anything is made
  }
  Tokens tokens;
  if (!options.tokens.empty()) {
    tokens = Tokens::load(options.tokens);
  } else if (!address.loopback()) {
    throw Error(ErrorKind::config,
                fmt::format("--listen {} is open to others and needs --tokens FILE; without "
                            "tokens, listen on 127.0.0.1",
                            options.listen));
  }
  allow_many_descriptors();
  const sigset_t signals = signals_to_wait_for();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // threads to come inherit it

  DataFolder data(options.data);
  data.lock();
  make_model(options, data);
  Hosting models(data, {.model = {.log = {.max_pending = options.max_pending,
                                          .retention = {.labels = options.keep_labels,
                                                        .label_days = options.keep_days,
                                                        .id_days = options.keep_id_days,
                                                        .pending_days = options.keep_pending_days}},
                                  .snapshot_every = options.snapshot_every},
                        .max_models = static_cast<std::size_t>(options.max_models)});
  const std::size_t max_body = static_cast<std::size_t>(options.max_body) << 20;
  Api api(models, std::move(tokens),
          {.max_items = static_cast<std::size_t>(options.max_items),
           .max_backlog = options.max_backlog,
           .max_line = max_body});
  HttpServer server({.host = address.host,
                     .port = address.port,
                     .threads = options.threads > 0 ? options.threads : allowed_threads(),
                     .max_body = max_body,
                     .max_connections = static_cast<std::size_t>(options.max_connections),
                     .idle = std::chrono::seconds(options.idle_seconds),
                     .request = std::chrono::seconds(options.request_seconds),
                     .tls = tls},
                    api);
  api.set_connections([&server] { return server.connections(); });
  const bool v6 = address.host.find(':') != std::string::npos;
  tell(Level::info, "listening",
       {{"url", fmt::format("{}://{}{}{}:{}/", tls ? "https" : "http", v6 ? "[" : "", address.host,
                            v6 ? "]" : "", server.port())},
        {"port", server.port()},
        {"models", models.all().size()}});
  wait_for_the_end(signals, options, api, server);
  api.begin_to_stop();
  std::this_thread::sleep_for(std::chrono::seconds(options.drain_seconds));
  server.stop(kPatience);
  api.stop();
  models.stop();
  tell(Level::info, "stopped");
}

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const auto options = std::make_shared<cli::ServeOptions>();
  cli::Verb program{.name = "plumbline",
                    .summary = "Streaming probabilities that mean what they say."};
  program.verbs.push_back(cli::serve_verb(options));
  program.verbs.back().run = [options](const cli::CommandLine&) {
    if (!options->export_to.empty()) return export_history(*options);
    options->replay ? replay(*options) : serve(*options);
  };
  cli::add_help_option(program);
  cli::Words words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "serve") words.insert(words.begin(), "serve");
  try {
    return cli::run_program(program, "plumbline", words);
  } catch (const Error& error) {
    cli::say("{}", cli::in_words(error));
    return exit_code(error.kind());
  } catch (const std::exception& error) {
    cli::say("internal error: {}", error.what());
    return 70;  // EX_SOFTWARE
  }
}

}  // namespace
}  // namespace plumbline::serve

int main(int argc, char** argv) { return plumbline::serve::run(argc, argv); }
