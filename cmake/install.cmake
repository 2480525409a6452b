# What `cmake --install` lays down: the program with its configs, man page and completion; the libraries and
# headers; and what other builds find them by: a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What programs link: plans as rooftune::rooftune, and what these need; and the component engine, which needs more
# packages: rooftune::engine, which tunes problems of the families, and rooftune::tune, which tunes functions of the
# program's own as well and has the words for what was found. Other features are for the program alone.
add_library(rooftune_for_programs INTERFACE)
set_target_properties(rooftune_for_programs PROPERTIES EXPORT_NAME rooftune)
target_link_libraries(rooftune_for_programs INTERFACE plans)

install(TARGETS ${libraries_of_plans} rooftune_for_programs EXPORT rooftuneTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${libraries_of_engine} EXPORT rooftuneEngineTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rooftune_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The headers that programs name; they lie in include/rooftune. Whoever makes another one public adds it here: what
# it includes is found below, and everything else stays private.
set(rooftune_public_headers tuner/plans/rooftune.h tuner/plans/rooftune_c.h tuner/engine/tune.h tuner/tune/kernel.h)

# Includes are written from the root of the project, so that root is include/rooftune too.
set(rooftune_headers ${CMAKE_INSTALL_INCLUDEDIR}/rooftune)
install(FILES ${rooftune_public_headers} DESTINATION ${rooftune_headers})
set(pending_headers ${rooftune_public_headers})
set(found_headers ${rooftune_public_headers})
while(pending_headers)
  list(POP_FRONT pending_headers header)
  # Configured again when it changes, since then it may include something else.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${rooftune_headers}/${folder})
  file(STRINGS ${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${included})
      message(FATAL_ERROR "${header}, which is installed, includes ${included}, which is not in the source tree")
    endif()
    if(NOT included IN_LIST found_headers)
      list(APPEND found_headers ${included})
      list(APPEND pending_headers ${included})
    endif()
  endforeach()
endwhile()

install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune)
install(DIRECTORY tests/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune)
install(PROGRAMS docs/ci/nightly.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune/ci)
install(FILES docs/ci/nightly.yml docs/ci/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/rooftune/ci)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES docs/rooftune.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cmake/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME rooftune)

set(rooftune_package ${CMAKE_INSTALL_LIBDIR}/cmake/rooftune)
install(EXPORT rooftuneTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
install(EXPORT rooftuneEngineTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
configure_package_config_file(cmake/rooftuneConfig.cmake.in ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake
                              INSTALL_DESTINATION ${rooftune_package} PATH_VARS CMAKE_INSTALL_BINDIR)
# Before 1.0 a minor version may change what programs see.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake ${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake
        cmake/rooftuneTunedFlags.cmake DESTINATION ${rooftune_package})

# For builds without CMake: the archives that plans need, each before those that it uses.
set(archives plans choose formats base kernels ${families} sparse runtime models)
list(TRANSFORM archives PREPEND "-lrooftune_" OUTPUT_VARIABLE archives)
list(JOIN archives " " ROOFTUNE_ARCHIVES)
file(RELATIVE_PATH ROOFTUNE_UP_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rooftune.pc.in ${PROJECT_BINARY_DIR}/rooftune.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rooftune.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
