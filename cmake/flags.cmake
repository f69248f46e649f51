# How every target of the project is compiled.
#
# -ffp-contract=off and no -ffast-math: the same bits from every compiler and optimization level. Nothing
# reads errno or floating-point traps, which would keep loops with roots and quotients from being vectorized.
function(plumbline_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    # So that the linker can leave out of a program what it does not call.
    -ffunction-sections -fdata-sections
    # gcc collects garbage from 128 MB on, in vain in units of this size. They take up to 1.4 GB instead of 1.0.
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>
    # gcc 12 sees overlapping copies in std::string where there are none (gcc bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  if(PLUMBLINE_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${PLUMBLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${PLUMBLINE_SANITIZE})
  endif()
  if(PLUMBLINE_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage)
    target_link_options(${target} PUBLIC --coverage)
  endif()
  if(PLUMBLINE_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# -O2, with loops vectorized as by -O3.
function(plumbline_compile_rows target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-ftree-vectorize;-fvect-cost-model=dynamic>)
endfunction()

# The tool, its reports and the paper's evaluation. -O1 in Release, not -O0: the linker keeps one copy of an inline
# function, which may be this one, for the library's calls too.
function(plumbline_compile_tool target)
  target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
endfunction()

# Tests: optimising them would only lengthen the build.
function(plumbline_compile_quickly target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# plumbline_unity(TARGET [GROUP…]): compiles the target as one file, so that headers and templates are read once; or
# each GROUP, which names folders: base+data. FOLDERS makes a group of each folder. The dev preset compiles file by
# file.
option(PLUMBLINE_UNITY "Compile many files as one" ON)
function(plumbline_unity target)
  if(NOT PLUMBLINE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set(unit ${target})
    foreach(group ${ARGN})
      string(REPLACE "+" ";" folders ${group})
      if(group STREQUAL "FOLDERS")
        set(unit ${folder})
      elseif(folder IN_LIST folders)
        set(unit ${group})
      endif()
    endforeach()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
endfunction()
