// What a process of its own makes of something that this process must not do: be told to stop, say.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace rooftune::test {

/// Runs `body` in a copy of this process: its exit status, 99 for an exception (a REQUIRE that failed, say:
/// Catch must not go on to the other tests there), −1 for a signal.
template <class Body>
int status_of_copy(Body body) {
    constexpr int kThrown = 99;
    const pid_t pid = fork();
    if (pid == 0) {
        try {
            _exit(body());
        } catch (...) {
            _exit(kThrown);
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace rooftune::test
