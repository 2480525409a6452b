#include "tuner/verify/static_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tuner/base/fingerprint_words.h"
#include "tuner/base/text_width.h"

namespace rooftune::verify {
namespace {

constexpr const char* kDefaultThere = "programs take the default variant here";

Check fine(Question question, std::string what) {
    return {question, Status::ok, what, what, "", false};
}

Check not_asked(Question question) {
    return {question, Status::not_checked, "", "", "", false};
}

int widest(const std::vector<int>& widths) {
    return widths.empty() ? 0 : widths.back();
}

std::string vectors(int bits) {
    return bits < 128 ? "scalar code" : fmt::format("vectors of {} bits", bits);
}

std::string units(int count) {
    return count == 1 ? "1 processing unit" : fmt::format("{} processing units", count);
}

// Vectors and threads: the widest units may have been masked or switched off, the process confined.
Check features(const Claim& claim, const Environment& here) {
    if (!here.no_device.empty())
        return {Question::features,
                Status::failed,
                claim.tuned.device,
                "",
                "its device is not there (" + here.no_device + "); " + kDefaultThere,
                false};
    if (claim.tuned.backend != "cpu") return fine(Question::features, claim.tuned.device);
    const NeedsReport& needs = claim.tuned.needs;
    const int threads = std::max(needs.threads, claim.tuned.threads);
    const bool wide_enough = needs.vector_bits < 128 || std::find(here.widths.begin(), here.widths.end(),
                                                                  needs.vector_bits) != here.widths.end();
    const std::string then =
        (needs.vector_bits > 0 ? vectors(needs.vector_bits) + ", " : std::string()) + units(threads);
    const std::string now = (needs.vector_bits > 0 ? vectors(widest(here.widths)) + ", " : std::string()) +
                            units(here.processors);
    if (wide_enough && here.processors >= threads)
        return {Question::features, Status::ok, then, now, "", false};
    std::string lack;
    if (!wide_enough)
        lack = fmt::format(
            "its winner needs {}, and this process may use {}", vectors(needs.vector_bits),
            widest(here.widths) > 0 ? vectors(widest(here.widths)) + " at most" : "scalar code only");
    if (here.processors < threads)
        lack += fmt::format("{}it was tuned for {}, and this process has {}", lack.empty() ? "" : "; ",
                            units(threads), here.processors);
    return {Question::features, Status::failed, then, now, lack + "; " + kDefaultThere, false};
}

Check machine(const Claim& claim, const Environment& here) {
    const std::string& then = claim.tuned.machine_id;
    if (then == here.machine_id) return fine(Question::machine, then);
    const std::string difference = fingerprint_difference(then, here.machine_id);
    return {Question::machine,
            Status::failed,
            then,
            here.machine_id,
            fmt::format("it was tuned on another machine, {}{}; {}, tune it here as well",
                        printable(claim.tuned.machine_name),
                        difference.empty() ? "" : " (" + difference + ")", kDefaultThere),
            false};
}

Check space(const Claim& claim, const Environment& here) {
    if (!here.no_family.empty())
        return {Question::space,
                Status::failed,
                claim.tuned.family,
                "",
                here.no_family + "; no program of this build uses the config",
                false};
    if (!here.space_version) return not_asked(Question::space);
    const auto name = [&](int version) { return fmt::format("{}, version {}", claim.tuned.family, version); };
    const std::string then = name(claim.tuned.space_version), now = name(*here.space_version);
    if (then == now) return fine(Question::space, then);
    return {Question::space,
            Status::changed,
            then,
            now,
            "what can be varied in the family has changed, and programs take the default variant until it is "
            "tuned again",
            true};
}

Check problem(const Claim& claim, const Environment& here) {
    if (!here.no_problem.empty())
        return {Question::problem,
                Status::undecided,
                claim.tuned.digest,
                "",
                "the problem cannot be loaded (" + here.no_problem + "); bring it back, or remove the config",
                false};
    if (!here.digest) return not_asked(Question::problem);
    if (*here.digest == claim.tuned.digest) return fine(Question::problem, claim.tuned.digest);
    return {Question::problem,
            Status::changed,
            claim.tuned.digest,
            *here.digest,
            "the problem has the name but not the content of what was tuned: programs do not find the config "
            "for it, so tune it again",
            true};
}

Check variant(const Claim& claim, const Environment& here) {
    if (!here.no_variant) return not_asked(Question::variant);
    if (here.no_variant->empty()) return {Question::variant, Status::ok, "", "", "", false};
    (void)claim;
    return {Question::variant,
            Status::failed,
            "",
            "",
            "its winner does not exist here (" + *here.no_variant + "); " + kDefaultThere +
                " until it is tuned again",
            false};
}

Check compiler(const Claim& claim, const Environment& here) {
    if (claim.compiler == here.compiler) return fine(Question::compiler, claim.compiler);
    return {
        Question::compiler,
        Status::changed,
        claim.compiler,
        here.compiler,
        fmt::format("the kernels were built by {} when it was tuned and are by {} now: another variant may "
                    "win, so tune it again",
                    printable(claim.compiler), here.compiler),
        true};
}

Check kernels(const Claim& claim, const Environment& here) {
    if (claim.kernels_build == here.kernels_build) return fine(Question::kernels, claim.kernels_build);
    return {Question::kernels,
            Status::changed,
            claim.kernels_build,
            here.kernels_build,
            "the kernels are another build (their sources, compiler or flags changed): another variant may "
            "win, so tune it again",
            true};
}

Check set(const Claim& claim) {
    if (!claim.of_set) return not_asked(Question::set);
    if (claim.outdated.empty()) return {Question::set, Status::ok, "", "", "", false};
    return {Question::set,
            Status::changed,
            "",
            "",
            "the problem's own config, " + claim.outdated +
                ", has another winner than the set: tune the set's job again",
            true};
}

}  // namespace

std::vector<Check> key_checks(const Claim& claim, const Environment& here) {
    return {features(claim, here), machine(claim, here)};
}

std::vector<Check> static_checks(const Claim& claim, const Environment& here) {
    std::vector<Check> checks = key_checks(claim, here);
    checks.push_back(space(claim, here));
    checks.push_back(problem(claim, here));
    checks.push_back(variant(claim, here));
    checks.push_back(compiler(claim, here));
    checks.push_back(kernels(claim, here));
    if (claim.of_set) checks.push_back(set(claim));
    return checks;
}

bool may_measure(const std::vector<Check>& checks) {
    return std::all_of(checks.begin(), checks.end(), [](const Check& c) {
        const bool decides = c.question == Question::features || c.question == Question::machine ||
                             c.question == Question::space || c.question == Question::problem ||
                             c.question == Question::variant;
        return !decides || c.status == Status::ok;
    });
}

}  // namespace rooftune::verify
