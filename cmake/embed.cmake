# Writes a C++ file with the bytes of files: cmake -D OUTPUT=… -D FILES=a;b -D ROOT=… -P embed.cmake
# Each file is known by its path below ROOT.
cmake_minimum_required(VERSION 3.25)
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${FILES})
  file(READ ${file} digits HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${digits}")
  string(APPEND arrays "const unsigned char k${number}[] = {${bytes}0};\n")
  file(SIZE ${file} size)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE name)
  string(APPEND rows "    {\"${name}\", {reinterpret_cast<const char*>(k${number}), ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"#include \"serve/assets.h\"

namespace plumbline::serve {
namespace {

@arrays@
const std::vector<Asset> kAssets{
@rows@};

}  // namespace

const std::vector<Asset>& assets() { return kAssets; }

}  // namespace plumbline::serve
")
