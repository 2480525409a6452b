#include "tuner/base/adopted.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

std::vector<pid_t> children() {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = process.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (parent_of(process.path()) == getpid()) found.push_back(std::atoi(name.c_str()));
    }
    return found;
}

}  // namespace

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
        for (const pid_t child : children()) {
            kill(child, SIGKILL);
            if (waitpid(child, nullptr, 0) == child) ++ended;
        }
    }
    return ended;
}

}  // namespace rooftune
