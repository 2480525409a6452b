// Threads of a test's own that do something at once.
#pragma once

#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace rooftune::test {

/// Calls act(i) for i = 0 … n−1, each on a thread of its own; returns what each threw, "" where nothing.
template <typename Act>
std::vector<std::string> at_once(int n, Act&& act) {
    std::vector<std::string> thrown(static_cast<std::size_t>(n));
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i) {
        threads.emplace_back([&, i] {
            try {
                act(i);
            } catch (const std::exception& error) {
                thrown[static_cast<std::size_t>(i)] = error.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    return thrown;
}

}  // namespace rooftune::test
