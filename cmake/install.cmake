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

# The same in one file that several programs share, and that may be loaded while a program runs.
if(NOT ROOFTUNE_SANITIZE)
  add_library(rooftune_shared SHARED $<TARGET_OBJECTS:plans>)
  set_target_properties(rooftune_shared PROPERTIES OUTPUT_NAME rooftune EXPORT_NAME shared LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/rooftune.map
    INSTALL_RPATH_USE_LINK_PATH ON)  # programs that link it need not know where its own libraries lie
  target_compile_features(rooftune_shared INTERFACE cxx_std_20)
  target_link_libraries(rooftune_shared PRIVATE plans)
  target_link_options(rooftune_shared PRIVATE -Wl,--no-undefined
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/rooftune.map)
  target_include_directories(rooftune_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rooftune>)
  install(TARGETS rooftune_shared EXPORT rooftuneSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
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
# As source: what one Fortran compiler makes of a module another does not read.
install(FILES tuner/plans/rooftune.f90 DESTINATION ${rooftune_headers})
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
if(TARGET rooftune_shared)
  install(EXPORT rooftuneSharedTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
endif()
install(EXPORT rooftuneTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
install(EXPORT rooftuneEngineTargets NAMESPACE rooftune:: DESTINATION ${rooftune_package})
configure_package_config_file(cmake/rooftuneConfig.cmake.in ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake
                              INSTALL_DESTINATION ${rooftune_package}
                              PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a minor version may change what programs see.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rooftuneConfig.cmake ${PROJECT_BINARY_DIR}/rooftuneConfigVersion.cmake
        cmake/rooftuneTunedFlags.cmake DESTINATION ${rooftune_package})

# For builds without CMake: the shared library, and the archives that plans need, each before those that it uses.
set(archives plans choose formats base kernels ${families} sparse runtime models)
list(TRANSFORM archives PREPEND "-lrooftune_" OUTPUT_VARIABLE archives)
list(JOIN archives " " ROOFTUNE_ARCHIVES)
file(RELATIVE_PATH ROOFTUNE_UP_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(file rooftune rooftune-static)
  configure_file(cmake/${file}.pc.in ${PROJECT_BINARY_DIR}/${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
