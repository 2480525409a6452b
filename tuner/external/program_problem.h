// A program with its description as a problem: where it runs, and what it is known by.
#pragma once

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"
#include "tuner/external/kernel_document.h"

namespace rooftune::external {

/// Keys of a description that has no file.
inline constexpr const char* kDescriptionKey = "description";
inline constexpr const char* kFolderKey = "folder";

/// Whether a problem is a program: by a description among its keys, or a source that is one.
bool names_program(const ProblemSpec& spec);

/// The program that is described, with numbers for its sizes. Throws InputError: as instance_of(), for a file
/// that cannot be read, for a folder or (unless something builds it) a program that is not there, and for
/// one that cannot be run.
Instance program_instance(const ProblemSpec& spec, double available);

/// The same of a JSON document.
Instance program_instance(const KernelDocument& document, const ProblemSpec& sizes, double available);

/// The same from a text that was read before. `path` of its file, empty where it has none.
Instance described_instance(const std::string& text, const std::string& path, const std::string& file,
                            const ProblemSpec& sizes, double available);
Instance described_instance(const KernelDocument& document, const ProblemSpec& sizes, double available);

/// What its runs are held against, for Problem::verified_by().
std::string verified_by_program(const Declaration& declaration);

}  // namespace rooftune::external
