// What plans leave alone in a program: the processing units that its threads may run on (Linux).
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

/// Of each thread of this process, by its number, the list of processing units, as the kernel writes it.
using Masks = std::map<std::string, std::string>;

inline Masks masks_now() {
    const std::string key = "Cpus_allowed_list:";
    Masks masks;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        // A thread that ends meanwhile has none.
        std::ifstream status(thread.path() / "status");
        for (std::string line; std::getline(status, line);) {
            if (line.compare(0, key.size(), key) == 0)
                masks[thread.path().filename().string()] =
                    line.substr(line.find_first_not_of(" \t", key.size()));
        }
    }
    return masks;
}

/// Tells, and returns, whether every thread that was there before may run where it could.
inline bool tell_masks(const Masks& before) {
    bool same = !before.empty();
    for (const auto& [thread, mask] : masks_now()) {
        const auto then = before.find(thread);
        if (then == before.end() || then->second == mask) continue;
        std::printf("WRONG: thread %s could run on %s, and now on %s\n", thread.c_str(), then->second.c_str(),
                    mask.c_str());
        same = false;
    }
    if (same) std::printf("masks are as before\n");
    return same;
}
