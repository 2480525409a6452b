// From a variant to what is compiled, loaded and called.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tuner/external/compiled.h"
#include "tuner/external/instance.h"
#include "tuner/external/wrapped_source.h"

namespace rooftune::external {

/// Whether a source has pragmas of OpenMP, also in macros, or its header.
bool uses_openmp(const Instance& instance);

/// Flags that a kernel has where it declares none: the textbook loop, compiled as a user would; with -fopenmp
/// where its source has an OpenMP pragma.
std::vector<std::string> usual_flags(const Instance& instance);

/// What all variants are compiled with: declared, or the usual ones.
std::vector<std::string> common_flags(const Instance& instance);

/// What its values ask of the compiler, the user's flags first: macros and flags in declared order.
std::vector<std::string> flags_of(const Instance& instance, const Space& space, const Variant& variant);

/// The same flags for who compiles in another folder than `folder`, where they are relative to: folders of
/// headers and libraries by their whole paths, and so files that lie there.
std::vector<std::string> flags_from_anywhere(const std::vector<std::string>& flags,
                                             const std::string& folder);

/// The compiler of a variant: of its parameter, else compiler_for().
std::string compiler_of(const Instance& instance, const Space& space, const Variant& variant);

/// The declared call of a variant, to be compiled.
Compilation compilation_of(const Instance& instance, const Space& space, const Variant& variant);

/// The reference: compiled without what may change an answer (no fast mathematics, no contraction), with the
/// macros of the first variant.
Compilation reference_compilation(const Instance& instance, const Space& space, const Variant& first);

/// The numbers that the entry is called with.
std::vector<double> numbers_of(const Instance& instance, const Space& space, const Variant& variant);

/// A shared object in this process, for as long as it lives.
class Loaded {
public:
    /// Throws VariantError where it cannot be loaded (a symbol that is nowhere, say).
    explicit Loaded(const std::string& object);
    ~Loaded();
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

    Entry entry() const { return entry_; }
    /// Tells the OpenMP runtime that it brought, if any, how many threads to use.
    void use_threads(int threads) const;
    bool has_openmp() const { return set_threads_ != nullptr; }

private:
    void* handle_;
    Entry entry_;
    void (*set_threads_)(int);
};

}  // namespace rooftune::external
