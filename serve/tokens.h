// Bearer tokens and their scopes, from a file that holds only their hashes.
//
// Each line is NAME SCOPES HASH: a name for people, scopes with commas between them (predict, learn, admin), and the
// SHA-256 of the token in hexadecimal digits. Tokens are random and long, so that a plain hash suffices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::serve {

enum class Scope { predict = 1, learn = 2, admin = 4 };

class Tokens {
 public:
  // Throws an Error with the line of a mistake.
  static Tokens load(const std::string& path);
  static Tokens parse(std::string_view text, const std::string& source);

  bool empty() const { return tokens_.empty(); }
  struct Answer {
    bool known = false;
    int scopes = 0;
    bool has(Scope scope) const { return (scopes & static_cast<int>(scope)) != 0; }
  };
  // For the header "Authorization". Takes the same time for any token.
  Answer check(std::string_view authorization) const;

 private:
  struct Token {
    std::string name;
    int scopes;
    std::string hash;
  };
  std::vector<Token> tokens_;
};

}  // namespace plumbline::serve
