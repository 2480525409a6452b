#include "tuner/engine/total_budget.h"

#include <algorithm>

namespace rooftune {
namespace {

// The stricter of two limits, of which 0 is none.
template <typename T>
T stricter(T a, T b) {
    return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace

bool TotalBudget::used_up() const {
    return total_ && ((total_->seconds > 0.0 && seconds_ >= total_->seconds) ||
                      (total_->evaluations > 0 && evaluations_ >= total_->evaluations));
}

Budget TotalBudget::share(const Job& job) const {
    if (!total_) return job.budget;
    Budget budget = *total_;
    const auto left = static_cast<double>(std::max<std::size_t>(1, left_));
    // Used up is not without limit.
    constexpr double kLeastSeconds = 1e-3;
    if (budget.seconds > 0.0)
        budget.seconds = std::max(kLeastSeconds, (budget.seconds - seconds_ - reserved_seconds_) / left);
    if (budget.evaluations > 0)
        budget.evaluations =
            std::max(1, static_cast<int>((budget.evaluations - evaluations_ - reserved_evaluations_) / left));
    if (job.budget_given) {
        budget.seconds = stricter(budget.seconds, job.budget.seconds);
        budget.evaluations = stricter(budget.evaluations, job.budget.evaluations);
        budget.bounds_only = budget.bounds_only || job.budget.bounds_only;
    }
    return budget;
}

void TotalBudget::reserve(const Budget& share) {
    left_ -= left_ > 0;
    reserved_seconds_ += share.seconds;
    reserved_evaluations_ += share.evaluations;
}

void TotalBudget::release(const Budget& share) {
    reserved_seconds_ -= share.seconds;
    reserved_evaluations_ -= share.evaluations;
}

double spent_of_budget(const TuneResult& r) {
    const double before = r.budget_seconds > 0.0
                              ? std::min(r.setup_seconds, kMostOfBudgetBefore * r.budget_seconds)
                              : r.setup_seconds;
    return before + r.elapsed_seconds;
}

void TotalBudget::spend(const TuneResult& result, const TuneResult* before) {
    const auto evaluated = [](const TuneResult& r) {
        const CertificateReport& c = r.certificate;
        return static_cast<int>(c.measured + c.raced_out + c.failed) - r.resumed;
    };
    const auto took = [](const TuneResult& r) { return r.setup_seconds + r.elapsed_seconds; };
    seconds_ += took(result) - (before ? took(*before) : 0.0);
    evaluations_ += std::max(0, evaluated(result) - (before ? evaluated(*before) : 0));
}

}  // namespace rooftune
