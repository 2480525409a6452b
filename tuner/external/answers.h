// What a declared kernel answers, what its reference answers, and how far one may be from the other.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/contract/family.h"
#include "tuner/external/arrays.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// The elements of all arrays that are written, in declared order, as doubles.
std::vector<double> output_of(const Instance& instance, const Arrays& arrays);

/// What is in `answers` after the reference ran, and how far from it an element may be: as stated, or as many
/// roundings of the largest element as there are operations behind one. `accuse` throws: it is given what is
/// wrong with the reference where an element was not written or is no finite number. Throws InputError for
/// a tolerance that is none.
Oracle oracle_of(const Instance& instance, const Arrays& answers,
                 const std::function<void(const std::string&)>& accuse);

/// The answers of the last two seeds: each is worked out once for those that are checked one after the other.
class KeptOracles {
public:
    const Oracle& at(std::uint64_t seed, const std::function<Oracle()>& make);

private:
    std::deque<std::pair<std::uint64_t, Oracle>> kept_;
};

/// The declared tolerance, relative; there must be one. Throws InputError for what is none.
double stated_tolerance(const Instance& instance);

/// Whether files hold what is right, so that no reference runs.
bool answers_are_given(const Instance& instance);

/// Reads them into the arrays that are written. Throws InputError where a file does not hold it.
void read_answers(const Instance& instance, const Arrays& answers);

/// The element of `arrays` that is furthest from the oracle.
Worst worst_of(const Instance& instance, const Arrays& arrays, const Oracle& oracle, Team& team);

}  // namespace rooftune::external
