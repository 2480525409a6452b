#include "tuner/own/trial_builds.h"

#include <functional>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/interrupt.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/engine/job.h"
#include "tuner/external/answers.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/folder_lock.h"
#include "tuner/external/opencl_launch.h"
#include "tuner/external/program_bench.h"
#include "tuner/external/program_builds.h"
#include "tuner/external/program_template.h"
#include "tuner/external/variant_build.h"

namespace rooftune {
namespace {

using namespace external;

std::string joined_words(const std::string& first, const std::vector<std::string>& flags) {
    std::string text = first;
    for (const std::string& flag : flags) {
        if (!flag.starts_with("-Wl,")) text += " " + flag;  // of ours, which say nothing here
    }
    return text;
}

TrialBuild tried(const std::string& what, const std::string& command, const std::function<void()>& build) {
    TrialBuild result{what, command, ""};
    try {
        build();
    } catch (const VariantError& error) {
        result.failure = error.what();
    }
    return result;
}

TrialBuild compiled_as(const std::string& what, const Compilation& compilation) {
    return tried(what, joined_words(compilation.compiler, compilation.flags), [&] { compiled(compilation); });
}

}  // namespace

std::vector<TrialBuild> trial_builds(const Instance& instance, const Space& space, const Target& target) {
    const Variant first = first_variant(instance, space);
    const std::string reference =
        instance.declaration.reference ? "the reference" : "the kernel as its own reference";
    std::vector<TrialBuild> builds;
    if (instance.declaration.language == Language::program) {
        const ProgramCall call =
            program_call(instance, space, first, threads_of(instance, space, first, target.threads));
        if (!call.build.empty())
            builds.push_back(tried("the first variant", shell_line(call.build), [&] {
                const auto lock = lock_folder(instance.folder);
                ProgramBuilds(instance.folder, instance.build_state).use(call.build, call.programs);
            }));
        return builds;
    }
    if (instance.declaration.language != Language::opencl) {
        builds.push_back(compiled_as("as the source stands", compilation_of(instance, space, first)));
        if (builds.front().failure.empty() && !interrupted() && !answers_are_given(instance))
            builds.push_back(compiled_as(reference, reference_compilation(instance, space, first)));
        return builds;
    }
    const auto context = opencl::open(target.device.id, chosen_cpus(CommonOptions()));
    if (!context) throw EnvironmentError("the OpenCL device '" + target.device.name + "' is not here");
    // Nothing is launched, so that arrays of a byte will do.
    std::vector<opencl::Buffer> buffers;
    for (std::size_t a = 0; a < instance.counts.size(); ++a) buffers.push_back(context->buffer(1));
    const std::string command = joined_words(target.device.name, flags_of(instance, space, first));
    builds.push_back(tried("as the source stands", command,
                           [&] { opencl_launch(*context, instance, space, first, buffers); }));
    if (builds.front().failure.empty() && !interrupted() && !answers_are_given(instance))
        builds.push_back(
            tried(reference, command, [&] { opencl_reference(*context, instance, space, first, buffers); }));
    return builds;
}

}  // namespace rooftune
