// Threads for teams in other people's programs: made for the team and gone with it, so that neither the
// limits of a library that the program uses as well nor a fork() keep a team from having them.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <vector>

namespace rooftune {

class OwnThreads {
public:
    /// What a thread does. It must not throw.
    using Main = void (*)(void* context, int share);

    /// `most`: so many may be started.
    explicit OwnThreads(std::size_t most) { threads_.reserve(most); }
    OwnThreads(const OwnThreads&) = delete;
    OwnThreads& operator=(const OwnThreads&) = delete;

    /// Starts one that runs on `cpus` alone from its first instruction on. Signals are the program's, but for
    /// those that a thread causes itself and those of profilers. Returns 0 or an error number; throws
    /// std::bad_alloc.
    int start(int share, const std::vector<int>& cpus, Main main, void* context);

    std::size_t size() const { return threads_.size(); }
    /// Waits for all to end.
    void join();

private:
    std::vector<pthread_t> threads_;
};

}  // namespace rooftune
