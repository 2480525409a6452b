// A source with annotations as a problem of the family `external`.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/folder_lock.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// The value of the key `source` that stands for the built-in example.
inline constexpr const char* kExample = "example";
/// The same in OpenCL C. Files of this name are found by a path, `./example.cl`.
inline constexpr const char* kOpenclExample = "example.cl";

class ExternalProblem final : public Problem {
public:
    /// Keys: source (a path, or `example`), and the sizes that it declares; of a program whose description
    /// has no file, description (its text) and folder in place of source. Throws InputError. `available`:
    /// bytes of memory that may be taken.
    static std::unique_ptr<ExternalProblem> load(const ProblemSpec& spec, double available);
    /// Functions of this program; such a problem is in no other process.
    static std::unique_ptr<ExternalProblem> of_functions(const Instance& instance);
    /// From what shared() wrote; the source on the disk may be another one by now.
    static std::unique_ptr<ExternalProblem> from_shared(const std::string& text, double available);

    /// Of a program that is built: takes its folder for as long as this object lives. Throws as
    /// lock_folder().
    void hold_folder() const;

    const Instance& instance() const { return instance_; }
    std::string shared() const;

    ProblemSpec spec() const override;
    std::string title() const override;
    std::string digest() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    DType dtype() const override;
    double flops_nominal() const override { return flops_; }
    std::string verified_by() const override;

private:
    explicit ExternalProblem(Instance instance);

    Instance instance_;
    double flops_;
    mutable std::shared_ptr<FolderLock> lock_;  ///< nothing of the problem
};

/// What a source includes by "name", one text behind the other, as it is now; empty where it has no file.
std::string text_of_included(const Instance& instance);

}  // namespace rooftune::external
