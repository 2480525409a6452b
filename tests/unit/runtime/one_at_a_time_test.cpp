// A mutex that fork() does not leave shut.
#include "kernels/runtime/one_at_a_time.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/child.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("one thread at a time") {
    OneAtATime mutex;
    int number = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 10'000; ++i) {
                const std::lock_guard lock(mutex);
                ++number;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(number == 40'000);
}

TEST_CASE("threads that sleep for it are all woken") {
    OneAtATime mutex;
    std::atomic<int> inside{0}, most{0}, passed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 5; ++i) {
                const std::lock_guard lock(mutex);
                most = std::max(most.load(), ++inside);
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                --inside;
                ++passed;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(most == 1);
    CHECK(passed == 30);
}

TEST_CASE("what a thread of the parent held is open in a child, and shut by the child's own") {
    OneAtATime mutex;
    static_cast<void>(fork_generation());
    std::atomic<bool> held{false}, enough{false};
    std::thread holder([&] {
        const std::lock_guard lock(mutex);
        held = true;
        while (!enough) std::this_thread::yield();
    });
    while (!held) std::this_thread::yield();
    // One more waits for it in the parent.
    std::thread waiter([&] { const std::lock_guard lock(mutex); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const pid_t child = ::fork();
    if (child == 0)
        end_child([&] {
            std::unique_lock mine(mutex);
            std::atomic<bool> inside{false};
            std::thread other([&] {
                const std::lock_guard lock(mutex);
                inside = true;
            });
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const bool shut = !inside;
            mine.unlock();
            other.join();
            return shut && inside;
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    enough = true;
    holder.join();
    waiter.join();
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
