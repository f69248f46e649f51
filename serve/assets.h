// The files of the dashboard (serve/web) and the description of the API, which CMake puts into the program.
#pragma once

#include <string_view>
#include <vector>

namespace plumbline::serve {

struct Asset {
  std::string_view path;  // below serve/: "web/index.html"
  std::string_view bytes;
};

const std::vector<Asset>& assets();

}  // namespace plumbline::serve
