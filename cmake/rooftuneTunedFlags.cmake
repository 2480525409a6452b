# rooftune_tuned_flags(TARGET CONFIG): compiles TARGET with the flags that the kernel of CONFIG was fastest with (`rooftune
# tune mine.cpp` wrote it), and configures again when CONFIG changes. The program must be installed with this package, or
# be found in PATH. The compiler is the project's own: where another one was tuned, the flags may not be its.
function(rooftune_tuned_flags target config)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "rooftune_tuned_flags: there is no target ${target}")
  endif()
  find_program(ROOFTUNE_PROGRAM rooftune HINTS "${ROOFTUNE_BINARY_FOLDER}")
  if(NOT ROOFTUNE_PROGRAM)
    message(FATAL_ERROR "rooftune_tuned_flags: the program rooftune is not there; set ROOFTUNE_PROGRAM to its path")
  endif()
  get_filename_component(config "${config}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${config}")
  execute_process(COMMAND "${ROOFTUNE_PROGRAM}" flags "${config}" RESULT_VARIABLE status OUTPUT_VARIABLE line
                  ERROR_VARIABLE why OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "rooftune_tuned_flags: ${why}")
  elseif(why)
    message(STATUS "${target}: ${why}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${line}")
  set(libraries ${flags})
  list(FILTER libraries INCLUDE REGEX "^-l|\\.(a|so|o)$")
  list(FILTER flags EXCLUDE REGEX "^-l|\\.(a|so|o)$")
  # Behind those of the project and of its build type, so that these hold.
  foreach(flag IN LISTS flags)
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" word "${flag}")
    target_compile_options(${target} PRIVATE "SHELL:\"${word}\"")
  endforeach()
  # Runtimes that a flag brings (OpenMP, LTO) are asked for once more where it is linked.
  list(FILTER flags INCLUDE REGEX "^-(f|m)")
  target_link_options(${target} PRIVATE ${flags})
  target_link_libraries(${target} PRIVATE ${libraries})
endfunction()
