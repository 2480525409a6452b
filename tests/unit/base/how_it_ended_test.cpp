#include "tuner/base/how_it_ended.h"

#include <signal.h>
#include <sys/wait.h>

#include "tests/support/catch.h"

TEST_CASE("how a child ended: by its own status or by a signal", "[child]") {
    CHECK(rooftune::how_it_ended(W_EXITCODE(3, 0)) == "ended with status 3");
    CHECK(rooftune::how_it_ended(W_EXITCODE(0, SIGSEGV)) == "signal: Segmentation fault");
}
