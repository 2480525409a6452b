// Which cores of a machine with unequal ones are probed.
#include "kernels/runtime/core_kinds.h"

#include <filesystem>

#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;

TEST_CASE("unequal cores: of equal ones the first alone is probed, and of none none") {
    CHECK(fastest_of_kinds({}).empty());
    CHECK(fastest_of_kinds({{}}) == std::vector<int>{0});
    CHECK(fastest_of_kinds({{}, {}, {}}) == std::vector<int>{0});
    const CoreReading core{0, 166.0, 4.5e9};
    CHECK(fastest_of_kinds({core, core}) == std::vector<int>{0});
}

TEST_CASE("unequal cores: each kind has one, the fastest of it, and the first is always among them") {
    const CoreReading fast{1, 0.0, 5e9}, favoured{1, 0.0, 5.2e9}, small{0, 0.0, 3.8e9};
    CHECK(fastest_of_kinds({fast, fast, small, small}) == std::vector<int>{0, 2});
    CHECK(fastest_of_kinds({small, small, fast, fast}) == std::vector<int>{0, 2});
    CHECK(fastest_of_kinds({fast, favoured, fast, favoured, small}) == std::vector<int>{0, 4, 1});
    // A rank of the firmware tells more than a clock that all have in common.
    CHECK(fastest_of_kinds({{0, 196, 5e9}, {0, 231, 5e9}, {0, 226, 5.1e9}}) == std::vector<int>{0, 1});
    // Three kinds, as where two small ones live apart from the rest.
    CHECK(fastest_of_kinds({{2, 0, 5e9}, {1, 0, 4e9}, {0, 0, 2e9}, {0, 0, 2e9}}) ==
          std::vector<int>{0, 2, 1});
}

TEST_CASE("unequal cores: ranks and clocks are read from sysfs, and where it has none they are 0") {
    const test::TemporaryFolder folder;
    const std::vector<int> cpus{usable_cpus().front(), usable_cpus().back()};
    const std::string cpu = "sys/devices/system/cpu/cpu" + std::to_string(cpus.back());
    std::filesystem::create_directories(folder.file(cpu + "/acpi_cppc"));
    std::filesystem::create_directories(folder.file(cpu + "/cpufreq"));
    folder.write(cpu + "/acpi_cppc/highest_perf", "231\n");
    folder.write(cpu + "/cpufreq/cpuinfo_max_freq", "5700000\n");
    const std::vector<CoreReading> cores = read_cores(cpus, folder.path());
    REQUIRE(cores.size() == 2);
    CHECK(cores.back().performance == 231.0);
    CHECK(cores.back().hertz == 5.7e9);
    if (cpus.front() != cpus.back()) {
        CHECK(cores.front().performance == 0.0);
        CHECK(cores.front().hertz == 0.0);
        CHECK(fastest_of_kinds(cores).back() == 1);
    }
    // As many as asked for, of this machine too, and each position is one of them.
    const std::vector<int> all = usable_cpus();
    const std::vector<int> probed = fastest_of_kinds(read_cores(all));
    REQUIRE_FALSE(probed.empty());
    CHECK(probed.front() == 0);
    for (const int position : probed) CHECK(position < static_cast<int>(all.size()));
}
