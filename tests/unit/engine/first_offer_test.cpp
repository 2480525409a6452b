// What a tune offers at first, by what its user names.
#include "models/space_count.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/engine/setting.h"

using namespace rooftune;

namespace {

/// A stencil whose arrays no cache holds, on one thread.
Setting setting(const Registry& registry, const std::vector<std::string>& only,
                const std::vector<std::string>& where = {}) {
    Job job;
    job.family = registry.find("stencil");
    job.problem = {{"nx", "128"}, {"ny", "128"}, {"nz", "128"}};
    for (const std::string& expression : where) job.constraints.push_back({expression, "--where"});
    CommonOptions common;
    common.threads = 1;
    return make_setting(job, common, only, toy::machine());
}

int offered(const Setting& s, const char* parameter) {
    return s.offer.offered(*s.space, s.space->find(parameter));
}

int values(const Setting& s, const char* parameter) {
    return static_cast<int>(
        s.space->parameters()[static_cast<std::size_t>(s.space->find(parameter))].values.size());
}

}  // namespace

TEST_CASE("at first the farthest distances of a large grid are held back, and the space has them") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry, {});
    CHECK(values(s, "prefetch") == 6);
    CHECK(offered(s, "prefetch") == 4);
    CHECK(offered(s, "streams") == 3);
    CHECK(s.offer.of(*s.space).count({}) < s.space->count({}));
    CHECK(s.offer.offers(*s.space, s.naive));
    CHECK(s.offer.offers(*s.space, s.fallback));
}

TEST_CASE("what --only names is on offer as named, and the rest as ever") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry, {"prefetch=0|32768", "padding=0"});
    CHECK(offered(s, "prefetch") == 6);
    CHECK(offered(s, "streams") == 3);
    std::uint64_t with = 0;
    const int prefetch = s.space->find("prefetch");
    s.offer.of(*s.space).each({}, [&](const Variant& v) {
        with += s.space->text(v, prefetch) == "32768" ? 1 : 0;
        return true;
    });
    CHECK(with > 0);
}

TEST_CASE("what a constraint names is its user's to choose, too") {
    const Registry registry = built_in_families();
    CHECK(offered(setting(registry, {}, {"prefetch > 8192"}), "prefetch") == 6);
    CHECK(offered(setting(registry, {}, {"padding == 0"}), "prefetch") == 4);
}

TEST_CASE("a small problem is on offer whole") {
    const Registry registry = built_in_families();
    Job job;
    job.family = registry.find("stencil");
    job.problem = {{"nx", "64"}, {"ny", "64"}, {"nz", "64"}};
    CommonOptions common;
    common.threads = 1;
    CHECK(make_setting(job, common, {}, toy::machine()).offer.everything());
}
