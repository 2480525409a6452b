// Shared objects of kernels, kept between runs: compiling one takes a tenth of a second and more.
#pragma once

#include <string>
#include <vector>

#include "tuner/external/declaration.h"

namespace rooftune::external {

struct Compilation {
    std::string compiler;              ///< a program, found in PATH
    std::vector<std::string> flags{};  ///< behind our own
    std::string source;                ///< the text to compile
    Language language = Language::cpp;
    std::string include_folder{};  ///< where #include "name" looks first; empty: nowhere
    std::string included{};        ///< a hash of what it finds there
};

/// Seconds that one compilation may take: $ROOFTUNE_COMPILE_LIMIT, or a minute.
double compile_limit();

/// Whether what a compiler or a build said tells of a want of space or memory, which is not the source's.
bool tells_of_environment(const std::string& message);

/// The compiler of a language: as declared, else $CXX or $CC, else the first of the usual ones that is there.
/// Throws EnvironmentError, with what to install, where there is none.
std::string compiler_for(const Declaration& declaration);

/// Path of a shared object of this compilation: the one that is kept, or a new one. Throws VariantError with
/// the compiler's messages where it fails or takes longer than a minute ($ROOFTUNE_COMPILE_LIMIT, in
/// seconds), and EnvironmentError where the compiler is not there or nothing can be written.
std::string compiled(const Compilation& what);

/// Compiles those of them that are not kept yet, side by side: `at_once` at most, and the others not at all.
/// What fails is not told; compiled() does, when it is asked for.
void compile_ahead(const std::vector<Compilation>& all, int at_once);

/// Where they are kept: $ROOFTUNE_KERNEL_CACHE, else rooftune/kernels in the user's cache folder, else below
/// the system's temporary folder.
std::string kernel_cache();

/// Removes the longest unused until what is kept has at most so many bytes.
void shrink_kernel_cache(std::int64_t most_bytes);

}  // namespace rooftune::external
