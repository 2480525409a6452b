#include "tuner/search/ledger.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "tuner/measure/statistics.h"

namespace rooftune {

namespace {

// Whether the pairs of a race leave no doubt that the variant is faster than its companion: the whole
// interval of their ratio, or all of them but one and by much. Nothing where it had no companion, or too few
// pairs.
std::optional<bool> faster_in_turn(const Record& record) {
    constexpr std::size_t kPairs = 6;
    constexpr double kMuch = 0.97;
    const std::size_t pairs = std::min(record.slots.size(), record.companion.size());
    if (pairs < kPairs) return std::nullopt;
    if (!(decisive_ratio(record.slots, record.companion) < 1.0)) return false;
    const TimeInterval ratio = ratio_interval(record.slots, record.companion);
    if (ratio.high < 1.0) return true;
    int slower = 0;
    for (std::size_t i = 0; i < pairs; ++i) slower += record.slots[i].seconds >= record.companion[i].seconds;
    return ratio.median < kMuch && slower <= 1;
}

}  // namespace

void Ledger::add_known(const Variant& variant, const Record& record) {
    if (records_.insert_or_assign(variant, record).second) in_order_.push_back(variant);
    if (incumbent_ && incumbent_->variant == variant && is_failure(record.outcome)) incumbent_.reset();
}

bool Ledger::would_lead(const Variant& variant, const Record& record) const {
    if (record.outcome != Outcome::measured || (incumbent_ && incumbent_->variant == variant)) return false;
    if (!incumbent_) return true;
    if (interval_of(record.slots).median / record.pace >= incumbent_->paced()) return false;
    return faster_in_turn(record).value_or(true);
}

bool Ledger::add(const Variant& variant, const Record& record) {
    add_known(variant, record);
    if (record.outcome != Outcome::measured) return false;
    const TimeInterval seconds = interval_of(record.slots);
    const Incumbent candidate{variant, seconds, record.pace};
    if (!incumbent_) {
        incumbent_ = candidate;
        return true;
    }
    if (incumbent_->variant == variant) {
        incumbent_ = candidate;
        return false;
    }
    if (candidate.paced() >= incumbent_->paced()) return false;
    if (const std::optional<bool> faster = faster_in_turn(record)) {
        if (*faster) incumbent_ = candidate;
        return *faster;
    }
    const bool beyond_noise = candidate.paced() < incumbent_->seconds.low / incumbent_->pace;
    incumbent_ = candidate;
    return beyond_noise;
}

double Ledger::high() const {
    return incumbent_ ? incumbent_->seconds.high : std::numeric_limits<double>::infinity();
}

double Ledger::paced_high() const {
    return incumbent_ ? incumbent_->seconds.high / incumbent_->pace : high();
}

OutcomeCounts Ledger::counts() const {
    OutcomeCounts counts;
    for (const auto& [variant, record] : records_) {
        if (record.outcome == Outcome::measured) {
            ++counts.measured;
        } else if (record.outcome == Outcome::raced_out) {
            ++counts.raced_out;
        } else {
            ++counts.failed;
            if (record.outcome == Outcome::environment) ++counts.failed_environment;
        }
    }
    return counts;
}

std::vector<Variant> Ledger::best(std::size_t count) const {
    std::vector<std::pair<double, Variant>> order;
    for (const auto& [variant, record] : records_) {
        if (record.outcome == Outcome::measured)
            order.emplace_back(interval_of(record.slots).median / record.pace, variant);
    }
    std::sort(order.begin(), order.end());
    std::vector<Variant> best;
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) best.push_back(order[i].second);
    return best;
}

}  // namespace rooftune
