// The models of a server, found by name. They are made and removed while it runs, by a thread of its own: one at a time,
// so that requests need not wait.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/data_folder.h"
#include "serve/item_counts.h"
#include "serve/problem.h"
#include "serve/served_model.h"

namespace plumbline::serve {

// A model together with what its requests have done.
struct Hosted {
  Hosted(std::string name, std::string folder, const ServedModel::Options& options)
      : model(std::move(name), std::move(folder), options) {}
  ItemCounts counts;
  ServedModel model;  // last: its log reports to the counts until it ends
};
// Whoever uses a model holds it; a removed one ends when nobody does.
using HostedPointer = std::shared_ptr<Hosted>;

class Hosting {
 public:
  struct Options {
    ServedModel::Options model;
    std::size_t max_models = 100;
  };
  // Opens all models of the folder, which must outlive this.
  Hosting(const DataFolder& data, const Options& options);
  ~Hosting() { stop(); }
  Hosting(const Hosting&) = delete;
  Hosting& operator=(const Hosting&) = delete;

  HostedPointer find(const std::string& name) const;
  // In the order of their names.
  std::vector<HostedPointer> all() const;

  struct Made {
    Problem problem{};
    HostedPointer hosted{};
    bool is_new = false;  // or it was there already, with the same definition
  };
  // `define` may throw an Error. The reports come from another thread.
  void make(const std::string& name, std::function<NewModel()> define,
            std::function<void(Made)> report);
  // Its folder is gone when this is reported.
  void remove(const std::string& name, std::function<void(Problem)> report);
  // Ends the thread and, when nobody uses them, all models; each takes its snapshot.
  void stop();

 private:
  void run();
  void ask(std::function<void()> errand);
  Made make_now(const std::string& name, const std::function<NewModel()>& define);
  Problem remove_now(const std::string& name);
  static void wait_for_its_users(const HostedPointer& hosted);

  const DataFolder& data_;
  const Options options_;
  mutable std::mutex mutex_;
  std::map<std::string, HostedPointer, std::less<>> models_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> errands_;
  bool stopping_ = false;
  std::thread thread_;  // last, so that all else is there when it starts
};

}  // namespace plumbline::serve
