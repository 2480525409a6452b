// Sets of processing units, those beyond the 1024 of a cpu_set_t among them.
#include "kernels/runtime/cpu_mask.h"

#include <unistd.h>

#include <thread>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/pinned_caller.h"
#include "tests/support/catch.h"
#include "tests/support/mask.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("a mask holds the processing units that it was made of, whatever their numbers") {
    CHECK(CpuMask({5, 0, 63, 64, 1023, 1024, 8191, 5}).cpus() ==
          std::vector<int>{0, 5, 63, 64, 1023, 1024, 8191});
    CHECK(CpuMask({8191}).bytes() == 1024);
    CHECK(CpuMask({-1, 3}).cpus() == std::vector<int>{3});
    CHECK(CpuMask().empty());
    CHECK(CpuMask(std::vector<int>{}).empty());
    CHECK_FALSE(CpuMask({4000}).empty());
}

TEST_CASE("masks are equal by what they hold, not by their size") {
    CHECK(CpuMask({1, 2}) == CpuMask({2, 1}));
    CHECK(CpuMask({1}) != CpuMask({1, 5000}));
    CHECK(CpuMask() == CpuMask(std::vector<int>{}));
    CHECK(CpuMask::of_thread() == CpuMask(mask_of_this_thread()));
}

TEST_CASE("a mask is given to a thread and back, and one of absent processing units is refused") {
    const CpuMask before = CpuMask::of_thread();
    REQUIRE_FALSE(before.empty());
    const CpuMask one({usable_cpus().back()});
    std::thread([&] {
        CHECK(one.give_to());
        CHECK(CpuMask::of_thread() == one);
        CHECK_FALSE(CpuMask({100'000}).give_to());
        CHECK_FALSE(CpuMask().give_to());
        CHECK(CpuMask::of_thread() == one);
        // Those that there are count.
        CHECK(CpuMask({usable_cpus().front(), 100'000}).give_to());
        CHECK(CpuMask::of_thread() == CpuMask({usable_cpus().front()}));
    }).join();
    CHECK(CpuMask::of_thread() == before);
    CHECK(CpuMask::of_thread(::getpid()) == before);
    constexpr pid_t kNobody = 1 << 30;
    CHECK(CpuMask::of_thread(kNobody).empty());
    CHECK_FALSE(before.give_to(kNobody));
}

TEST_CASE("to be put on a processing unit far beyond what there is is refused and changes nothing") {
    const std::vector<int> before = mask_of_this_thread();
    CHECK_FALSE(pin_to(5000));
    CHECK_FALSE(pin_to(-1));
    PinnedCaller caller;
    CHECK_FALSE(caller.pin(5000));
    CHECK(mask_of_this_thread() == before);
    CHECK(caller.mask_now().cpus() == before);
}
