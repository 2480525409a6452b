// What `rooftune inspect` says: the ways to store a matrix, their bytes and bounds, the pictures, and the
// document.
#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "kernels/registry.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/support/toy.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/inspect/density_svg.h"
#include "tuner/inspect/inspect_json.h"
#include "tuner/inspect/inspect_text.h"
#include "tuner/search/enumerate/bound_source.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Inspected inspect(const ProblemSpec& spec, const Machine& machine = toy::machine(),
                  const std::string& family = "spmv", int threads = 1) {
    static const Registry registry = built_in_families();
    Job job;
    job.family = registry.find(family);
    job.problem = spec;
    CommonOptions options;
    options.threads = threads;
    return inspect_problem(job, options, machine, 100);
}

const ProblemSpec kGrid{{"gen", "poisson7"}, {"nx", "12"}};

Machine without_ceilings() {
    Machine machine = toy::machine();
    machine.ceilings.clear();
    return machine;
}

Density density_of(int height, int width, std::vector<std::uint64_t> count, std::int64_t scale = 1) {
    return {height * scale, width * scale, height, width, std::move(count)};
}

}  // namespace

TEST_CASE("each way to store a matrix is there once, with all of its variants") {
    const Inspected found = inspect(kGrid);
    const Space& space = *found.setting.space;
    REQUIRE(found.ways.size() > 10);
    std::set<PartialVariant> choices;
    std::uint64_t variants = 0;
    double last = 0.0;
    for (const StorageWay& way : found.ways) {
        INFO(space.to_text(way.choice));
        CHECK(choices.insert(way.choice).second);
        CHECK(way.variants == space.count(way.choice));
        variants += way.variants;
        REQUIRE(way.promising);
        CHECK(space.valid(*way.promising));
        for (const char* name : {"format", "block", "chunk", "sigma", "index"})
            CHECK((*way.promising)[space.find(name)] == way.choice[space.find(name)]);
        CHECK(way.choice.free_at(space.find("threads")));
        CHECK(way.bytes > 0.0);
        CHECK(way.lower > 0.0);
        CHECK(way.binding != "");
        CHECK(way.estimate >= way.lower);
        CHECK(way.estimate >= last);
        last = way.estimate;
    }
    CHECK(variants == space.count(PartialVariant{}));
    CHECK(found.default_estimate > 0.0);
    // The default variant is one of those that store as it does.
    CHECK(found.ways.front().estimate <= found.default_estimate);
}

TEST_CASE("of a large matrix the most promising variant is the best of thousands") {
    // Big enough for all distances of prefetching, so that one way has more than a thousand variants a
    // thread.
    const Inspected found = inspect({{"gen", "banded"}, {"n", "700000"}, {"band", "4"}});
    const Space& space = *found.setting.space;
    const Machine machine = toy::machine();
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    const BoundSource source{&space, found.setting.model.get(), &bound};
    std::uint64_t most = 0;
    for (const StorageWay& way : found.ways) {
        most = std::max(most, way.variants);
        double least = std::numeric_limits<double>::infinity();
        space.each(way.choice, [&](const Variant& v) {
            least = std::min(least, source.rank(v));
            return true;
        });
        CHECK(way.estimate == least);
    }
    CHECK(most > 200);
    CHECK(found.ways.front().estimate <= found.default_estimate);
}

TEST_CASE("plain rows move what they hold") {
    const Inspected found = inspect(kGrid);
    const Space& space = *found.setting.space;
    double wide = 0.0, narrow = 0.0;
    for (const StorageWay& way : found.ways) {
        const auto values = space.to_map(way.choice);
        if (values.at("format") != "csr") continue;
        (values.at("index") == "32" ? wide : narrow) = way.bytes;
    }
    const auto fact = [&](const std::string& key) {
        for (const InspectedFact& f : found.inspection.facts) {
            if (f.key == key) return f.value;
        }
        return 0.0;
    };
    const double rows = fact("rows"), stored = fact("stored");
    CHECK(wide == stored * 12.0 + 4.0 * (rows + 1.0) + 8.0 * rows + 8.0 * rows);
    CHECK(wide - narrow == 2.0 * stored);
}

TEST_CASE("without a machine the fewest bytes come first, and no time is told") {
    const Inspected found = inspect(kGrid, without_ceilings());
    CHECK(found.machine == "");
    for (std::size_t i = 0; i < found.ways.size(); ++i) {
        CHECK(found.ways[i].lower == 0.0);
        CHECK(found.ways[i].estimate == 0.0);
        CHECK_FALSE(found.ways[i].promising);
        if (i > 0) CHECK(found.ways[i].bytes >= found.ways[i - 1].bytes);
    }
    const std::string text = inspect_text(found, false);
    CHECK_THAT(text, Contains("the fewest bytes first") && Contains("machine --quick") &&
                         !Contains("estimate") && !Contains("Probably"));
}

TEST_CASE("a few ways are told, or all of them") {
    const Inspected found = inspect(kGrid);
    const std::string few = inspect_text(found, false), all = inspect_text(found, true);
    CHECK_THAT(few, Contains("Probably the fastest: ") && Contains("-v names all of them") && Contains("┌"));
    CHECK_THAT(all, !Contains("-v names"));
    CHECK(occurrences(all, "format=") > found.ways.size());
    CHECK(occurrences(few, "format=") < 12);
}

