// The model that every partition begins with, made from the first messages of one of them.
#pragma once

#include <atomic>
#include <optional>

#include "kafka/job.h"
#include "kafka/partition_model.h"

namespace plumbline::kafka {

// Waits until the folder has an initial model: reads messages from the offsets on, until there are enough to make one,
// or until another lane or process has made it. False if it was stopped before. Throws an Error if the messages make no
// model.
bool make_initial(Job& job, Log& rows, std::optional<Log>& labels, PartitionModel::Offsets from,
                  const std::atomic<bool>& stopping);

}  // namespace plumbline::kafka
