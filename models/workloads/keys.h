// Keys of a workload: reading sizes and choices from what a user wrote, with an error that names the key.
// Every kind takes the same words for the same things.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload.h"

namespace rooftune {

WorkloadKey size_key(std::string name, std::string help, std::string fallback = "");
WorkloadKey choice_key(std::string name, std::string help, std::string fallback);

/// The keys of a kind, and those that all kinds share: dtype, unit, sparse, state.
std::vector<WorkloadKey> with_common_keys(std::vector<WorkloadKey> own);

class WorkloadReader {
public:
    /// Throws WorkloadError when a needed key is missing.
    WorkloadReader(const WorkloadSpec& spec, std::vector<WorkloadKey> keys);

    /// A finite real number >= 0, in any spelling of C (4096, 1e12, 0.5), or the name of another size.
    double size(const std::string& name) const;
    /// The same, and at least `least`.
    double size_from(const std::string& name, double least) const;
    /// An element type, or the name of another key that holds one.
    DType dtype(const std::string& name = "dtype") const;
    /// One of these words.
    std::string choice(const std::string& name, std::initializer_list<std::string_view> words) const;
    /// Any text.
    std::string text(const std::string& name) const;
    bool flag(const std::string& name) const;

    /// Fills in what every workload has alike: nominal and executed flops (of one device), unit, sparsity,
    /// state of the caches at the start, and the element type where the kind has not set another.
    void finish(Workload& workload) const;

private:
    [[noreturn]] static void refuse(const std::string& key, const std::string& expected,
                                    const std::string& got);
    const std::string& value(const std::string& name) const;
    bool has(const std::string& name) const;
    /// The key at the end of the names that a value leads through ("m=n,n=k,k=4").
    const std::string& resolve(const std::string& name) const;

    WorkloadSpec values_;  ///< fallbacks filled in
};

/// A size as a title shows it: 4096, 272.2, 1e+12.
std::string size_text(double size);

}  // namespace rooftune