TEST_CASE("a family with one way to store its data has its facts") {
    const Inspected found = inspect({{"m", "16"}, {"n", "16"}, {"k", "16"}}, toy::machine(), "matmul");
    CHECK(found.ways.empty());
    CHECK_FALSE(found.inspection.density);
    CHECK_FALSE(found.inspection.facts.empty());
    CHECK_THAT(inspect_text(found, false), Contains("matmul 16x16x16") && !Contains("Ways to store"));
}

TEST_CASE("numbers of facts are for people") {
    CHECK(fact_text({"", "", 93261, FactKind::count}) == "93 261");
    CHECK(fact_text({"", "", 65536, FactKind::count, true}) == "65 536 or more");
    CHECK(fact_text({"", "", 6.9938, FactKind::number}) == "6.99");
    CHECK(fact_text({"", "", 29518.7, FactKind::number}) == "29 519");
    CHECK(fact_text({"", "", 0.123, FactKind::share}) == "12 %");
}

TEST_CASE("a picture in characters is dark where the entries are") {
    CHECK(density_text(density_of(2, 2, {1, 0, 0, 1}), 10, 10) == "┌──┐\n│█ │\n│ █│\n└──┘\n");
    // By decades of a hundred places: all, ten, one, and a hundredth of one in many.
    CHECK(density_text(density_of(1, 4, {100, 10, 1, 0}, 10), 10, 10) == "┌────┐\n│█▓▒ │\n└────┘\n");
    CHECK(density_text(density_of(1, 2, {1100, 900}, 1000), 10, 10) == "┌──┐\n│░·│\n└──┘\n");
    // Cells that share a character are taken together: one of four places.
    CHECK(density_text(density_of(2, 2, {1, 0, 0, 0}), 1, 1) == "┌─┐\n│▓│\n└─┘\n");
    CHECK(density_text({}, 10, 10) == "");
}

TEST_CASE("the drawing is sound, and has as much black as there are entries") {
    const Inspected found = inspect(kGrid);
    const std::string svg = density_svg(*found.inspection.density, "a <matrix> & more");
    check_sound(svg);
    CHECK_THAT(svg, Contains("a &lt;matrix&gt; &amp; more") && Contains("1 728 rows"));
    const std::string two = density_svg(density_of(2, 2, {1, 0, 0, 1}), "two");
    check_sound(two);
    // Neighbours of one shade are one rectangle.
    const std::string full = density_svg(density_of(2, 2, {1, 1, 1, 1}), "full");
    CHECK(occurrences(full, "<rect") == occurrences(two, "<rect"));
    for (const Density& odd : {Density{}, density_of(1, 1, {0}), density_of(1, 5, {1, 1, 0, 1, 1}),
                               density_of(300, 1, std::vector<std::uint64_t>(300, 1))})
        check_sound(density_svg(odd, "odd"));
}

TEST_CASE("the drawing has rows downwards and columns to the right, as wide as they are many") {
    // One row of three columns with an entry in the last: a mark in the right third, as high as all.
    const std::string wide = density_svg(density_of(1, 3, {0, 0, 1}), "wide");
    const std::string tall = density_svg(density_of(3, 1, {0, 0, 1}), "tall");
    const auto mark = [](const std::string& svg) {
        const std::regex shape(
            R"re(<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" class="fill series1")re");
        std::smatch found;
        REQUIRE(std::regex_search(svg, found, shape));
        return std::array{std::stod(found[1]), std::stod(found[2]), std::stod(found[3]), std::stod(found[4])};
    };
    const auto [wx, wy, ww, wh] = mark(wide);
    const auto [tx, ty, tw, th] = mark(tall);
    CHECK(ww == Approx(th).margin(0.2));
    CHECK(wh == Approx(tw).margin(0.2));
    CHECK(wh == Approx(ww).margin(0.2));
    CHECK(wx - tx == Approx(2.0 * ww).margin(0.2));
    CHECK(ty - wy == Approx(2.0 * th).margin(0.2));
}

TEST_CASE("the document is what its schema says") {
    SchemaCheck check("configs/schema");
    for (const Machine& machine : {toy::machine(), without_ceilings()}) {
        const Json document = to_json(inspect(kGrid, machine));
        CHECK(check.faults(document, "inspect.schema.json") == std::vector<std::string>{});
        std::uint64_t entries = 0;
        for (const Json& row : document.at("density").at("entries")) {
            for (const Json& cell : row) entries += cell.get<std::uint64_t>();
        }
        CHECK(entries == 11232);
        CHECK(document.at("machine").is_null() == machine.ceilings.empty());
    }
    const Json product = to_json(inspect({{"m", "8"}, {"n", "8"}, {"k", "8"}}, toy::machine(), "matmul"));
    CHECK(check.faults(product, "inspect.schema.json") == std::vector<std::string>{});
    Json wrong = to_json(inspect(kGrid));
    wrong["ways"][0]["bytes"] = "many";
    CHECK_FALSE(check.faults(wrong, "inspect.schema.json").empty());
}
