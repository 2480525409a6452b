# One static library a folder. Sources are globbed, so adding a file is adding a file; adding a
# folder is one line in the top CMakeLists.txt.
# Those switched off are what g++ 12 says of std::string's own inlined code (GCC bug 105651 and its like; with
# precompiled headers it no longer knows that the code is the library's); clang-tidy looks for the real ones.
set(ROOFTUNE_WARNINGS -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-restrict -Wno-maybe-uninitialized
  -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
if(ROOFTUNE_WERROR)
  list(APPEND ROOFTUNE_WARNINGS -Werror)
endif()

add_library(rooftune_options INTERFACE)
target_include_directories(rooftune_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(rooftune_options INTERFACE ${ROOFTUNE_WARNINGS})
target_link_libraries(rooftune_options INTERFACE Threads::Threads)
if(ROOFTUNE_SANITIZE)
  target_compile_options(rooftune_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(rooftune_options INTERFACE -fsanitize=address,undefined)
endif()

# Headers that nearly every file reads are parsed once a build: they took more of the compiler's time than the
# files themselves. Files still include what they use; a compiler without this finds nothing missing.
# rooftune_parsed_once(NAME HEADER...): a set for `target_precompile_headers(... REUSE_FROM NAME)`.
function(rooftune_parsed_once name)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE rooftune_options)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()
set(ROOFTUNE_COMMON_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional>
  <iostream> <limits> <map> <memory> <optional> <set> <span> <sstream> <string> <string_view> <utility> <vector>)
rooftune_parsed_once(standard_headers ${ROOFTUNE_COMMON_HEADERS})
rooftune_parsed_once(json_headers ${ROOFTUNE_COMMON_HEADERS} <nlohmann/json.hpp>)

# rooftune_library(NAME FOLDER... [LINK library...]): one that is installed as rooftune::NAME, librooftune_NAME.a.
function(rooftune_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(sources)
    add_library(${name} STATIC ${sources})
    # Our warnings and sanitizers are no business of those who link us.
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:rooftune_options> Threads::Threads ${ARG_LINK})
    target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rooftune>)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME rooftune_${name})
    set_property(GLOBAL APPEND PROPERTY ROOFTUNE_LIBRARIES ${name})
    if(ARG_UNPARSED_ARGUMENTS MATCHES "^tuner/")
      target_precompile_headers(${name} REUSE_FROM json_headers)
    else()
      target_precompile_headers(${name} REUSE_FROM standard_headers)
    endif()
  else()
    message(FATAL_ERROR "the library ${name} has no sources in ${ARG_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

# rooftune_test(NAME FOLDER LINK library...): one Catch2 program a folder of tests, one ctest entry
# a program so that a listing stays readable; `NAME --list-tests` shows the cases.
function(rooftune_test name folder)
  cmake_parse_arguments(ARG "" "" "LINK;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE rooftune_options test_main sanitizer_options ${ARG_LINK})
  target_compile_options(${name} PRIVATE -Og)
  target_precompile_headers(${name} REUSE_FROM test_headers)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
