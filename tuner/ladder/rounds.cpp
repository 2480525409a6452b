#include "tuner/ladder/rounds.h"

#include <limits>

#include "tuner/measure/statistics.h"

namespace rooftune::ladder {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class Rotation {
public:
    Rotation(Field& field, std::size_t variants) : field_(field) {
        found_.times.resize(variants);
        found_.failures.resize(variants);
    }

    MeasuredRounds run(const RotationRules& rules) {
        const double until = field_.now() + rules.seconds;
        while (found_.rounds < rules.most && (found_.rounds < rules.least || field_.now() < until)) {
            if (!round()) {
                found_.interrupted = true;
                break;
            }
            ++found_.rounds;
        }
        // What failed later than in its first turn has no time that could be trusted.
        for (std::size_t v = 0; v < found_.times.size(); ++v) {
            if (found_.failures[v].empty()) continue;
            for (double& seconds : found_.times[v]) seconds = kNone;
        }
        return std::move(found_);
    }

private:
    // False where Ctrl-C cut it short.
    bool round() {
        if (field_.interrupted()) return false;
        const std::size_t variants = found_.times.size();
        for (std::vector<double>& times : found_.times) times.push_back(kNone);
        field_.begin(found_.rounds);
        for (std::size_t k = 0; k < variants; ++k) {
            const std::size_t v = found_.rounds % 2 == 0 ? k : variants - 1 - k;
            if (!found_.failures[v].empty()) continue;
            if (field_.interrupted()) return false;
            if (!turn(v)) return false;
            field_.progress(found_.rounds, v);
        }
        return true;
    }

    bool turn(std::size_t v) {
        Turn turn = field_.take(v);
        if (turn.failure.empty() && turn.disturbed && !field_.interrupted()) {
            ++found_.retaken;
            turn = field_.take(v);
        }
        // A turn that Ctrl-C cut short is nobody's fault.
        if (!turn.failure.empty() && field_.interrupted()) return false;
        if (turn.failure.empty() && !is_time(turn.seconds)) turn.failure = "its time is no positive number";
        if (turn.failure.empty())
            found_.times[v].back() = turn.seconds;
        else
            found_.failures[v] = turn.failure;
        return true;
    }

    Field& field_;
    MeasuredRounds found_;
};

}  // namespace

MeasuredRounds measure(Field& field, std::size_t variants, const RotationRules& rules) {
    return Rotation(field, variants).run(rules);
}

}  // namespace rooftune::ladder
