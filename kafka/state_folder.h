// The folder of a run over a topic: what it reads, the model that every partition begins with, and a model for each
// partition. Several processes may share it; each file is written at once and never changed.
//
//   stream.json                          the topics and the consumer group
//   initial.safetensors                  the model that every partition begins with
//   partition-P.at-TAG.safetensors       the model of a partition; the tag is the offset of its next message (and, with
//                                        a second topic of labels, that of its next label)
//
// A model is a function of the initial one and of the messages up to its tag, so it does not matter which process wrote
// it: a process that lost its partition without knowing writes the same bytes.
#pragma once

#include <optional>
#include <string>

#include "plumbline/model.h"

namespace plumbline::kafka {

class StateFolder {
 public:
  struct Identity {
    std::string topic, labels, group;
  };
  // Makes the folder, or checks that it belongs to these topics. Takes the group of the folder unless one is given.
  StateFolder(std::string path, const Identity& identity);

  const std::string& path() const { return path_; }
  const std::string& group() const { return group_; }

  bool has_initial() const;
  // The first offer is taken; returns false if there was one already.
  bool offer_initial(const Model& model) const;
  Model initial() const;

  std::string file_of(int partition, const std::string& tag) const;
  Model load(int partition, const std::string& tag) const;
  void save(int partition, const std::string& tag, const Model& model) const;
  // Removes the files of the partition with an earlier tag. Never those with a later one: this process may have lost the
  // partition without knowing.
  void remove_before(int partition, const std::string& tag) const;

 private:
  std::string initial_path() const;

  std::string path_, group_;
};

}  // namespace plumbline::kafka
