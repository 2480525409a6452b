#include "tuner/base/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace rooftune {

void hold_standard_descriptors() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest free number is this one. Opened for the other direction, so that what is lost is
        // noticed; a folder can be neither read nor written as a file.
        const int opened = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened == -1) open("/", O_RDONLY | O_DIRECTORY);
    }
}

}  // namespace rooftune
