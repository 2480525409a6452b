// Another program run from an audit's child, which it must not outlive.
#pragma once

#include <string>
#include <vector>

namespace rooftune::audit {

struct ToolRun {
    int status = -1;     ///< exit status; 128 + signal when killed
    std::string output;  ///< its standard output
};

/// Runs a program of PATH to its end; arguments[0] names it. Its standard error is this process's. One that
/// writes more than 4 MiB is killed. Throws EnvironmentError when it cannot be started.
ToolRun run_tool(const std::vector<std::string>& arguments);

}  // namespace rooftune::audit
