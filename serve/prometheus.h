// The server's state as Prometheus text: base units, the prefix plumbline_, and no ids in labels.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "serve/documents.h"
#include "serve/request_statistics.h"

namespace plumbline::serve {

using HostedModels = std::map<std::string, std::unique_ptr<Hosted>, std::less<>>;

std::string prometheus_text(const HostedModels& models, const RequestStatistics& requests,
                            std::size_t connections);

}  // namespace plumbline::serve
