#include "serve/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <boost/asio/ssl/context.hpp>

#include "plumbline/error.h"

namespace plumbline::serve {
namespace {

[[noreturn]] void refuse_tls(const std::string& path, const char* what) {
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  std::string sentence = what;
  if (reason != nullptr) sentence.append(": ").append(reason);
  ERR_clear_error();
  throw Error(ErrorKind::config, sentence, {.source = path});
}

}  // namespace

std::shared_ptr<boost::asio::ssl::context> load_tls(const TlsFiles& files) {
  namespace ssl = boost::asio::ssl;
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const handle = context->native_handle();
  ERR_clear_error();
  SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  SSL_CTX_set_options(handle, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Of TLS 1.2, only what has forward secrecy and authenticates what it encrypts.
  SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20");
  // A key with a passphrase is refused rather than asked for.
  SSL_CTX_set_default_passwd_cb(handle, [](char*, int, int, void*) { return 0; });
  SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS);
  if (SSL_CTX_use_certificate_chain_file(handle, files.certificate.c_str()) != 1) {
    refuse_tls(files.certificate, "cannot use the certificate");
  }
  if (SSL_CTX_use_PrivateKey_file(handle, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    refuse_tls(files.key, "cannot use the key");
  }
  return context;
}

}  // namespace plumbline::serve
