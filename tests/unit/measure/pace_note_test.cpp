#include "tuner/measure/pace_note.h"

#include <vector>
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

Record timed(std::vector<double> seconds) {
    Record record;
    for (const double s : seconds) record.slots.push_back({s, 1, false});
    return record;
}

}  // namespace

TEST_CASE("a pace is noted and read again; no pace is no note") {
    Record record;
    record.detail = pace_note(1.25e-4);
    CHECK(noted_pace(record) == Approx(1.25e-4));
    CHECK(pace_note(0.0).empty());
    for (const char* other : {"", "pace", "pace -1 s", "pace 0 s", "quarantined", "place 1 of 2"}) {
        record.detail = other;
        CHECK(noted_pace(record) == 0.0);
    }
}

TEST_CASE("a rotation notes places and what the first took beside each, round by round") {
    // The machine is half as fast in the second half: the medians alone would say 1.5 times.
    std::vector<Record> rotation{timed({1, 1, 1, 1, 1, 2, 2, 2, 2}), timed({3, 3, 3, 3, 6, 6, 6, 6, 6})};
    rotation[1].role = "heat";
    rotation[1].detail = rotation_note(rotation, 1);
    CHECK(noted_place(rotation[1]) == 1u);
    CHECK(noted_pace(rotation[1]) == Approx(2.0));
    // Only a batch's first is the default.
    rotation[1].role = "finals";
    CHECK(noted_pace(rotation[1]) == 0.0);
    CHECK(noted_place(rotation[1]) == 1u);
}

TEST_CASE("a rotation without times notes places alone") {
    std::vector<Record> rotation{timed({}), timed({1.0}), timed({})};
    for (std::size_t i = 0; i < rotation.size(); ++i) {
        rotation[i].role = "heat";
        rotation[i].detail = rotation_note(rotation, i);
        CHECK(noted_place(rotation[i]) == i);
        CHECK(noted_pace(rotation[i]) == 0.0);
    }
    CHECK_FALSE(noted_place(Record{}));
}
