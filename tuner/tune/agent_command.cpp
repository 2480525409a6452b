#include <fcntl.h>
#include <unistd.h>

#include "kernels/runtime/error.h"
#include "tuner/cluster/agent.h"
#include "tuner/tune/commands.h"

namespace rooftune {
namespace {

// The streams to the coordinator under other numbers: what a kernel prints must not get between messages,
// and what it reads must not take them away.
int agent(const Registry& registry) {
    if (isatty(STDIN_FILENO) == 1)
        throw InputError(
            "an agent is started by `rooftune tune --nodes`, which talks to it; it is nothing to be typed "
            "at");
    const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (in < 0 || out < 0 || null < 0) throw EnvironmentError("the standard streams cannot be had");
    dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    close(null);
    return run_agent(registry, ROOFTUNE_VERSION, in, out);
}

}  // namespace

void add_agent_command(Command& program, const Registry& registry) {
    Command app = program.command(
        "agent", "What runs on a node of a cluster: `rooftune tune --nodes` starts it, and no person");
    app.runs([&registry] { return agent(registry); });
}

}  // namespace rooftune
