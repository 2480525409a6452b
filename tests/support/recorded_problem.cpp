#include "tests/support/recorded_problem.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/text_lines.h"
#include "tuner/replay/rooftune_file.h"

namespace rooftune::test {
namespace {

ProblemSpec found(ProblemSpec spec) {
    const auto matrix = spec.find("matrix");
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (matrix != spec.end() && data)
        matrix->second = (std::filesystem::path(data) / "matrices" / matrix->second).string();
    return spec;
}

}  // namespace

RecordedProblem load_recorded(const std::string& path, const Registry& registry) {
    RecordedProblem r;
    r.file = from_rooftune_records(parse_json(read_import(path), path), path);
    check_distinct(r.file.space, path);
    if (!r.file.machine) throw InputError(path + ": holds no machine; export it with --with-machine");
    const Family* family = registry.find(r.file.key.family);
    if (!family) throw InputError(path + ": there is no family '" + r.file.key.family + "'");
    // As a tune has it: a device's rates are no roofs of the processor's, nor doubts about them.
    r.machine = machine_of(*r.file.machine, "");
    r.problem = family->problem(found(r.file.key.problem));
    // Records of SpMV with AVX-512 where gathers are slow from before kernels knew (November 2026) are of
    // gathers.
    const Topology& topology = r.machine.topology;
    const Target target = target_on(topology, topology.width_bits, r.file.key.threads);
    r.space = std::make_unique<Space>(family->space(*r.problem, target));
    r.model =
        family->work_model(*r.problem, *r.space, target, state_from(r.file.key.state).value_or(State::warm));
    r.naive = family->naive_variant(*r.problem, *r.space, target);
    r.fallback = family->default_variant(*r.problem, *r.space, target);
    return r;
}

std::map<Variant, Record> by_variant(const RecordedProblem& recorded, const std::vector<Record>& records,
                                     const std::string& path) {
    std::map<Variant, Record> all;
    std::string why;
    for (const Record& record : records) {
        const auto variant = recorded.space->from_map(record.variant, why);
        if (!variant) throw InputError(path + ": not a variant of this program's space: " + why);
        all[*variant] = record;
    }
    return all;
}

}  // namespace rooftune::test
