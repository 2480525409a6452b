# Every dependency by its Debian package, at the versions of Debian 12 or later; cmake/packages.txt is the same list
# for the launcher, and tests/structure compares the two.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(TBB REQUIRED)                                   # libtbb-dev
find_package(hwy REQUIRED)                                   # libhwy-dev
find_package(nlohmann_json REQUIRED)                         # nlohmann-json3-dev
find_package(fmt REQUIRED)                                   # libfmt-dev
find_package(ZLIB REQUIRED)                                  # zlib1g-dev
find_package(CLI11 REQUIRED)                                 # libcli11-dev
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)      # libhwloc-dev
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)   # libsqlite3-dev
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser) # libmuparser-dev
find_package(OpenCL 1.2 REQUIRED)                            # ocl-icd-opencl-dev opencl-headers pocl-opencl-icd
if(ROOFTUNE_TESTS)
  find_package(Catch2 REQUIRED)                              # catch2
  # One version may be asked for, and two will do: tests/support/catch.h has what differs.
  if(Catch2_VERSION VERSION_LESS 2 OR Catch2_VERSION VERSION_GREATER_EQUAL 4)
    message(FATAL_ERROR "Catch2 ${Catch2_VERSION} in ${Catch2_DIR}: the tests need version 2 or 3")
  endif()
endif()
