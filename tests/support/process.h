// Runs a program for a test: arguments in, status and both outputs out.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/formats/temporary_folder.h"

extern char** environ;

namespace rooftune::test {

struct Finished {
    int status = -1;  ///< exit status; 128 + signal when killed
    std::string out, error;

    /// What it said on standard error, wherever the width of the page broke lines.
    std::string told() const {
        std::string text = error;
        for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
        return text;
    }
};

inline std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Starts the program with its outputs in the folder's files "out" and "error".
inline pid_t start(const std::vector<std::string>& arguments, const TemporaryFolder& folder) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, (folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, 2, (folder / "error").c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    pid_t pid = -1;
    const int status = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0 ? pid : -1;
}

inline Finished finish(pid_t pid, const TemporaryFolder& folder) {
    Finished f;
    int status = 0;
    if (pid <= 0) return f;  // it did not start: no status of any program
    waitpid(pid, &status, 0);
    f.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    f.out = contents(folder / "out");
    f.error = contents(folder / "error");
    return f;
}

inline Finished run(const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    return finish(start(arguments, folder), folder);
}

}  // namespace rooftune::test
