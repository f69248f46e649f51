// The certificate and the key of a server, for TLS 1.2 and 1.3.
#pragma once

#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace plumbline::serve {

// PEM files: the certificate with those between it and its root, and its key, which has no passphrase.
struct TlsFiles {
  std::string certificate, key;
};

// Throws an Error that names the file and the reason.
std::shared_ptr<boost::asio::ssl::context> load_tls(const TlsFiles& files);

}  // namespace plumbline::serve
