// The Open Inference Protocol (v2): metadata and predictions of tensors, one input per column or feature.
//
// A request with an id and one row is remembered under that id, so that its label can come by it.
#pragma once

#include "plumbline/json/json.h"
#include "serve/documents.h"
#include "serve/item_requests.h"

namespace plumbline::serve {

Json server_metadata();
Json protocol_metadata(const Hosted& hosted);
void infer(const HostedPointer& hosted, const HttpRequest& request, const ItemLimits& limits,
           const HttpReply& reply);

}  // namespace plumbline::serve
