#include "tuner/base/adopted.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace rooftune {
namespace {

// The parent of a process, from /proc/PID/stat: behind its name, which may have brackets and blanks itself.
pid_t parent_of(const std::filesystem::path& process) {
    std::ifstream file(process / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos) return -1;
    std::istringstream rest(text.substr(close + 1));
    char state = 0;
    pid_t parent = -1;
    rest >> state >> parent;
    return parent;
}

struct Process {
    pid_t pid, parent;
};

std::vector<Process> processes() {
    std::vector<Process> found;
    std::error_code error;
    for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = process.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        found.push_back({std::atoi(name.c_str()), parent_of(process.path())});
    }
    return found;
}

}  // namespace

void end_descendants(pid_t of) {
    // All are stopped before any is killed: one that is killed gives its children away, and one that runs
    // makes new ones. Whoever is not seen stopped at once may do so until the second look without news.
    constexpr int kMostRounds = 100;
    std::set<pid_t> family{of};
    kill(of, SIGSTOP);
    for (int round = 0, quiet = 0; round < kMostRounds && quiet < 2; ++round) {
        const std::vector<Process> all = processes();
        const std::size_t before = family.size();
        for (bool grown = true; grown;) {
            grown = false;
            for (const Process& process : all) {
                if (!family.contains(process.parent) || !family.insert(process.pid).second) continue;
                kill(process.pid, SIGSTOP);
                grown = true;
            }
        }
        quiet = family.size() == before ? quiet + 1 : 0;
    }
    for (const pid_t process : family) {
        if (process != of) kill(process, SIGKILL);
    }
}

void adopt_what_is_left() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool has_children() {
    siginfo_t info{};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

int end_all_children() {
    int ended = 0;
    // What a child had started becomes this process's when the child is gone; whoever forks faster than this
    // can look is left alone in the end.
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds && has_children(); ++round) {
        for (const Process& process : processes()) {
            if (process.parent != getpid()) continue;
            kill(process.pid, SIGKILL);
            if (waitpid(process.pid, nullptr, 0) == process.pid) ++ended;
        }
    }
    return ended;
}

}  // namespace rooftune
