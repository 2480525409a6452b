#include "tuner/engine/config_before.h"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/choose/closest_variant.h"

namespace rooftune {

std::optional<TunedConfig> config_before(const std::string& path, const std::string& digest,
                                         const std::string& machine_id) {
    std::error_code none;
    if (!std::filesystem::exists(path, none)) return std::nullopt;
    try {
        TunedConfig before = read_tuned_config(path);
        if (before.result.digest != digest || before.result.machine_id != machine_id) return std::nullopt;
        return before;
    } catch (const InputError&) {
        return std::nullopt;  // of another version, or no config: it is replaced all the same
    } catch (const EnvironmentError&) {
        return std::nullopt;
    }
}

std::optional<Variant> winner_before(const TunedConfig& before, const Space& space) {
    const auto here = closest_variant(space, before.result.best);
    if (!here || here->changed > 0) return std::nullopt;
    return here->variant;
}

bool is_undecided(const TunedConfig& before, const TuneResult& result) {
    constexpr double kEitherWillDo = 1.1;
    const TimeInterval& ratio = result.runner_up_ratio;
    return !result.best.empty() && result.best != before.result.best &&
           result.runner_up == before.result.best && ratio.slots > 0 && ratio.low <= 1.0 &&
           ratio.high > kEitherWillDo;
}

ConfigBefore fate_of(const std::optional<TunedConfig>& before, bool writes, const TuneResult* first) {
    if (first != nullptr && first->config_before.fate != "kept") return first->config_before;
    if (!before) return {};
    const CertificateReport& its = before->result.certificate;
    return {writes ? "replaced" : "kept", its.gap, its.gap_high};
}

std::string what_became_of(const TunedConfig& before, const TuneResult& result, const Record& now) {
    constexpr double kWorthAWord = 1.1;  // minutes of one machine differ by so much
    if (result.best.empty()) return "";
    const TuneResult& old = before.result;
    const std::string old_time = format_seconds(old.seconds.median),
                      new_time = format_seconds(result.seconds.median);
    if (old.best == result.best) {
        const double factor = result.seconds.median / old.seconds.median;
        if (!(factor > kWorthAWord)) return "";
        return fmt::format(
            "the winner is the one that the tuned config had, and takes {} of its time then ({}, then "
            "{}): this machine gives less than when it was tuned",
            format_ratio(factor), new_time, old_time);
    }
    const std::string loser = variant_phrase(old.family, old.best),
                      winner = variant_phrase(result.family, result.best);
    if (is_failure(now.outcome)) {
        return fmt::format(
            "the tuned config had {}, which works no more ({}): programs that use that config are at risk",
            loser, to_text(now.outcome));
    }
    if (result.runner_up == old.best) {
        const TimeInterval& ratio = result.runner_up_ratio;
        return fmt::format("the tuned config had {}, which took {} of the new winner's time beside it", loser,
                           format_ratio_interval(ratio.median, ratio.low, ratio.high));
    }
    return fmt::format(
        "the tuned config had {} ({} then), which was slower beside what was measured now; the new "
        "winner is {} ({} now)",
        loser, old_time, winner, new_time);
}

}  // namespace rooftune
