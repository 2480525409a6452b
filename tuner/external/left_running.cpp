#include "tuner/external/left_running.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <thread>

#include "kernels/runtime/file_text.h"

namespace rooftune::external {
namespace {

constexpr double kFirstWindow = 1e-3, kLongestWindow = 50e-3;  // seconds
// Of clang's OpenMP a team spins for 200 ms, of GCC's for a few, by default.
constexpr double kPatience = 1.0;
// What wakes now and then to look at a clock takes less of a processor.
constexpr double kShare = 0.05;

struct Task {
    double seconds = 0.0;  ///< of processors, that it has had
    bool runs = false;     ///< or waits for a processor
};

std::string text_of(const std::string& path) {
    return file_text(path).value_or("");
}

Task look_at(pid_t task) {
    const std::string folder = "/proc/self/task/" + std::to_string(task);
    Task found;
    found.seconds = 1e-9 * std::atof(text_of(folder + "/schedstat").c_str());
    // "number (name) state …", and a name may hold brackets.
    const std::string stat = text_of(folder + "/stat");
    const std::size_t behind = stat.rfind(") ");
    found.runs = behind != std::string::npos && behind + 2 < stat.size() && stat[behind + 2] == 'R';
    return found;
}

std::map<pid_t, Task> others(const std::vector<pid_t>& before) {
    std::map<pid_t, Task> found;
    for (const pid_t task : tasks()) {
        if (!std::binary_search(before.begin(), before.end(), task)) found[task] = look_at(task);
    }
    return found;
}

}  // namespace

std::vector<pid_t> tasks() {
    std::vector<pid_t> all;
    std::error_code error;
    std::filesystem::directory_iterator task("/proc/self/task", error);
    for (; !error && task != std::filesystem::directory_iterator(); task.increment(error))
        all.push_back(static_cast<pid_t>(std::atol(task->path().filename().c_str())));
    std::sort(all.begin(), all.end());
    return all;
}

int threads_left_running(const std::vector<pid_t>& before) {
    std::map<pid_t, Task> then = others(before);
    double waited = 0.0;
    for (double window = kFirstWindow; !then.empty(); window = std::min(2.0 * window, kLongestWindow)) {
        std::this_thread::sleep_for(std::chrono::duration<double>(window));
        waited += window;
        std::map<pid_t, Task> now = others(before);
        const auto at_work = std::count_if(now.begin(), now.end(), [&](const auto& entry) {
            const auto& [number, task] = entry;
            const auto known = then.find(number);
            return task.runs ||
                   (known != then.end() && task.seconds - known->second.seconds > kShare * window);
        });
        if (at_work == 0) return 0;
        if (waited >= kPatience) return static_cast<int>(at_work);
        then = std::move(now);
    }
    return 0;
}

}  // namespace rooftune::external
