// Whether two matrices share an element, against a list of all bytes.
#include "tuner/plans/stored_rows.h"

#include <random>
#include <set>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

std::set<const char*> bytes_of_rows(const StoredRows& rows) {
    std::set<const char*> all;
    for (std::int64_t i = 0; i < rows.rows; ++i) {
        for (std::int64_t b = 0; b < rows.row_bytes; ++b)
            all.insert(static_cast<const char*>(rows.first) + i * rows.pitch_bytes + b);
    }
    return all;
}

bool share_some(const StoredRows& x, const StoredRows& y) {
    const std::set<const char*> of_x = bytes_of_rows(x), of_y = bytes_of_rows(y);
    for (const char* byte : of_x) {
        if (of_y.count(byte) > 0) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("stored rows: common bytes of matrices with any pitch, at any distance") {
    static char memory[4096];
    std::mt19937 random(7);
    const auto up_to = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1U)); };
    int shared = 0, interleaved = 0;
    for (int i = 0; i < 20'000; ++i) {
        StoredRows x, y;
        for (StoredRows* one : {&x, &y}) {
            one->first = memory + up_to(60);
            one->rows = up_to(6);
            one->row_bytes = up_to(8);
            one->pitch_bytes = one->row_bytes + 1 + up_to(12);
        }
        if (random() % 2 == 0) {
            y.pitch_bytes = x.pitch_bytes;
            y.row_bytes = std::min(y.row_bytes, y.pitch_bytes);
        }
        const bool expected = share_some(x, y);
        shared += expected;
        const auto* const from_x = static_cast<const char*>(x.first);
        const auto* const from_y = static_cast<const char*>(y.first);
        interleaved += !expected && from_x < from_y + y.extent() && from_y < from_x + x.extent();
        if (have_common_bytes(x, y) != expected || have_common_bytes(y, x) != expected) {
            FAIL("rows " << x.rows << " of " << x.row_bytes << " every " << x.pitch_bytes << " and " << y.rows
                         << " of " << y.row_bytes << " every " << y.pitch_bytes << ", " << from_y - from_x
                         << " apart");
        }
    }
    CHECK(shared > 1000);
    CHECK(interleaved > 1000);
}

TEST_CASE("stored rows: of nothing there is nothing in common, wherever it lies") {
    char memory[16];
    const StoredRows all{memory, 2, 8, 8}, no_rows{memory, 0, 8, 8}, empty_rows{memory, 2, 0, 8},
        nowhere{nullptr, 0, 0, 8};
    for (const StoredRows& none : {no_rows, empty_rows, nowhere}) {
        CHECK(none.extent() == 0);
        CHECK_FALSE(have_common_bytes(all, none));
        CHECK_FALSE(have_common_bytes(none, all));
    }
    CHECK(all.extent() == 16);
    CHECK(have_common_bytes(all, all));
}
