// Jobs and records to fill a store with, and a child process to do it in.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "tests/unit/formats/temporary_folder.h"
#include "tuner/store/store.h"

namespace rooftune::test {

inline std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline JobKey example_key() {
    JobKey key;
    key.family = "spmv";
    key.problem = {{"matrix", "ship.mtx"}, {"dtype", "f64"}};
    key.digest = "d1g3st";
    key.dtype = "f64";
    key.state = "warm";
    key.threads = 2;
    key.machine_id = "intel-6-143-8-2t";
    key.space_version = 3;
    key.build = "b41ld";
    key.title = "spmv ship, f64";
    return key;
}

inline Record example_record(int number = 0) {
    Record record;
    record.variant = {{"format", "sell"}, {"chunk", std::to_string(number)}};
    record.outcome = Outcome::measured;
    record.slots = {{1.25e-5 + number, 100, false}, {0.1 + 0.2, 99, true}};
    record.error = 0.02;
    record.prepare_seconds = 0.004;
    record.role = "search";
    record.when = "2024-05-31T17:04:59Z";
    return record;
}

inline std::string example_variant(int number = 0) {
    return "format=sell,chunk=" + std::to_string(number);
}

/// Runs `body` in a forked child, which must not have SQLite open; returns its process id. The child
/// ends with status 0, or 1 when the body throws.
inline pid_t spawn(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int status = 0;
    try {
        body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "child: %s\n", error.what());
        status = 1;
    }
    ::_exit(status);
}

/// Exit status of a child; 128 + signal when it was killed.
inline int ended(pid_t child) {
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace rooftune::test
