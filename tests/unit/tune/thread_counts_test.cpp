// Several numbers of threads: how they are written, and how their results are told apart.
#include "tuner/tune/thread_counts.h"

#include <string>
#include <vector>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("thread counts are read in the order in which they are given") {
    CHECK(thread_counts_from("").empty());
    CHECK(thread_counts_from("2") == std::vector<int>{2});
    CHECK(thread_counts_from("4,1,65536") == std::vector<int>{4, 1, 65536});
}

TEST_CASE("what is no number of threads is refused by name, and one that is given twice") {
    for (const char* text : {"0", "-1", "two", "1,", ",1", ",", "1,,2", "1.5", "65537", "1 2", " 1", "0x2",
                             "1,2x", "99999999999999999999"})
        CHECK_THROWS_WITH(thread_counts_from(text),
                          Contains(std::string("--threads ") + text + ": ") && Contains("like 1,2,4"));
    CHECK_THROWS_WITH(thread_counts_from("1,2,1"), Contains("1 is given twice"));
    CHECK_THROWS_AS(thread_counts_from("2,2"), InputError);
}

TEST_CASE("results of one problem are told apart by their threads, others are not") {
    TuneResult two = spmv_result(), one = spmv_result(), other = spmv_result();
    one.threads = 1;
    other.threads = 1;
    other.title = "spmv another, f64";
    CHECK(title_among(two, {two, two}) == title_of(two));
    CHECK(title_among(other, {two, other}) == title_of(other));
    CHECK(title_among(one, {two, one, other}) == title_of(one) + " on 1 thread");
    CHECK(title_among(two, {two, one, other}) == title_of(two) + " on 2 threads");
    CHECK_THAT(short_table({one, two}), Contains("on 1 thread ") && Contains("on 2 threads"));
    CHECK_THAT(several_table({one, two}, 400), Contains("on 1 thread ") && Contains("on 2 threads"));
}
