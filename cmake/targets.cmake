# One static library a folder. Sources are globbed, so adding a file is adding a file; adding a
# folder is one line in the top CMakeLists.txt.
set(ROOFTUNE_WARNINGS -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
# What g++ 12 says of std::string's own inlined code (GCC bug 105651 and its like; with precompiled headers it no
# longer knows that the code is the library's); clang-tidy looks for the real ones. Other compilers do not know these.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND ROOFTUNE_WARNINGS -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
       -Wno-stringop-overread)
endif()
if(ROOFTUNE_WERROR)
  list(APPEND ROOFTUNE_WARNINGS -Werror)
endif()

add_library(rooftune_options INTERFACE)
target_include_directories(rooftune_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(rooftune_options INTERFACE ${ROOFTUNE_WARNINGS})
target_link_libraries(rooftune_options INTERFACE Threads::Threads)
# g++ collects its garbage too early for files full of templates: with half a gigabyte before the first collection a
# file that writes JSON takes three quarters of the time. clang-tidy reads the flags of g++ and does not know these.
if(NOT CMAKE_CXX_CLANG_TIDY)
  target_compile_options(rooftune_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=300 --param=ggc-min-heapsize=500000>)
endif()
if(ROOFTUNE_SANITIZE)
  # A number that its type cannot hold is no error to `undefined`, and is what a reader of files must not make.
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  target_compile_options(rooftune_options INTERFACE ${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rooftune_options INTERFACE ${sanitizers})
  # A sanitized test takes binutils' linker 2.4 s, LLVM's 0.8: that one, where it is installed.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld ROOFTUNE_HAVE_LLD)
  if(ROOFTUNE_HAVE_LLD)
    target_link_options(rooftune_options INTERFACE -fuse-ld=lld)
  endif()
endif()

# What code an input reaches is counted in all of it, for the one program that asks (tests/fuzz/guided.cpp).
if(ROOFTUNE_GUIDED)
  target_compile_options(rooftune_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# What a build optimises for its own time: it runs before and after measurements, never within.
set(ROOFTUNE_COLD $<$<CONFIG:Release>:-Og>)
# rooftune_library(NAME FOLDER... [COLD] [HEADERS_ONLY] [LINK library...]): librooftune_NAME.a, and
# rooftune::NAME where it is installed. Its sources are compiled a few at once (CMake's unity build), because most of what the
# compiler does for one of them is reading headers. HEADERS_ONLY: there are none, and that is no mistake.
function(rooftune_library name)
  cmake_parse_arguments(ARG "COLD;HEADERS_ONLY" "" "LINK" ${ARGN})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(sources AND ARG_HEADERS_ONLY)
    message(FATAL_ERROR "the library ${name} is HEADERS_ONLY, but has ${sources}; leave that word out")
  elseif(sources)
    add_library(${name} STATIC ${sources})
    # Headers say what a compiler's default may not know yet: whoever links us compiles them as we do.
    target_compile_features(${name} PUBLIC cxx_std_20)
    # Any shared object may hold these archives: a plugin, a module of Python's. With all names hidden but the public
    # ones (ROOFTUNE_PUBLIC), calls within them cost what they cost without.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                          VISIBILITY_INLINES_HIDDEN ON)
    # Our warnings and sanitizers are no business of those who link us.
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:rooftune_options> Threads::Threads ${ARG_LINK})
    target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rooftune>)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME rooftune_${name})
    set_property(GLOBAL APPEND PROPERTY ROOFTUNE_LIBRARIES ${name})
    if(ARG_COLD)
      target_compile_options(${name} PRIVATE ${ROOFTUNE_COLD})
    endif()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${ROOFTUNE_UNITY} UNITY_BUILD_BATCH_SIZE 12)
    if("hwy::hwy" IN_LIST ARG_LINK)
      # What Highway compiles for several targets includes itself, once a target. A source may become one of those,
      # or cease to be one, so CMake looks again when it changes.
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
      foreach(source IN LISTS sources)
        file(STRINGS ${source} several_targets REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
        if(several_targets)
          set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        endif()
      endforeach()
    endif()
  elseif(ARG_HEADERS_ONLY AND IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${ARG_UNPARSED_ARGUMENTS})
    add_library(${name} INTERFACE)
    target_compile_features(${name} INTERFACE cxx_std_20)
    target_link_libraries(${name} INTERFACE $<BUILD_INTERFACE:rooftune_options> ${ARG_LINK})
    set_property(GLOBAL APPEND PROPERTY ROOFTUNE_LIBRARIES ${name})
  else()
    message(FATAL_ERROR "the library ${name} has no sources in ${ARG_UNPARSED_ARGUMENTS}; say HEADERS_ONLY if it is to "
            "have none")
  endif()
endfunction()

# rooftune_test(NAME FOLDER [BY_FILE] LINK library...): one Catch2 program a folder of tests, one ctest entry
# a program so that a listing stays readable; `NAME --list-tests` shows the cases. BY_FILE: an entry NAME_FILE for
# each file of cases instead, so that ctest runs them side by side; their names are in NAME_ENTRIES. LONG: its cases
# calculate for seconds.
function(rooftune_test name folder)
  cmake_parse_arguments(ARG "BY_FILE;LONG" "" "LINK;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE rooftune_options sanitizer_options ${ARG_LINK} Catch2::Catch2WithMain)
  # What tests do takes little time, what Catch2's macros cost an optimiser is a third of the whole build. -Og
  # compiles as fast as -O0, and property tests run in a quarter of the time.
  # Instrumented, -O0 compiles a fifth faster, and only the tests that calculate much run slower for it.
  if(ROOFTUNE_SANITIZE AND NOT ARG_LONG)
    target_compile_options(${name} PRIVATE -O0)
    target_precompile_headers(${name} REUSE_FROM test_headers_unoptimised)
  else()
    target_compile_options(${name} PRIVATE -Og)
    target_precompile_headers(${name} REUSE_FROM test_headers)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${ROOFTUNE_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  set(entries ${name})
  if(ARG_BY_FILE)
    set(entries "")
    foreach(source IN LISTS sources)
      cmake_path(GET source STEM file)
      string(REGEX REPLACE "_test$" "" entry ${name}_${file})
      list(APPEND entries ${entry})
      # -# gives each case its file's name as a tag.
      add_test(NAME ${entry} COMMAND ${name} "-#" "[#${file}]")
    endforeach()
    set(${name}_ENTRIES ${entries} PARENT_SCOPE)
  else()
    # Cases of statistics run hundreds of times what others run once: instrumented, a good part of all unit tests' time.
    set(cases "")
    if(ROOFTUNE_SANITIZE)
      set(cases "~[statistics]~[.]")  # any filter alone would run hidden cases, too
    endif()
    add_test(NAME ${name} COMMAND ${name} ${cases})
  endif()
  set_tests_properties(${entries} PROPERTIES LABELS "${ARG_LABELS}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       FAIL_REGULAR_EXPRESSION "No test cases matched|No tests ran")
endfunction()
