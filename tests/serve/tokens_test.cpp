#include "serve/tokens.h"

#include <gtest/gtest.h>

#include "plumbline/error.h"
#include "serve/api.h"
#include "serve/sha256.h"
#include "serve/url_path.h"

namespace plumbline::serve {
namespace {

TEST(Sha256, OfAKnownText) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Tokens, HaveTheScopesOfTheirLines) {
  const Tokens tokens = Tokens::parse(
      "# a comment\n\n web predict,learn " + sha256("one") + "\nops admin " + sha256("two") + " \n",
      "file");
  EXPECT_TRUE(tokens.check("Bearer one").has(Scope::predict));
  EXPECT_TRUE(tokens.check("bearer  one ").has(Scope::learn));
  EXPECT_FALSE(tokens.check("Bearer one").has(Scope::admin));
  EXPECT_TRUE(tokens.check("Bearer two").has(Scope::admin));
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer three", "Basic one", "one"}) {
    EXPECT_FALSE(tokens.check(wrong).known) << wrong;
  }
}

TEST(Tokens, AWrongLineIsNamed) {
  for (const std::string& text : {std::string("a predict 12"), "a all " + sha256("x"),
                                  "predict " + sha256("x"), std::string()}) {
    EXPECT_THROW(Tokens::parse(text, "file"), Error) << text;
  }
}

TEST(Host, IsLoopbackOnlyByItsWholeName) {
  for (const char* host : {"localhost", "localhost:80", "127.0.0.1:8080", "[::1]", "[::1]:9"}) {
    EXPECT_TRUE(is_loopback_host(host)) << host;
  }
  for (const char* host :
       {"", "localhost.evil", "evil", "127.0.0.1.evil:80", "[::2]", "[", "::1"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

TEST(Path, IsDecodedOrRefused) {
  EXPECT_EQ(decoded_path("/a%2Fb%c3%a9"), "/a/b\xc3\xa9");
  for (const char* wrong : {"%", "%1", "%zz", "%00", "/a%2"})
    EXPECT_FALSE(decoded_path(wrong)) << wrong;
}

}  // namespace
}  // namespace plumbline::serve
