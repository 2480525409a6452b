#include "tuner/external/answers.h"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/error.h"
#include "tuner/external/array_file.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/elements.h"

namespace rooftune::external {
namespace {

template <typename Visit>
void each_output(const Instance& instance, Visit&& visit) {
    for (std::size_t a = 0; a < instance.counts.size(); ++a) {
        const DeclaredArray& array = instance.declaration.arrays[a];
        if (array.direction != Direction::in)
            visit(a, array.element, static_cast<std::size_t>(instance.counts[a]));
    }
}

// Operations behind an element of the answer: as declared, or as many as there are elements to read for it.
double terms_of_an_element(const Instance& instance) {
    double outputs = 0.0, inputs = 0.0;
    for (std::size_t a = 0; a < instance.counts.size(); ++a) {
        const Direction direction = instance.declaration.arrays[a].direction;
        if (direction != Direction::in) outputs += static_cast<double>(instance.counts[a]);
        if (direction != Direction::out) inputs += static_cast<double>(instance.counts[a]);
    }
    return std::max(4.0, std::max(nominal_flops(instance), inputs) / std::max(1.0, outputs));
}

}  // namespace

double stated_tolerance(const Instance& instance) {
    const Text& text = *instance.declaration.tolerance;
    const std::string where = place_of(instance.declaration.file, text);
    const double value = expression_from(Space("external", 1), instance.numbers, text.text, where).value({});
    if (!(value >= 0.0 && value < 1.0))
        throw InputError(where + " '" + text.text + "' is no relative tolerance; write one from 0 to 1");
    return value;
}

const Oracle& KeptOracles::at(std::uint64_t seed, const std::function<Oracle()>& make) {
    constexpr std::size_t kMost = 2;
    for (const auto& [known, oracle] : kept_) {
        if (known == seed) return oracle;
    }
    while (kept_.size() >= kMost) kept_.pop_front();
    kept_.emplace_back(seed, make());
    return kept_.back().second;
}

std::vector<double> output_of(const Instance& instance, const Arrays& arrays) {
    std::vector<double> all;
    each_output(instance, [&](std::size_t a, Element type, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) all.push_back(load_element(type, arrays.data(a), i));
    });
    return all;
}

Oracle oracle_of(const Instance& instance, const Arrays& answers,
                 const std::function<void(const std::string&)>& accuse) {
    const Declaration& d = instance.declaration;
    Oracle oracle;
    const double terms = terms_of_an_element(instance);
    std::vector<double> tolerances;
    each_output(instance, [&](std::size_t a, Element type, std::size_t count) {
        double largest = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double value = load_element(type, answers.data(a), i);
            if (!std::isfinite(value) && d.arrays[a].file)
                accuse("the right answer has no finite number at " + std::to_string(i) + " in " +
                       d.arrays[a].file->text);
            if (!std::isfinite(value))
                accuse("the reference leaves " + d.arrays[a].name.text + "[" + std::to_string(i) +
                       "] unwritten, or no finite number; every element of what is out must be written");
            largest = std::max(largest, std::fabs(value));
            oracle.expected.push_back(value);
            if (const double rest = rest_of_element(type, answers.data(a), i); rest != 0.0) {
                oracle.expected_rest.resize(oracle.expected.size(), 0.0);
                oracle.expected_rest.back() = rest;
            }
        }
        // As many operations on numbers as large as the largest, each rounded.
        // No sum is so long that half of its digits may be wrong without anybody having said so.
        constexpr double kMostAllowed = 1e-2;
        const double share = d.tolerance ? stated_tolerance(instance)
                                         : std::min(kMostAllowed, 4.0 * terms * unit_roundoff(type));
        const double tolerance = share * largest;
        tolerances.push_back(tolerance);
        oracle.tolerance.resize(oracle.expected.size(), tolerance);
    });
    if (!oracle.expected_rest.empty()) oracle.expected_rest.resize(oracle.expected.size(), 0.0);
    if (tolerances.size() == 1) oracle.tolerance.assign(1, tolerances.front());
    return oracle;
}

bool answers_are_given(const Instance& instance) {
    const auto& arrays = instance.declaration.arrays;
    return std::any_of(arrays.begin(), arrays.end(),
                       [](const DeclaredArray& a) { return a.direction == Direction::out && a.file; });
}

void read_answers(const Instance& instance, const Arrays& answers) {
    for (std::size_t a = 0; a < instance.counts.size(); ++a) {
        const DeclaredArray& array = instance.declaration.arrays[a];
        if (array.direction != Direction::out) continue;
        read_array_file(
            path_of_array(instance, array), array.element, static_cast<std::size_t>(instance.counts[a]),
            static_cast<std::byte*>(answers.pointers()[a]), place_of(instance.declaration.file, *array.file));
    }
}

Worst worst_of(const Instance& instance, const Arrays& arrays, const Oracle& expected, Team& team) {
    std::vector<Worst> found(static_cast<std::size_t>(team.size()));
    team.run(team.size(), [&](int t) {
        std::size_t from = 0;
        each_output(instance, [&](std::size_t a, Element type, std::size_t count) {
            const auto share = count / static_cast<std::size_t>(team.size());
            const std::size_t first = share * static_cast<std::size_t>(t);
            const std::size_t last = t + 1 == team.size() ? count : first + share;
            Worst& worst = found[static_cast<std::size_t>(t)];
            for (std::size_t i = first; i < last; ++i) {
                const double value = load_element(type, arrays.data(a), i);
                const double tolerance =
                    expected.tolerance.size() == 1 ? expected.tolerance[0] : expected.tolerance[from + i];
                const double rest = rest_of_element(type, arrays.data(a), i);
                const double right_rest =
                    expected.expected_rest.empty() ? 0.0 : expected.expected_rest[from + i];
                // Of whole numbers the difference of rounded ones, and what rounding took from both.
                const double right = expected.expected[from + i];
                const double error = rest == right_rest
                                         ? error_of(value, right, tolerance)
                                         : error_of(value - right + (rest - right_rest), 0.0, tolerance);
                if (error > worst.error) worst = {error, from + i, right, tolerance, value, right_rest, rest};
            }
            from += count;
        });
    });
    return *std::max_element(found.begin(), found.end(),
                             [](const Worst& a, const Worst& b) { return a.error < b.error; });
}

}  // namespace rooftune::external
