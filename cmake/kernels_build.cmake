# Writes the implementation of kernels/runtime/kernels_build.h; run as a script when a kernel source
# changed. In: ROOT, OUT, COMPILER, FLAGS.
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/kernels/*.h ${ROOT}/kernels/*.cpp)
list(SORT sources)
set(text "${COMPILER} ${FLAGS}")
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND text "\n${source} ${hash}")
endforeach()
string(SHA256 whole "${text}")
string(SUBSTRING ${whole} 0 16 whole)
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
#include "kernels/runtime/kernels_build.h"

namespace rooftune {
std::string kernels_build() { return "@whole@"; }
std::string compiler_name() { return "@COMPILER@"; }
}  // namespace rooftune
]] @ONLY)
