#include "tuner/machine/audit/tool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tuner/base/child_output.h"
#include "tuner/base/find_program.h"

namespace rooftune::audit {

ToolRun run_tool(const std::vector<std::string>& arguments) {
    constexpr std::size_t kMostOutput = std::size_t{4} << 20;
    const std::string path = find_program(arguments.at(0));
    if (path.empty()) throw EnvironmentError("there is no program " + arguments.at(0) + " in PATH");
    Pipe out;
    if (const int reason = out.open(); reason != 0)
        throw EnvironmentError(std::string("cannot make a pipe: ") + std::strerror(reason));
    ChildProcess child;
    // It stays in the group of the audit's child, whose deadline is its own.
    const int reason = child.start({.words = arguments,
                                    .program = path,
                                    .descriptors = {{out.write.fd(), STDOUT_FILENO}},
                                    .own_group = false});
    if (reason != 0) throw EnvironmentError("cannot start " + path + ": " + std::strerror(reason));
    out.write.close();
    ChildOutput output(std::move(out.read), kMostOutput);
    wait_for_end(child, {&output}, {std::numeric_limits<double>::infinity(), kMostOutput});
    const ChildProcess::End end = child.end(0.0);
    output.drain();
    ToolRun run;
    run.output = output.text();
    run.status = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status);
    return run;
}

}  // namespace rooftune::audit
