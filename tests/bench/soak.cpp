// Tunes one after another in one process, for as long as it is told, and a line of a table every so often:
// whether what the process and its folders hold grows. Driven by soak.sh.
//
//   soak FOLDER SECONDS SECONDS_BETWEEN_LINES
#include <dirent.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tuner/engine/tune.h"

namespace {

namespace fs = std::filesystem;

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

// "VmRSS:" of /proc/self/status, in its unit (kB, or none).
long status_line(const std::string& name) {
    std::ifstream lines("/proc/self/status");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(name)) return std::atol(line.c_str() + name.size());
    }
    return -1;
}

long entries(const std::string& folder, const std::string& beginning) {
    long count = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        count += entry.path().filename().string().starts_with(beginning) ? 1 : 0;
    return count;
}

// Children that were not waited for, and those that still run.
long children() {
    long count = 0;
    std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (long pid = 0; list >> pid;) ++count;
    return count;
}

long bytes_below(const std::string& folder) {
    long bytes = 0;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
        if (entry.is_regular_file(none)) bytes += static_cast<long>(entry.file_size(none));
    }
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    if (const auto status = rooftune::serve_worker(argc, argv)) return *status;
    if (argc != 4) {
        std::fputs("soak: FOLDER SECONDS SECONDS_BETWEEN_LINES\n", stderr);
        return 2;
    }
    const std::string folder = argv[1];
    const double seconds = std::atof(argv[2]), between = std::atof(argv[3]);
    // Another kernel each time, each of them anew: what it measures replaces what it had measured, and the
    // records of before stay in the store.
    const std::vector<rooftune::TuneProblem> problems{
        {"matmul", {{"m", "96"}, {"n", "96"}, {"k", "96"}}, {}, {.seconds = 4.0}},
        {"stencil", {{"points", "7"}, {"nx", "48"}, {"ny", "48"}, {"nz", "48"}}, {}, {.seconds = 4.0}},
        {"spmv", {{"gen", "poisson27"}, {"nx", "16"}}, {}, {.seconds = 4.0}}};
    const auto begun = std::chrono::steady_clock::now();
    double next = 0.0;
    long tunes = 0, failed = 0;
    const auto line = [&] {
        std::printf("| %.0f | %ld | %ld | %.1f | %ld | %ld | %ld | %ld | %.2f |\n",
                    seconds_since(begun) / 60.0, tunes, failed,
                    static_cast<double>(status_line("VmRSS:")) / 1024.0, status_line("Threads:"),
                    entries("/proc/self/fd", ""), children(),
                    entries(fs::temp_directory_path(), "rooftune") + entries("/dev/shm", "rooftune"),
                    static_cast<double>(bytes_below(folder)) / 1048576.0);
        std::fflush(stdout);
    };
    while (seconds_since(begun) < seconds) {
        const rooftune::TuneProblem& problem = problems[static_cast<std::size_t>(tunes) % problems.size()];
        rooftune::TuneOptions options;
        options.common.results = folder;
        options.common.seed = static_cast<std::uint64_t>(tunes) + 1;
        options.fresh = true;
        try {
            if (rooftune::tune(problem, options).best.empty()) ++failed;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "tune %ld: %s\n", tunes, error.what());
            ++failed;
        }
        ++tunes;
        if (seconds_since(begun) < next) continue;
        line();
        next += between;
    }
    line();
    return failed > 0 ? 1 : 0;
}
