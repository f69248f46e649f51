// The JSON documents about a model.
#pragma once

#include "plumbline/json/json.h"
#include "serve/hosting.h"

namespace plumbline::serve {

Json model_document(const Hosted& hosted);
Json metrics_document(const Hosted& hosted);
Json snapshot_document(const Snapshot& snapshot);
Json known_document(const std::string& id, const KnownId& known,
                    const std::vector<std::string>& classes);
// Changes when the metrics of the model do.
std::uint64_t version_of(const Hosted& hosted);

}  // namespace plumbline::serve
