// Cuts of a program's space, whose values may have the separators of a cut.
#include "kernels/runtime/error.h"
#include "models/space_count.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/command/described_program.h"
#include "tuner/engine/setting.h"
#include "tuner/external/family.h"

using namespace rooftune;
using Catch::Contains;

namespace {

double variants(const std::vector<std::string>& only) {
    const Registry registry = all_families();
    external::ProgramFlags flags;
    flags.command = "sh -c true";
    flags.environment = {"OMP_SCHEDULE=static,\"dynamic,16\",'guided,4'", "MODE=a|b,c"};
    const Job job = job_described(flags, {}, registry);
    CommonOptions common;
    common.threads = 1;
    return static_cast<double>(make_setting(job, common, only, toy::machine()).space->count({}));
}

}  // namespace

TEST_CASE("a name that is no parameter's: the hint names the family whose parameters are listed") {
    const Registry registry = all_families();
    Job job;
    job.family = &family_named(registry, "stencil");
    job.problem = job.family->examples().front();
    CommonOptions common;
    common.threads = 1;
    CHECK_THROWS_WITH(make_setting(job, common, {"unrool=1"}, toy::machine()),
                      Contains("; `rooftune list parameters stencil` shows them"));
    // What flags describe has no name that could be asked for.
    CHECK_THROWS_WITH(variants({"MOOD=b"}),
                      Contains("there is no parameter 'MOOD'") && !Contains("list parameters"));
}

TEST_CASE("a value that has a comma or a bar is named in quotes") {
    CHECK(variants({}) == 6.0);
    CHECK(variants({"OMP_SCHEDULE=static"}) == 2.0);
    CHECK(variants({"OMP_SCHEDULE=\"dynamic,16\""}) == 2.0);
    CHECK(variants({"OMP_SCHEDULE='guided,4'|static,MODE=c"}) == 2.0);
    CHECK(variants({"MODE=\"a|b\""}) == 3.0);
    CHECK_THROWS_WITH(variants({"OMP_SCHEDULE=dynamic,16"}),
                      Contains("did you mean OMP_SCHEDULE='\"dynamic,16\"'?"));
}
