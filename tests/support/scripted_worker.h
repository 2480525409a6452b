// A worker process that says whatever a test wants: a shell script with fixed replies, which writes down what
// it was asked.
#pragma once

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/runtime/kernels_build.h"
#include "tests/support/process.h"
#include "tuner/measure/protocol.h"

namespace rooftune::test {

inline std::string loaded_line() {
    return to_text(WorkerLine{"loaded", kernels_build(), {}, {}});
}

inline std::string done_line(const std::vector<Record>& records, const std::vector<Ceiling>& ceilings = {}) {
    return to_text(WorkerLine{"done", "", records, ceilings});
}

/// Answers each request with the next of these lines, and then ends. Each process begins anew.
class ScriptedWorker {
public:
    explicit ScriptedWorker(const std::vector<std::string>& replies) {
        signal(SIGPIPE, SIG_IGN);  // as the program does
        std::ofstream file(program());
        const std::string note =
            "read -r request\nprintf '%s\\n' \"$request\" >>'" + (folder_ / "asked") + "'\n";
        file << "#!/bin/sh\n";
        for (const std::string& reply : replies) file << note << "printf '%s\\n' '" << reply << "'\n";
        file << "read -r request\n";
        file.close();
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }

    std::string program() const { return folder_ / "worker"; }

    /// What it was asked and answered, in order.
    std::vector<std::string> requests() const {
        std::vector<std::string> all;
        std::ifstream file(folder_ / "asked");
        for (std::string line; std::getline(file, line);) all.push_back(line);
        return all;
    }

private:
    TemporaryFolder folder_;
};

}  // namespace rooftune::test
