// Processes of the finals: what one is dealt (pages, addresses) makes a kernel a few percent faster or slower
// for as long as it lives, in a few cases by a third; so a decision rests on several where there is time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tuner/search/run_state.h"

namespace rooftune {

/// A textbook loop that takes a hundred times as long as the winner took half of a minute's budget.
inline constexpr int kTurnsOfFarSlower = 3;

/// The finalists' slots, process after process.
struct Heats {
    std::vector<Variant> field;
    std::vector<Record> records;    ///< of each of the field, all processes together
    std::vector<int> processes;     ///< in which each was measured
    std::vector<std::size_t> ends;  ///< rounds after each process
    std::vector<Ceiling> beside;
    std::vector<std::vector<double>> rates;  ///< of each, by rounds of all processes
    std::vector<Ceiling> seen;               ///< its windows, by processes
    int batches = 1;
    double first_seconds = 0.0;  ///< that the first process took, loading and turns
};

/// Nothing measured yet; beside the turns what the machine gives for the first of the field, where the
/// options want that.
Heats heats_of(const RunState& run, const std::vector<Variant>& field);

/// Whether it was in rounds enough to be compared.
bool is_measured(const Record& record);

/// The best that is a variant of the space among those that were measured in the most processes; nothing
/// where none was measured. Medians of ratios need not agree on an order, so each that beats the one found so
/// far is asked once whether it beats all: no winner has a runner-up that is faster in undisturbed rounds,
/// unless they beat each other in a circle. Of those that the median does not tell apart from that one, the
/// best on average (on_average.h).
std::optional<std::size_t> best_of(const RunState& run, const Heats& heats);

/// One more process for these of the field, for `seconds` and what loading and the least rounds take beyond.
/// False: it gave no times.
bool add_heat(RunState& run, Heats& heats, const std::vector<std::size_t>& who, double seconds);

/// Several processes, the first with the whole field, as long as they fit into the time: another one has to
/// load, convert and check again, which with large matrices takes longer than the turns.
void take_heats(RunState& run, Heats& heats, double seconds);

}  // namespace rooftune
