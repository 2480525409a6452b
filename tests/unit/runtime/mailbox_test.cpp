// How a thread of a team is called, and when it sleeps.
#include "kernels/runtime/mailbox.h"

#include <chrono>
#include <thread>

#include "tests/support/catch.h"

using namespace rooftune;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

constexpr Patience kLong{hours(1), hours(2), 64};

void wait_until_asleep(const Mailbox& box) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!box.asleep() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(milliseconds(1));
    CHECK(box.asleep());
}

void call(Mailbox& box) {
    box.call();
    order_before_reading();
    box.wake_up();
}

}  // namespace

TEST_CASE("a thread hears calls while it spins, and when it sleeps") {
    Mailbox box;
    call(box);
    CHECK(box.wait(0, kLong) == 1);  // came before the thread did
    std::uint32_t heard = 0;
    SECTION("spinning") {
        std::thread thread([&] { heard = box.wait(1, kLong); });
        call(box);
        thread.join();
    }
    SECTION("asleep") {
        std::thread thread([&] { heard = box.wait(1, {milliseconds(1), milliseconds(2), 64}); });
        wait_until_asleep(box);
        call(box);
        thread.join();
    }
    CHECK(heard == 2);
    CHECK_FALSE(box.asleep());
}

TEST_CASE(
    "a thread that stands in the caller's way sleeps at once, until it is called, and then spins again") {
    Mailbox box;
    std::atomic<std::uint32_t> heard{0};
    std::thread thread([&] {
        heard = box.wait(0, kLong);
        heard = box.wait(1, kLong);
    });
    box.let_sleep();
    wait_until_asleep(box);
    call(box);
    // On a busy machine it takes long to wake up.
    for (int look = 0; heard != 1 && look < 20'000; ++look) std::this_thread::sleep_for(milliseconds(1));
    REQUIRE(heard == 1);
    // It is told once more, and would never be heard of again if the first time still counted.
    std::this_thread::sleep_for(milliseconds(5));
    CHECK_FALSE(box.asleep());
    box.let_sleep();
    wait_until_asleep(box);
    call(box);
    thread.join();
    CHECK(heard == 2);
}
