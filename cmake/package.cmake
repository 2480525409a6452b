# `cpack` in a build folder makes a Debian package of what `cmake --install` lays down. dpkg-shlibdeps finds what the
# program needs (packages dpkg-dev and file).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rooftune)
set(CPACK_PACKAGE_VENDOR rooftune)
set(CPACK_PACKAGE_CONTACT "The rooftune authors")
set(CPACK_PACKAGE_DESCRIPTION
    "Finds the fastest variant of a sparse matrix-vector product, a stencil or a matrix product for a machine, measures
only those that could still win, and says how much, at most, it left on the table. With the program come
static libraries and a shared one that run tuned kernels in programs in C and C++, and their headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# An OpenCL device that every machine has; and what it takes to build programs with the library.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libtbb-dev, libhwy-dev, libhwloc-dev, libfmt-dev, \
zlib1g-dev, nlohmann-json3-dev, ocl-icd-opencl-dev, libsqlite3-dev, libmuparser-dev")
include(CPack)
