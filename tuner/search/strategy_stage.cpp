// Other orders of measuring than by bounds: the strategy proposes, this stage decides what an evaluation is
// spent on. With bounds, a proposal that is proven no faster costs nothing: the strategy is told its bound,
// the least that it could take. What a variant is worth, when to stop and what the certificate says is the
// same for all strategies.
#include <cmath>
#include <limits>

#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kRepeats = 200;  // proposals in a row that cost nothing, before one is drawn for the strategy
constexpr int kDraws = 2'000;  // at random, for one that is still open

// What the strategy is told: the median, or the least slot of a variant that was raced out.
std::optional<double> value_of(const Record& record) {
    if (is_failure(record.outcome) || record.slots.empty()) return std::nullopt;
    return record.outcome == Outcome::measured ? typical(record) : fastest(record) / record.pace;
}

bool is_excluded(const RunState& run, const Variant& variant, double high) {
    return std::isfinite(high) && run.tree->excluded(run.source().lower(variant), high);
}

// A variant that nobody has measured and no bound excludes.
std::optional<Variant> any_open(RunState& run, double high) {
    for (int i = 0; i < kDraws; ++i) {
        const Variant variant = run.landscape->variant(run.landscape->draw(run.random));
        if (!run.ledger.evaluated(variant) && !is_excluded(run, variant, high)) return variant;
    }
    // So few are left that drawing misses them: the tree knows them.
    const std::vector<Node>& pool = run.tree->pool(high);
    if (pool.empty()) return std::nullopt;
    return pool[run.random() % pool.size()].partial;
}

// The next variant to measure by the strategy's proposals.
std::optional<Variant> proposal(RunState& run, double high) {
    for (int i = 0; i < kRepeats; ++i) {
        const std::size_t point = run.strategy->propose();
        if (point >= run.landscape->size()) break;
        const Variant variant = run.landscape->variant(point);
        if (run.ledger.evaluated(variant)) {
            run.strategy->observe(point, value_of(run.ledger.records().at(variant)));
        } else if (is_excluded(run, variant, high)) {
            run.strategy->observe(point, run.source().lower(variant));
        } else {
            return variant;
        }
    }
    return any_open(run, high);
}

}  // namespace

std::string strategy_stage(RunState& run, double share_of_time, int evaluations) {
    run.stage = "search";
    for (const auto& [variant, record] : run.ledger.records()) {
        if (const auto point = run.landscape->point(variant)) run.strategy->observe(*point, value_of(record));
    }
    for (;;) {
        if (run.evaluator.interrupted()) return "interrupted";
        if (run.out_of_time(share_of_time)) return "budget";
        if (run.options.evaluations > 0 && run.evaluations >= evaluations) return "budget";
        const double high = run.options.bounds ? run.ledger.high() : std::numeric_limits<double>::infinity();
        run.tree->expand(high, Candidates::kListed);
        if (run.options.bounds && run.ledger.incumbent() &&
            gap_of(run.ledger.high(), lowest_open(run, high)) <= run.options.epsilon) {
            return "epsilon";
        }
        if (run.patience_left() <= 0) return "patience";
        const std::optional<Variant> next = proposal(run, high);
        if (!next) return "exhausted";
        const Record& record = run.evaluate(*next, run.race("search"));
        if (const auto point = run.landscape->point(*next)) run.strategy->observe(*point, value_of(record));
        if (run.evaluations % kReprobeEvery == 0) run.reprobe_binding(kReprobeSeconds);
    }
}

}  // namespace rooftune
