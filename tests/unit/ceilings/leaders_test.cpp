#include "tuner/ceilings/leaders.h"

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

Ceiling walk(Mix mix, int streams, double rate, double footprint = 1e6, int threads = 1) {
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when.mix = mix;
    c.when.streams = streams;
    c.when.threads = threads;
    c.when.footprint = Bytes(footprint);
    c.max = rate;
    return c;
}

Ceiling peak(Mix mix, int chains, double rate, int threads = 1, int width = 256) {
    Ceiling c;
    c.resource = Resource::compute;
    c.when.mix = mix;
    c.when.chains = chains;
    c.when.threads = threads;
    c.when.width_bits = width;
    c.max = rate;
    return c;
}

}  // namespace

TEST_CASE("walks near the best of their footprint in some direction get more windows") {
    const std::vector<Ceiling> seen{walk(Mix::load, 1, 100),      walk(Mix::load, 4, 81),
                                    walk(Mix::load, 8, 79),       walk(Mix::store, 1, 50),
                                    walk(Mix::nt_store, 1, 20),   walk(Mix::update, 2, 160),
                                    walk(Mix::load, 1, 300, 1e5), walk(Mix::load, 1, 190, 1e6, 2)};
    const Leaders leaders(seen);
    CHECK(leaders.worth_more(seen[0]));
    CHECK(leaders.worth_more(seen[1]));
    CHECK_FALSE(leaders.worth_more(seen[2]));  // reads 79 of 100, both 79 of 160
    CHECK_FALSE(leaders.worth_more(seen[3]));  // the update writes 80
    CHECK_FALSE(leaders.worth_more(seen[4]));
    CHECK(leaders.worth_more(seen[5]));
    // Another footprint and another number of threads are other questions.
    CHECK(leaders.worth_more(seen[6]));
    CHECK(leaders.worth_more(seen[7]));
}

TEST_CASE("a direction that one mix alone goes keeps that mix, however slow") {
    const std::vector<Ceiling> seen{walk(Mix::load, 1, 100), walk(Mix::nt_store, 1, 5)};
    CHECK(Leaders(seen).worth_more(seen[1]));
}

TEST_CASE("peaks compete within type, width and threads, and one chain is a roof of its own") {
    const std::vector<Ceiling> seen{peak(Mix::fma, 12, 100),        peak(Mix::fma_add, 12, 120),
                                    peak(Mix::add, 12, 60),         peak(Mix::fma, 1, 12),
                                    peak(Mix::fma, 1, 24, 2),       peak(Mix::fma, 8, 200, 2),
                                    peak(Mix::fma, 12, 50, 1, 128), peak(Mix::div, 4, 3)};
    const Leaders leaders(seen);
    CHECK(leaders.worth_more(seen[0]));
    CHECK(leaders.worth_more(seen[1]));
    CHECK_FALSE(leaders.worth_more(seen[2]));
    CHECK(leaders.worth_more(seen[3]));
    CHECK_FALSE(leaders.worth_more(seen[4]));
    CHECK(leaders.worth_more(seen[5]));
    CHECK(leaders.worth_more(seen[6]));
    CHECK(leaders.worth_more(seen[7]));
}

TEST_CASE("what was not seen, or never ran, is not written off by rates of others") {
    const Leaders leaders({walk(Mix::load, 1, 100)});
    CHECK(leaders.worth_more(walk(Mix::load, 1, 1, 2e6)));
    CHECK(leaders.worth_more(peak(Mix::fma, 8, 1)));
    CHECK_FALSE(leaders.worth_more(walk(Mix::load, 2, 0.0)));
    Ceiling clock;
    clock.resource = Resource::clock;
    CHECK(leaders.worth_more(clock));
}
