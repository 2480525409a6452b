#include "tuner/base/how_it_ended.h"

#include <sys/wait.h>

#include <cstring>

namespace rooftune {

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) return std::string("signal: ") + strsignal(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace rooftune
