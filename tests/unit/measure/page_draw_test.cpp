// Pages that a measuring process takes by lot before it makes its arrays.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tuner/measure/page_draw.h"

using namespace rooftune;

namespace {

constexpr double kMiB = 1024.0 * 1024.0, kPlenty = 1e12;

double taken(const PageDraw& pages) {
    return static_cast<double>(pages.huge_bytes() + pages.small_bytes());
}

}  // namespace

TEST_CASE("pages: each seed takes a number of its own, of both sizes, and within the limits") {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::size_t huge = 0, small = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const PageDraw pages(seed, kPlenty);
        seen.insert({pages.huge_bytes(), pages.small_bytes()});
        huge = std::max(huge, pages.huge_bytes());
        small = std::max(small, pages.small_bytes());
    }
    CHECK(seen.size() >= 39);
    // Most of the range is drawn from, and nothing beyond it.
    CHECK(static_cast<double>(huge) > 64.0 * kMiB);
    CHECK(static_cast<double>(huge) <= 128.0 * kMiB);
    CHECK(static_cast<double>(small) > 8.0 * kMiB);
    CHECK(static_cast<double>(small) <= 16.0 * kMiB);
}

TEST_CASE("pages: a machine with little memory spares a sixty-fourth of it, and one without any nothing") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CHECK(taken(PageDraw(seed, 512.0 * kMiB)) <= 8.0 * kMiB);
        CHECK(taken(PageDraw(seed, 4096.0)) == 0.0);
        CHECK(taken(PageDraw(seed, 0.0)) == 0.0);
        CHECK(taken(PageDraw(seed, -1.0)) == 0.0);
    }
}

TEST_CASE("pages: what is drawn is there, not just asked for") {
    std::size_t resident = 0;
    std::ifstream before("/proc/self/statm");
    std::size_t all = 0;
    before >> all >> resident;
    std::vector<PageDraw> held;
    double drawn = 0.0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        held.emplace_back(seed, kPlenty);
        drawn += static_cast<double>(held.back().small_bytes() + held.back().huge_bytes());
    }
    std::size_t now = 0;
    std::ifstream after("/proc/self/statm");
    after >> all >> now;
    CHECK(static_cast<double>(now - resident) * 4096.0 >= 0.9 * drawn);
}

TEST_CASE("pages: two processes of one tune draw each for itself") {
    if (available_memory() < 1024.0 * kMiB) {
        WARN("skipped: less than 1 GiB is available");
        return;
    }
    const PageDraw one = any_pages(), other = any_pages(), third = any_pages();
    const auto of = [](const PageDraw& pages) { return std::pair(pages.huge_bytes(), pages.small_bytes()); };
    CHECK((of(one) != of(other) || of(one) != of(third)));
}
