// The look-alikes of the fourteen matrices: their sizes to the last entry, and what is like the ones that
// they are named after.
#include "kernels/spmv/suite.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "kernels/spmv/problem.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::spmv;

namespace {

std::map<std::string, double> facts_of(const Csr& a) {
    std::map<std::string, double> facts;
    for (const InspectedFact& fact : SpmvProblem::from(a.view(), DType::f64, {}, "test")->inspect(8).facts)
        facts[fact.key] = fact.value;
    return facts;
}

bool is_well_formed(const Csr& a) {
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t i = a.row_begin[static_cast<std::size_t>(row)];
             i < a.row_begin[static_cast<std::size_t>(row) + 1]; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (a.column[at] >= a.cols) return false;
            if (i > a.row_begin[static_cast<std::size_t>(row)] && a.column[at] <= a.column[at - 1])
                return false;
            if (!(a.value[at] >= 0.5 && a.value[at] < 1.5)) return false;
        }
    }
    return true;
}

/// What a matrix is known for, between limits.
struct Trait {
    const char* fact;
    double low, high;
};

const std::map<std::string, std::vector<Trait>>& traits() {
    static const std::map<std::string, std::vector<Trait>> all{
        {"dense2", {{"shortest_row", 2000, 2000}}},
        {"pdb1HYS", {{"mean_row", 119, 120}, {"fill_3x3", 1.0, 1.01}, {"mean_run", 6, 40}}},
        {"consph", {{"mean_row", 72, 73}, {"fill_3x3", 1.0, 1.01}, {"bandwidth", 8000, 9000}}},
        {"cant", {{"mean_row", 64, 65}, {"fill_3x3", 1.0, 1.01}, {"bandwidth", 250, 300}}},
        {"pwtk", {{"mean_row", 53, 54}, {"fill_6x6", 1.0, 1.01}, {"bandwidth", 43000, 44000}}},
        {"rma10", {{"mean_row", 50, 51}, {"bandwidth", 15000, 24000}}},
        {"qcd5_4", {{"shortest_row", 39, 39}, {"longest_row", 39, 39}, {"mirrored", 0.5, 1}}},
        {"shipsec1", {{"mean_row", 55, 56}, {"fill_6x6", 1.0, 1.01}, {"bandwidth", 3000, 6000}}},
        {"mac_econ_fwd500", {{"mean_row", 6.1, 6.2}, {"mirrored", 0, 0.6}, {"longest_row", 8, 50}}},
        {"mc2depi", {{"longest_row", 4, 4}, {"shortest_row", 1, 2}, {"bandwidth", 1000, 1030}}},
        {"cop20k_A", {{"empty_rows", 19000, 21500}, {"bandwidth", 100000, 121192}}},
        {"scircuit", {{"mean_row", 5.6, 5.7}, {"longest_row", 50, 2000}, {"bandwidth", 150000, 171000}}},
        {"webbase-1M", {{"mean_row", 3.1, 3.2}, {"longest_row", 1000, 5000}, {"row_variation", 2, 20}}},
        {"rail4284", {{"mean_row", 2630, 2640}, {"longest_row", 20000, 60000}}},
    };
    return all;
}

}  // namespace

TEST_CASE("the suite has the fourteen matrices, each of its size and kind", "[suite]") {
    CHECK(suite().size() == 14);
    for (const SuiteMatrix& which : suite()) {
        INFO(which.name);
        const Csr a = suite_matrix(which, 1);
        CHECK(a.rows == which.rows);
        CHECK(a.cols == which.cols);
        CHECK(a.view().stored() == which.stored);
        CHECK(is_well_formed(a));
        std::map<std::string, double> facts = facts_of(a);
        if (which.symmetric) CHECK(facts.at("symmetric") == 1);
        REQUIRE(traits().contains(which.name));
        for (const Trait& trait : traits().at(which.name)) {
            INFO(trait.fact << " " << facts.at(trait.fact));
            CHECK(facts.at(trait.fact) >= trait.low);
            CHECK(facts.at(trait.fact) <= trait.high);
        }
    }
}

TEST_CASE("a matrix of the suite is a function of its seed", "[suite]") {
    for (const SuiteMatrix& which : suite()) {
        if (which.stored > 2'700'000) continue;
        INFO(which.name);
        const Csr a = suite_matrix(which, 7), same = suite_matrix(which, 7), other = suite_matrix(which, 8);
        CHECK(a.row_begin == same.row_begin);
        CHECK(a.column == same.column);
        CHECK(a.value == same.value);
        CHECK_FALSE((a.column == other.column && a.value == other.value));
        CHECK(other.view().stored() == which.stored);
    }
}

TEST_CASE("as many rows are empty as a seed says, and entries are as many for each", "[suite]") {
    for (const SuiteMatrix& which : suite()) {
        if (which.name != "cop20k_A") continue;
        std::set<bool> without_diagonal;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const Csr a = suite_matrix(which, seed);
            CHECK(a.view().stored() == which.stored);
            std::map<std::string, double> facts = facts_of(a);
            CHECK(facts.at("symmetric") == 1);
            without_diagonal.insert(facts.at("diagonal_entries") + facts.at("empty_rows") < 121'192.0);
        }
        // Of an odd number of places one row goes without its diagonal: both are met.
        CHECK(without_diagonal.size() == 2);
    }
}
