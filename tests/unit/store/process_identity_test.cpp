#include "tuner/base/process_identity.h"

#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"

using namespace rooftune;

TEST_CASE("process identity: this one lives, its imitations do not", "[process]") {
    const ProcessIdentity self = this_process();
    CHECK(self.pid == ::getpid());
    CHECK(alive(self));
    ProcessIdentity later = self;
    later.start += 1;
    CHECK(self.start > 0);
    CHECK_FALSE(alive(later));
    ProcessIdentity rebooted = self;
    rebooted.boot = "another boot";
    CHECK_FALSE(alive(rebooted));
    CHECK_FALSE(alive({0, 0, ""}));
    CHECK_FALSE(alive({-1, 0, ""}));
}

TEST_CASE("process identity: a zombie is dead", "[process]") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = test::spawn([&] { ::close(ends[0]); });
    ::close(ends[1]);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 0);  // the child has closed its end: it is exiting
    ::close(ends[0]);
    bool dead = false;
    for (int i = 0; i < 1000 && !dead; ++i) {
        dead = !alive({child, 0, ""});
        ::usleep(5000);
    }
    CHECK(dead);
    CHECK(test::ended(child) == 0);
    CHECK_FALSE(alive({child, 0, ""}));
}

TEST_CASE("process identity: /proc/PID/stat with awkward names", "[process]") {
    char state = 0;
    std::int64_t start = 0;
    const std::string rest = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20";
    CHECK(parse_process_stat("12 (plain)" + rest, state, start));
    CHECK(state == 'S');
    CHECK(start == 4242);
    start = 0;
    CHECK(parse_process_stat("12 (a) Z 9 (b" + std::string(")") + rest, state, start));
    CHECK(state == 'S');
    CHECK(start == 4242);
    CHECK_FALSE(parse_process_stat("", state, start));
    CHECK_FALSE(parse_process_stat("12 (short) S 1 2", state, start));
}
