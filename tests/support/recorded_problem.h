// A recorded job with everything that bounds need: its problem, space and work model, built again by the
// family, and the machine whose ceilings bounded it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/registry.h"
#include "models/machine.h"
#include "tuner/replay/recorded_job.h"

namespace rooftune::test {

struct RecordedProblem {
    RecordedJob file;
    std::unique_ptr<Problem> problem;
    std::unique_ptr<Space> space;
    std::unique_ptr<WorkModel> model;
    Machine machine;
    Variant naive, fallback;
};

/// Reads what `rooftune export --format rooftune --with-machine` wrote, on the CPU. Matrices are named
/// without their folder and looked for in $ROOFTUNE_DATA/matrices. Throws InputError.
RecordedProblem load_recorded(const std::string& path, const Registry& registry);

/// Records of a file by variant, in the order given. Throws InputError for one that is no variant of the
/// space.
std::map<Variant, Record> by_variant(const RecordedProblem& recorded, const std::vector<Record>& records,
                                     const std::string& path);

}  // namespace rooftune::test
