// The JSON documents about a model.
#pragma once

#include "plumbline/json/json.h"
#include "serve/item_requests.h"
#include "serve/served_model.h"

namespace plumbline::serve {

// A model together with what its requests have done.
struct Hosted {
  Hosted(std::string name, std::string folder, const ServedModel::Options& options)
      : model(std::move(name), std::move(folder), options) {}
  ItemCounts counts;
  ServedModel model;  // last: its log reports to the counts until it ends
};

Json model_document(const Hosted& hosted);
Json metrics_document(const Hosted& hosted);
Json snapshot_document(const Snapshot& snapshot);
Json known_document(const std::string& id, const KnownId& known,
                    const std::vector<std::string>& classes);
// Changes when the metrics of the model do.
std::uint64_t version_of(const Hosted& hosted);

}  // namespace plumbline::serve
