// Which ceilings may exclude.
#include "models/conditions.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("what a kernel can evade only ranks") {
    const Conditions plain;
    for (const Resource r : {Resource::compute, Resource::bandwidth, Resource::issue, Resource::clock,
                             Resource::window, Resource::link}) {
        CHECK(may_exclude(r, plain));
    }
    for (const Resource r : {Resource::gather, Resource::strided, Resource::latency, Resource::local,
                             Resource::transfer, Resource::launch, Resource::joint}) {
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

TEST_CASE("one of several instructions that work side by side only ranks; a stated peak excludes") {
    for (const DType dtype : {DType::int8, DType::int32, DType::int64}) {
        Conditions when;
        when.dtype = dtype;
        CHECK(may_exclude(Resource::compute, when));
        for (const Mix mix : {Mix::add, Mix::mul, Mix::dot}) {
            when.mix = mix;
            CHECK_FALSE(may_exclude(Resource::compute, when));
        }
    }
    Conditions when;
    when.dtype = DType::f64;
    when.mix = Mix::add;
    CHECK(may_exclude(Resource::compute, when));
    when.dtype = DType::bf16;
    when.mix = Mix::dot;
    CHECK_FALSE(may_exclude(Resource::compute, when));
    when.mix = Mix::fma;
    CHECK(may_exclude(Resource::compute, when));
}
