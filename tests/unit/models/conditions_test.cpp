// Which ceilings may exclude, and which a variant meets.
#include <catch2/catch.hpp>

#include "models/conditions.h"
#include "tests/support/toy.h"

using namespace rooftune;

TEST_CASE("what a kernel can evade only ranks") {
    const Conditions plain;
    for (const Resource r : {Resource::compute, Resource::bandwidth, Resource::issue, Resource::clock,
                             Resource::window, Resource::link}) {
        CHECK(may_exclude(r, plain));
    }
    for (const Resource r : {Resource::gather, Resource::strided, Resource::latency, Resource::local,
                             Resource::transfer, Resource::launch}) {
        CHECK_FALSE(may_exclude(r, plain));
    }
}

TEST_CASE("conditions that software chooses freely exclude: the roof is the maximum over all of them") {
    Conditions when;
    when.mix = Mix::load;
    for (const Prefetch prefetch : {Prefetch::any, Prefetch::off, Prefetch::on}) {
        for (const bool huge : {false, true}) {
            for (const bool remote : {false, true}) {
                when.prefetch = prefetch;
                when.huge_pages = huge;
                when.remote = remote;
                CHECK(may_exclude(Resource::bandwidth, when));
            }
        }
    }
}

TEST_CASE("bytes counted once a thread and products left out are no rates of what must be done") {
    Conditions when;
    when.shared = true;
    CHECK_FALSE(may_exclude(Resource::bandwidth, when));
    when = {};
    when.sparse = true;
    CHECK_FALSE(may_exclude(Resource::compute, when));
}

TEST_CASE("a ceiling applies where nothing in the traits contradicts it") {
    Traits traits;
    traits.dtype = DType::f32;
    traits.width_bits = 256;
    traits.threads = 4;
    traits.streams = 2;
    Conditions when;
    when.dtype = DType::f32;
    when.width_bits = 128;
    when.threads = 4;
    CHECK(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    when.threads = 1;  // of each thread
    CHECK(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    when.threads = 0;  // no condition
    CHECK(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    when.threads = 2;
    CHECK_FALSE(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    when.threads = 4;
    when.width_bits = 512;
    CHECK_FALSE(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    when.width_bits = 128;
    when.dtype = DType::f64;
    CHECK_FALSE(applies(toy::ceiling(Resource::compute, when, 1.0), traits));
    // Bytes have no element type.
    CHECK(applies(toy::ceiling(Resource::bandwidth, when, 1.0), traits));
    when.streams = 8;
    CHECK_FALSE(applies(toy::ceiling(Resource::bandwidth, when, 1.0), traits));
    traits.streams = 0;  // not known
    CHECK(applies(toy::ceiling(Resource::bandwidth, when, 1.0), traits));
}
