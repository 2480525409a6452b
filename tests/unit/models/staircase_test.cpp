// B*(w): each mix and each number of threads is a curve of its own.
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Ceiling walk(Mix mix, double footprint, double rate, int threads = 1) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    return toy::ceiling(Resource::bandwidth, when, rate);
}

// The step that holds at w: the last that begins at or below it.
BandwidthStep at(const Machine& machine, int threads, double w) {
    const Roofs roofs(machine);
    BandwidthStep found = roofs.bandwidth(threads).front();
    for (const BandwidthStep& step : roofs.bandwidth(threads)) {
        if (step.from <= w) found = step;
    }
    return found;
}

}  // namespace

TEST_CASE("a footprint at which only loads were probed does not lower what stores can reach there") {
    Machine m;
    m.ceilings = {walk(Mix::load, 16e6, 40e9), walk(Mix::load, 24e6, 30e9), walk(Mix::load, 32e6, 20e9),
                  walk(Mix::store, 16e6, 20e9), walk(Mix::store, 32e6, 8e9)};
    CHECK(at(m, 1, 25e6).read == 30e9);
    CHECK(at(m, 1, 25e6).write == 20e9);
    CHECK(at(m, 1, 32e6).write == 8e9);
    CHECK(at(m, 1, 1e12).write == 8e9);
    CHECK(at(m, 1, 4096.0).write == 20e9);
}

TEST_CASE("a share of more threads' rate does not lower what one thread was seen to do") {
    Machine m;
    // One thread's edge lies between 16 and 32 MB; two threads' share of 46 MB lies in between and is slow.
    m.ceilings = {walk(Mix::load, 16e6, 20e9), walk(Mix::load, 32e6, 12e9), walk(Mix::load, 46e6, 20e9, 2)};
    CHECK(at(m, 1, 24e6).read == 20e9);
    CHECK(at(m, 1, 40e6).read == 12e9);
    // And where the share is more than one thread ever did, it counts.
    m.ceilings.push_back(walk(Mix::load, 64e6, 30e9, 2));
    CHECK(at(m, 1, 40e6).read == 15e9);
    CHECK(at(m, 2, 64e6).read == 30e9);
}

TEST_CASE("a later footprint that was faster counts for all before it, and shared data for none") {
    Machine m;
    m.ceilings = {walk(Mix::load, 4096.0, 50e9), walk(Mix::load, 8192.0, 80e9)};
    CHECK(at(m, 1, 4096.0).read == 80e9);
    m.ceilings.push_back(walk(Mix::load, 8192.0, 500e9, 2));
    m.ceilings.back().when.shared = true;
    m.ceilings.back().excludes = false;
    CHECK(at(m, 1, 4096.0).read == 80e9);
}
