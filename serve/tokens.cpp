#include "serve/tokens.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/io/text.h"
#include "serve/sha256.h"

namespace plumbline::serve {
namespace {

constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kBearer = "bearer ";

int scope_named(std::string_view name) {
  if (name == "predict") return static_cast<int>(Scope::predict);
  if (name == "learn") return static_cast<int>(Scope::learn);
  if (name == "admin") return static_cast<int>(Scope::admin);
  return 0;
}

// Without a branch that depends on where the texts differ.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

}  // namespace

Tokens Tokens::load(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

Tokens Tokens::parse(std::string_view text, const std::string& source) {
  Tokens tokens;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (rest.empty() || rest.front() == '#') continue;
    const auto refuse = [&](const std::string& reason) {
      throw Error(ErrorKind::config, reason, {.source = source, .line = line});
    };
    Token token{std::string(take_word(rest)), 0, {}};
    std::string_view scopes = take_word(rest);
    while (!scopes.empty()) {
      const std::size_t comma = std::min(scopes.find(','), scopes.size());
      const int scope = scope_named(scopes.substr(0, comma));
      if (scope == 0) refuse("a scope is 'predict', 'learn' or 'admin'");
      token.scopes |= scope;
      scopes.remove_prefix(std::min(comma + 1, scopes.size()));
    }
    token.hash = take_word(rest);
    std::ranges::transform(token.hash, token.hash.begin(), [](char c) {
      return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
    });
    const bool digits = std::ranges::all_of(
        token.hash, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    skip_blanks(rest);
    if (token.scopes == 0 || token.hash.size() != kHashDigits || !digits || !rest.empty()) {
      refuse("expected NAME SCOPES HASH, with the SHA-256 of the token");
    }
    tokens.tokens_.push_back(std::move(token));
  }
  if (tokens.empty()) throw Error(ErrorKind::config, "there is no token", {.source = source});
  return tokens;
}

Tokens::Answer Tokens::check(std::string_view authorization) const {
  Answer answer;
  if (authorization.size() <= kBearer.size() ||
      !equal_ignoring_case(authorization.substr(0, kBearer.size()), kBearer)) {
    return answer;
  }
  const std::string hash = sha256(trimmed(authorization.substr(kBearer.size())));
  for (const Token& token : tokens_) {
    const bool same = equal_in_constant_time(hash, token.hash);
    answer.known |= same;
    answer.scopes |= same ? token.scopes : 0;
  }
  return answer;
}

}  // namespace plumbline::serve
