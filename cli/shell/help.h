// How the help of every verb looks: an option, what it takes, what it means, and its default.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace plumbline::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
};

}  // namespace plumbline::cli
