#include "tuner/external/family.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "tuner/base/descriptor.h"
#include "tuner/external/bench.h"
#include "tuner/external/compiled.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/kernel_document.h"
#include "tuner/external/opencl_bench.h"
#include "tuner/external/problem.h"
#include "tuner/external/program_bench.h"
#include "tuner/external/program_problem.h"
#include "tuner/external/variant_build.h"

namespace rooftune {
namespace {

using namespace external;

class ExternalFamily final : public Family {
public:
    std::string_view name() const override { return "external"; }
    std::string_view summary() const override { return "your own C, C++ or OpenCL kernel, or any program"; }
    std::vector<ProblemKey> keys() const override {
        return {{"source", "the kernel's source, a description of it or of a program, or `example`", ""},
                {kDescriptionKey, "the description itself, in place of its file", ""},
                {kFolderKey, "where a program runs that has no file of its description", ""},
                {"SIZE", "any size or number that the source declares, in place of its own value", ""}};
    }
    std::vector<Backend> backends() const override { return {Backend::cpu, Backend::opencl}; }
    std::vector<Backend> backends_of(const ProblemSpec& spec) const override {
        const auto source = spec.find("source");
        const bool device =
            source != spec.end() &&
            (names_document(source->second) ? kernel_document(source->second).language == Language::opencl
                                            : language_of(source->second) == Language::opencl);
        return {device ? Backend::opencl : Backend::cpu};
    }
    std::vector<ProblemSpec> examples() const override {
        return {{{"source", kExample}, {"n", "1000"}},
                {{"source", kExample}, {"n", "1"}},
                {{"source", kExample}, {"n", "8191"}, {"a", "-1"}},
                {{"source", kOpenclExample}, {"n", "1000"}},
                {{"source", kOpenclExample}, {"n", "1"}}};
    }
    std::string naive_phrase(Backend) const override { return "the first variant"; }

    double compile_seconds() const override { return compile_limit(); }
    double rebuild_seconds(const Problem& problem) const override {
        return of(problem).instance().declaration.build ? compile_limit() : 0.0;
    }

    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override {
        return ExternalProblem::load(spec, available_memory());
    }

    // The text, so that all workers of a tune compile the same, whatever becomes of the file. Where they
    // build in a folder, nobody else does from now on.
    int share(const Problem& problem) const override {
        of(problem).hold_folder();
        const std::string text = of(problem).shared();
        const Descriptor file = memory_file("rooftune-external");
        const int shared =
            file.fd() >= 0 && write_whole(file, text) ? fcntl(file.fd(), F_DUPFD_CLOEXEC, 0) : -1;
        if (shared < 0)
            throw EnvironmentError("the kernel's source cannot be shared with worker processes: " +
                                   std::generic_category().message(errno));
        return shared;
    }
    std::unique_ptr<Problem> attach(int descriptor) const override {
        struct stat facts {};
        if (fstat(descriptor, &facts) != 0) throw EnvironmentError("the kernel's source is not shared");
        std::string text(static_cast<std::size_t>(facts.st_size), '\0');
        // One call reads 2 GiB at most.
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t some =
                pread(descriptor, text.data() + at, text.size() - at, static_cast<off_t>(at));
            if (some <= 0) throw EnvironmentError("the kernel's source cannot be read as it was shared");
            at += static_cast<std::size_t>(some);
        }
        return ExternalProblem::from_shared(text, available_memory());
    }

    Space space(const Problem& problem, const Target& target) const override {
        return make_space(of(problem).instance(), target);
    }
    std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space, const Target& target,
                                          State state) const override {
        return make_work_model(of(problem).instance(), space, target, state);
    }
    Variant naive_variant(const Problem& problem, const Space& space, const Target&) const override {
        return first_variant(of(problem).instance(), space);
    }
    void build_ahead(const Problem& problem, const Space& space, std::span<const Variant> variants,
                     int processors) const override {
        const Instance& instance = of(problem).instance();
        const Language language = instance.declaration.language;
        if (language != Language::c && language != Language::cpp) return;
        std::vector<Compilation> all;
        for (const Variant& variant : variants) all.push_back(compilation_of(instance, space, variant));
        compile_ahead(all, processors);
    }

    // Nothing is known of somebody else's parameters but the order in which they were written.
    Variant default_variant(const Problem& problem, const Space& space, const Target&) const override {
        return first_variant(of(problem).instance(), space);
    }
    std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                 const Target& target) const override {
        const Instance& instance = of(problem).instance();
        if (instance.declaration.language == Language::opencl)
            return make_opencl_bench(instance, space, target);
        return instance.declaration.language == Language::program
                   ? make_program_bench(instance, space, target)
                   : make_bench(instance, space, target);
    }

private:
    static const ExternalProblem& of(const Problem& problem) {
        return dynamic_cast<const ExternalProblem&>(problem);
    }
};

}  // namespace

std::unique_ptr<Family> make_external_family() {
    return std::make_unique<ExternalFamily>();
}

Registry all_families() {
    Registry registry = built_in_families();
    registry.add(make_external_family());
    return registry;
}

}  // namespace rooftune
