#include "tuner/search/ledger.h"

#include <algorithm>
#include <limits>

#include "tuner/measure/statistics.h"

namespace rooftune {

void Ledger::add_known(const Variant& variant, const Record& record) {
    records_[variant] = record;
    if (incumbent_ && incumbent_->variant == variant && is_failure(record.outcome)) incumbent_.reset();
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
