// What a child of fork() does in a test, and nothing else of the test.
#pragma once

#include <unistd.h>

#include <utility>

namespace rooftune::test {

/// Ends the process with 0 where `is_right()` holds, with 1 where not, and with 2 where it throws: an
/// exception that got away would have the child go on with the other cases. A child that hangs is killed
/// after 20 s.
template <typename IsRight>
[[noreturn]] void end_child(IsRight&& is_right) {
    ::alarm(20);
    int status = 2;
    try {
        status = std::forward<IsRight>(is_right)() ? 0 : 1;
    } catch (...) {
        status = 2;
    }
    ::_exit(status);
}

}  // namespace rooftune::test
