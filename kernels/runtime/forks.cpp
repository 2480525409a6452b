#include "kernels/runtime/forks.h"

#include <pthread.h>

#include <atomic>

namespace rooftune {
namespace {

std::atomic<unsigned> g_generation{0};

}  // namespace

unsigned fork_generation() {
    // getpid() would tell as well, at the price of a system call a run.
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { g_generation.fetch_add(1, std::memory_order_relaxed); });
    static_cast<void>(registered);
    return g_generation.load(std::memory_order_relaxed);
}

}  // namespace rooftune
