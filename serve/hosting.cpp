#include "serve/hosting.h"

#include <chrono>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "serve/journal.h"

namespace plumbline::serve {

Hosting::Hosting(const DataFolder& data, const Options& options) : data_(data), options_(options) {
  for (const std::string& name : data_.models()) {
    models_.emplace(name, std::make_shared<Hosted>(name, data_.folder_of(name), options_.model));
  }
  thread_ = std::thread([this] { run(); });
}

HostedPointer Hosting::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : found->second;
}

std::vector<HostedPointer> Hosting::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<HostedPointer> list;
  for (const auto& [name, hosted] : models_) list.push_back(hosted);
  return list;
}

void Hosting::make(const std::string& name, std::function<NewModel()> define,
                   std::function<void(Made)> report) {
  ask([this, name, define = std::move(define), report = std::move(report)] {
    report(make_now(name, define));
  });
}

void Hosting::remove(const std::string& name, std::function<void(Problem)> report) {
  ask([this, name, report = std::move(report)] { report(remove_now(name)); });
}

void Hosting::ask(std::function<void()> errand) {
  {
    const std::lock_guard lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  changed_.notify_one();
}

void Hosting::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const HostedPointer& hosted : all()) hosted->model.begin_to_stop();
  models_.clear();
}

// ---- The thread

void Hosting::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !errands_.empty(); });
    if (errands_.empty()) return;
    const std::function<void()> errand = std::move(errands_.front());
    errands_.pop_front();
    lock.unlock();
    errand();
    lock.lock();
  }
}

Hosting::Made Hosting::make_now(const std::string& name, const std::function<NewModel()>& define) {
  try {
    check_model_name(name);
    const NewModel made = define();
    const HostedPointer known = find(name);
    if (!known && all().size() >= options_.max_models) {
      return {.problem = {429, fmt::format("the server has {} models, which is its limit; remove "
                                           "one, or raise --max-models",
                                           options_.max_models)}};
    }
    const bool is_new = data_.make(name, made);
    if (known) return {.hosted = known};
    auto hosted = std::make_shared<Hosted>(name, data_.folder_of(name), options_.model);
    const std::lock_guard lock(mutex_);
    models_.emplace(name, hosted);
    return {.hosted = hosted, .is_new = is_new};
  } catch (const Error& error) {
    const bool conflict = find(name) != nullptr && data_.has(name);
    return {.problem = {error.kind() == ErrorKind::io ? 503
                        : conflict                    ? 409
                                                      : 422,
                        error.sentence()}};
  } catch (const std::exception& error) {
    return {.problem = {500, error.what()}};
  }
}

Problem Hosting::remove_now(const std::string& name) {
  HostedPointer hosted;
  {
    const std::lock_guard lock(mutex_);
    const auto found = models_.find(name);
    if (found == models_.end()) return {404, fmt::format("there is no model '{}'", name)};
    hosted = std::move(found->second);
    models_.erase(found);
  }
  hosted->model.leave_unsaved();  // streams of lines end
  wait_for_its_users(hosted);
  hosted.reset();
  try {
    data_.remove(name);
  } catch (const Error& error) {
    return {503, error.sentence()};
  }
  tell(Level::info, "model removed", {{"model", name}});
  return {};
}

void Hosting::wait_for_its_users(const HostedPointer& hosted) {
  while (hosted.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace plumbline::serve
