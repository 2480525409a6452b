# What `cmake --install` lays down: the program with its configs, man page and completion; the libraries and
# headers; and what other builds find them by: a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What programs link: plans, and what these need. The rest of the tuner is there by its own names
# (rooftune::search, …) for whoever builds a tool on it.
add_library(rooftune_for_programs INTERFACE)
set_target_properties(rooftune_for_programs PROPERTIES EXPORT_NAME rooftune)
target_link_libraries(rooftune_for_programs INTERFACE plans)

get_property(libraries GLOBAL PROPERTY ROOFTUNE_LIBRARIES)
install(TARGETS ${libraries} rooftune_for_programs EXPORT rooftuneTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rooftune_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Headers are written from the root of the project, so that root is include/rooftune. The three that programs
# name lie in it.
set(rooftune_headers ${CMAKE_INSTALL_INCLUDEDIR}/rooftune)
install(DIRECTORY models kernels tuner DESTINATION ${rooftune_headers} FILES_MATCHING PATTERN "*.h")
install(FILES tuner/plans/rooftune.h tuner/plans/rooftune_c.h DESTINATION ${rooftune_headers})

install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune)
install(DIRECTORY tests/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune)
install(PROGRAMS docs/ci/nightly.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune/ci)
install(FILES docs/ci/nightly.yml docs/ci/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune/ci)
install(FILES docs/rooftune.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cmake/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME rooftune)

set(rooftune_package ${CMAKE_INSTALL_LIBDIR}/cmake/rooftune)
install(EXPORT rooftuneTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
configure_package_config_file(cmake/rooftuneConfig.cmake.in ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake
                              INSTALL_DESTINATION ${rooftune_package})
# Before 1.0 a minor version may change what programs see.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake ${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake
        DESTINATION ${rooftune_package})

# For builds without CMake: the archives that plans need, each before those that it uses.
set(archives plans choose config kernels ${families} runtime models)
list(TRANSFORM archives PREPEND "-lrooftune_" OUTPUT_VARIABLE archives)
list(JOIN archives " " ROOFTUNE_ARCHIVES)
file(RELATIVE_PATH ROOFTUNE_UP_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rooftune.pc.in ${PROJECT_BINARY_DIR}/rooftune.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rooftune.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
