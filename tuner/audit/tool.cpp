#include "tuner/audit/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "kernels/runtime/error.h"

namespace rooftune::audit {

ToolRun run_tool(const std::vector<std::string>& arguments) {
    constexpr std::size_t kMostOutput = std::size_t{4} << 20;
    constexpr int kNoProgram = 127;
    const std::string path = tool_path(arguments.at(0));
    if (path.empty()) throw EnvironmentError("there is no program " + arguments.at(0) + " in PATH");
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    int out[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        throw EnvironmentError(std::string("cannot make a pipe: ") + std::strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        close(out[0]);
        close(out[1]);
        throw EnvironmentError(std::string("cannot fork: ") + std::strerror(errno));
    }
    if (pid == 0) {
        // Survives the exec, so the program dies with this process.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(kNoProgram);
        dup2(out[1], STDOUT_FILENO);
        execv(path.c_str(), argv.data());
        _exit(kNoProgram);
    }
    close(out[1]);
    ToolRun run;
    char block[4096];
    for (ssize_t n = 0; run.output.size() < kMostOutput;) {
        n = read(out[0], block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        run.output.append(block, static_cast<std::size_t>(n));
    }
    close(out[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

std::string tool_path(const std::string& name) {
    const char* folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "/usr/bin:/bin");
    for (std::string folder; std::getline(list, folder, ':');) {
        const std::string path = (folder.empty() ? "." : folder) + "/" + name;
        if (access(path.c_str(), X_OK) == 0) return path;
    }
    return "";
}

}  // namespace rooftune::audit
