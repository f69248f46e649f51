// The server's state as Prometheus text: base units, the prefix plumbline_, and no ids in labels.
#pragma once

#include <string>
#include <vector>

#include "serve/documents.h"
#include "serve/request_statistics.h"

namespace plumbline::serve {

std::string prometheus_text(const std::vector<HostedPointer>& models,
                            const RequestStatistics& requests, std::size_t connections);

}  // namespace plumbline::serve
