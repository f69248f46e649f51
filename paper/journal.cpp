#include "paper/journal.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"

namespace plumbline::paper {
namespace {

Json bins_to_json(const std::vector<Bin>& bins) {
  Json list = Json::array();
  for (const Bin& bin : bins) {
    list.push_back({bin.low, bin.high, bin.count, bin.mean_probability, bin.positive_rate});
  }
  return list;
}

std::vector<Bin> bins_from_json(const Json& list) {
  std::vector<Bin> bins;
  for (const Json& bin : list) {
    bins.push_back({.low = bin.at(0),
                    .high = bin.at(1),
                    .count = bin.at(2),
                    .mean_probability = bin.at(3),
                    .positive_rate = bin.at(4)});
  }
  return bins;
}

Json to_json(const Consistency& curve) {
  Json list = Json::array();
  for (const auto& [bin, pointwise, simultaneous] : curve.bins) {
    list.push_back({bin.low, bin.high, bin.count, bin.mean_probability, bin.positive_rate,
                    pointwise.low, pointwise.high, simultaneous.low, simultaneous.high});
  }
  return {{"ece", curve.calibration_error}, {"bins", list}};
}

Consistency consistency_from_json(const Json& json) {
  Consistency curve;
  json.at("ece").get_to(curve.calibration_error);
  const std::vector<Bin> bins = bins_from_json(json.at("bins"));
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const Json& list = json["bins"][b];
    curve.bins.push_back({bins[b],
                          {.low = list.at(5), .high = list.at(6)},
                          {.low = list.at(7), .high = list.at(8)}});
  }
  return curve;
}

Json to_json(const std::string& key, const RunResult& result) {
  Json json{{"run", key}, {"log_loss", result.log_loss}, {"calibrated", result.calibrated}};
  if (!result.trace.minibatches.empty()) {
    json["trace"] = {{"minibatches", result.trace.minibatches},
                     {"log_loss", result.trace.log_loss},
                     {"calibrated", result.trace.calibrated},
                     {"reliability", bins_to_json(result.trace.reliability)},
                     {"scores", bins_to_json(result.trace.scores)}};
  }
  if (result.last_half) json["last_half"] = to_json(*result.last_half);
  return json;
}

RunResult from_json(const Json& json) {
  RunResult result{.log_loss = json.at("log_loss"), .calibrated = json.at("calibrated"), .trace{}};
  if (json.contains("trace")) {
    const Json& trace = json["trace"];
    trace.at("minibatches").get_to(result.trace.minibatches);
    trace.at("log_loss").get_to(result.trace.log_loss);
    trace.at("calibrated").get_to(result.trace.calibrated);
    result.trace.reliability = bins_from_json(trace.at("reliability"));
    result.trace.scores = bins_from_json(trace.at("scores"));
  }
  if (json.contains("last_half")) result.last_half = consistency_from_json(json["last_half"]);
  return result;
}

}  // namespace

Journal::Journal(std::string path, const std::string& settings) : path_(std::move(path)) {
  std::size_t whole = 0;
  if (std::filesystem::exists(path_)) {
    const std::vector<std::byte> bytes = read_file(path_);
    whole = read({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, settings);
    std::filesystem::resize_file(path_, whole);
  }
  file_ = std::fopen(path_.c_str(), "a");
  if (file_ == nullptr) {
    throw Error(ErrorKind::io, fmt::format("cannot write: {}", std::strerror(errno)),
                {.source = path_});
  }
  if (whole == 0) write_line(print_json({{"settings", parse_json(settings)}}));
}

Journal::~Journal() {
  if (file_ != nullptr) std::fclose(file_);
}

std::size_t Journal::read(const std::string& text, const std::string& settings) {
  std::size_t at = 0, line = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    ++line;
    try {
      const Json json = parse_json(std::string_view(text).substr(at, end - at));
      if (line > 1) {
        done_.insert_or_assign(json.at("run"), from_json(json));
      } else if (json.at("settings") != parse_json(settings)) {
        throw Error(
            ErrorKind::config,
            fmt::format("these runs were made with other settings or another version "
                        "({}); use --out with another folder, or --overwrite to start again",
                        print_json(json.at("settings"))),
            {.source = path_});
      }
    } catch (const Json::exception&) {
      throw Error(ErrorKind::data,
                  "this is not a record of runs; use --out with another folder, or --overwrite to "
                  "start "
                  "anew",
                  {.source = path_, .line = line});
    }
    at = end + 1;
  }
  return at;
}

const RunResult* Journal::find(const std::string& key) const {
  const auto found = done_.find(key);
  return found == done_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& key, const RunResult& result) {
  write_line(print_json(to_json(key, result)));
  done_.insert_or_assign(key, result);
}

void Journal::write_line(const std::string& line) {
  if (std::fputs((line + "\n").c_str(), file_) == EOF || std::fflush(file_) != 0) {
    throw Error(ErrorKind::io, fmt::format("cannot write: {}", std::strerror(errno)),
                {.source = path_});
  }
}

}  // namespace plumbline::paper
