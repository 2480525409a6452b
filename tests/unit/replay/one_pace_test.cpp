#include "tests/support/one_pace.h"

#include <cmath>

#include "tests/support/catch.h"
#include "tuner/measure/statistics.h"

using namespace rooftune;

namespace {

std::map<std::string, std::string> named(int i) {
    return {{"v", std::to_string(i)}};
}

double median_of(const Record& record) {
    std::vector<double> s;
    for (const Slot& slot : record.slots) s.push_back(slot.seconds);
    return median(s);
}

// Forty variants in rotation on a machine that is 1.5 times as slow for half of the time, in spells.
std::vector<Record> rotation(double slow) {
    std::vector<Record> records(40);
    for (int i = 0; i < 40; ++i) {
        Record& record = records[static_cast<std::size_t>(i)];
        record.variant = named(i);
        record.role = "settle";
        record.outcome = Outcome::measured;
        record.detail = "place " + std::to_string(i) + " of 40";
    }
    for (int round = 0; round < 12; ++round) {
        for (int k = 0; k < 40; ++k) {
            const int i = round % 2 == 0 ? k : 39 - k;
            const int time = round * 40 + k;
            const double pace = (time / 31) % 2 == 0 ? 1.0 : slow;
            records[static_cast<std::size_t>(i)].slots.push_back({(1.0 + 0.01 * i) * pace, 1, false});
        }
    }
    return records;
}

}  // namespace

TEST_CASE("one pace: slow spells vanish from a rotation, and the order is the true one") {
    const std::vector<Record> steady = at_one_pace(rotation(1.5));
    int wrong = 0;
    for (int i = 0; i < 40; ++i) {
        const double ratio = median_of(steady[static_cast<std::size_t>(i)]) / median_of(steady[0]);
        wrong += std::fabs(ratio / (1.0 + 0.01 * i) - 1.0) > 0.01 ? 1 : 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("one pace: where nothing drifts, nothing changes") {
    const std::vector<Record> before = rotation(1.0);
    const std::vector<Record> after = at_one_pace(before);
    for (std::size_t i = 0; i < before.size(); ++i)
        CHECK(median_of(after[i]) == Approx(median_of(before[i])).epsilon(1e-9));
}

TEST_CASE("one pace: a record counts by what the default took at its time") {
    std::vector<Record> records = rotation(1.0);
    Record fast, slow, none;
    fast.variant = named(100);
    fast.outcome = slow.outcome = none.outcome = Outcome::raced_out;
    fast.detail = "pace 1 s";
    fast.slots = {{2.0, 1, false}};
    slow = fast;
    slow.variant = named(101);
    slow.detail = "pace 1.5 s";
    slow.slots = {{3.0, 1, false}};
    none.variant = named(102);
    none.slots = {{7.0, 1, false}};
    for (const Record& r : {fast, slow, none}) records.push_back(r);
    const std::vector<Record> after = at_one_pace(records);
    CHECK(median_of(after[40]) == Approx(2.0));
    CHECK(median_of(after[41]) == Approx(2.0));
    CHECK(median_of(after[42]) == 7.0);
    // Without the rotation's first, which was the default then, there is no unit.
    records.erase(records.begin());
    const std::vector<Record> without = at_one_pace(records);
    CHECK(median_of(without[40]) == 3.0);
}

TEST_CASE(
    "one pace: a heat's record counts by what the default took in that heat, another rotation's does not") {
    std::vector<Record> records = rotation(1.0);
    Record batch;
    batch.variant = named(100);
    batch.outcome = Outcome::measured;
    batch.role = "heat";
    batch.detail = "place 3 of 25, the first 1.5 s";
    batch.slots = {{3.0, 1, false}};
    Record finals = batch;
    finals.variant = named(101);
    finals.role = "finals";  // whose first is the winner
    records.push_back(batch);
    records.push_back(finals);
    const std::vector<Record> after = at_one_pace(records);
    CHECK(median_of(after[40]) == Approx(2.0));
    CHECK(median_of(after[41]) == 3.0);
}
