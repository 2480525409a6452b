// Topologies of synthetic machines, read, told and drawn: two packages with four memories, cores of two
// kinds, one processing unit, and processing units that are not for this process.
#include <hwloc.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>

#include "kernels/runtime/hwloc_topology.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/machine/topology_svg.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr const char* kTwoPackages =
    "pack:2 l3:2(size=33554432) [numa(memory=17179869184)] l2:2(size=1048576) l1d:1(size=49152) core:1 pu:2";

std::vector<int> first(int count, int step = 1) {
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(i * step);
    return numbers;
}

TopologyView view_of(const std::string& synthetic, const std::vector<int>& usable,
                     const std::vector<int>& team, const std::string& hypervisor = "") {
    const HwlocTopology topology = load_hwloc_topology(synthetic);
    return {layout_of(topology.get(), usable, team), "A synthetic processor", hypervisor};
}

// Four cores of two threads each and four of one, which are slower.
TopologyView hybrid() {
    const HwlocTopology topology = load_hwloc_topology("pack:1 l3:1(size=25165824) core:8 pu:1");
    const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> set(hwloc_bitmap_alloc(),
                                                                            &hwloc_bitmap_free);
    hwloc_bitmap_set_range(set.get(), 0, 3);
    REQUIRE(hwloc_cpukinds_register(topology.get(), set.get(), 2, 0, nullptr, 0) == 0);
    hwloc_bitmap_zero(set.get());
    hwloc_bitmap_set_range(set.get(), 4, 7);
    REQUIRE(hwloc_cpukinds_register(topology.get(), set.get(), 1, 0, nullptr, 0) == 0);
    return {layout_of(topology.get(), first(8), {0, 1, 2, 3}), "A hybrid", ""};
}

/// In one line, whatever the page's width.
std::string told(const TopologyView& view) {
    return std::regex_replace(topology_text(view), std::regex("\\s+"), " ");
}

std::string fault_of(const Json& document) {
    const auto faults = SchemaCheck("configs/schema").faults(document, "topology.schema.json");
    return faults.empty() ? "" : faults.front();
}

void check_all(const TopologyView& view) {
    CHECK(fault_of(topology_json(view)) == "");
    const ChartDrawing drawing = draw_topology(view);
    check_sound(drawing.svg);
    for (const Box& band : drawing.panels) {
        CHECK(band.within(drawing.page));
        const auto faults = layout_faults(drawing.texts, drawing.page, band);
        CHECK((faults.empty() ? std::string() : faults.front()) == "");
    }
}

}  // namespace

TEST_CASE("two packages with four memories as they were approved, in words and drawn") {
    const TopologyView view = view_of(kTwoPackages, first(16), {0, 2, 4, 6, 8, 10, 12, 14});
    check_golden("machines/topology.txt", topology_text(view));
    check_golden("machines/topology.svg", topology_svg(view));
    check_all(view);
}

TEST_CASE("a layout has each part with its processing units") {
    const Layout layout = view_of(kTwoPackages, first(16), {}).layout;
    REQUIRE(layout.units.size() == 16);
    CHECK(parts_of(layout, LayoutType::package).size() == 2);
    const auto nodes = parts_of(layout, LayoutType::node);
    REQUIRE(nodes.size() == 4);
    CHECK(nodes[3]->bytes == 17179869184.0);
    CHECK(nodes[3]->units == std::vector<std::size_t>{12, 13, 14, 15});
    const auto last = parts_of(layout, LayoutType::cache, 3);
    REQUIRE(last.size() == 4);
    CHECK(last[1]->bytes == 33554432.0);
    CHECK(last[1]->units == std::vector<std::size_t>{4, 5, 6, 7});
    CHECK(parts_of(layout, LayoutType::cache, 2).size() == 8);
    CHECK(parts_of(layout, LayoutType::core).size() == 8);
    CHECK(layout.kinds == 1);
}

TEST_CASE("where the threads of a team sit, and with whom they share a core") {
    // The third thread sits beside the first.
    const TopologyView view = view_of(kTwoPackages, first(16), {0, 8, 1});
    const Json threads = topology_json(view).at("threads");
    REQUIRE(threads.size() == 3);
    CHECK(threads[1].at("processing_unit") == 8);
    CHECK(threads[1].at("package") == 1);
    CHECK(threads[1].at("numa_node") == 2);
    CHECK(threads[2].at("core") == threads[0].at("core"));
    CHECK_THAT(told(view), Contains("A team of 3 threads is pinned so"));
    check_all(view);
}

TEST_CASE("processing units that are not for this process are told, and no thread sits there") {
    const TopologyView view = view_of(kTwoPackages, {0, 1, 2, 3, 9}, {0, 1, 2, 3, 9});
    CHECK_THAT(told(view), Contains("this process may use 5 of them: 0-3, 9"));
    CHECK_THAT(topology_remarks(view).at(0), Contains("Not for this process: 4-8, 10-15"));
    CHECK(topology_json(view).at("processing_units")[4].at("usable") == false);
    CHECK_THAT(topology_svg(view), Contains("not ours") && Contains("stroke-dasharray"));
    check_all(view);
}

TEST_CASE("cores of two kinds are told apart, and which is faster where the system says so") {
    const TopologyView view = hybrid();
    CHECK(view.layout.kinds == 2);
    CHECK(view.layout.ranked);
    CHECK(view.layout.units[0].kind == 1);
    CHECK(view.layout.units[7].kind == 0);
    CHECK_THAT(told(view),
               Contains("core, kind 0") && Contains("core, kind 1") && Contains("kind 1 is the fastest"));
    check_all(view);
    TopologyView unranked = view;
    unranked.layout.ranked = false;
    CHECK_THAT(topology_remarks(unranked).at(0), Contains("does not say which is faster"));
}

TEST_CASE("one processing unit, and one that is shown without caches and packages") {
    const TopologyView one = view_of("pack:1 l2:1 core:1 pu:1", {0}, {0});
    CHECK_THAT(told(one),
               Contains("1 processing unit, which this process may use") && Contains("A team of 1 thread"));
    check_all(one);
    const TopologyView bare = view_of("pu:2", {0, 1}, {0, 1}, "KVMKVMKVM");
    CHECK_THAT(told(bare), Contains("No cache is told of") &&
                               Contains("A virtual machine under KVM: this is what the hypervisor "
                                        "shows"));
    CHECK(topology_json(bare).at("hypervisor") == "KVM");
    check_all(bare);
}

TEST_CASE("many processing units in a package: boxes without room for words have none") {
    const TopologyView view = view_of("pack:2 l3:12(size=33554432) core:8 pu:2", first(384), first(192, 2));
    check_all(view);
    CHECK_THAT(told(view), Contains("and 16 more"));
}
