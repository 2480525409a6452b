#include "tuner/verify/verdict.h"

#include <algorithm>

namespace rooftune::validity {
namespace {

Verdict verdict_of(const Check& check) {
    switch (check.status) {
        case Status::ok:
        case Status::not_checked:
            return Verdict::valid;
        case Status::undecided:
            return Verdict::undecided;
        case Status::changed:
            return check.tune_again ? Verdict::stale : Verdict::valid;
        case Status::failed:
            break;
    }
    switch (check.question) {
        case Question::answer:
            return Verdict::wrong;
        case Question::winner:
            return Verdict::beaten;
        case Question::speed:
            return Verdict::slower;
        default:
            return Verdict::not_here;
    }
}

int gravity(Verdict verdict) {
    switch (verdict) {
        case Verdict::unreadable:
            return 7;
        case Verdict::wrong:
            return 6;
        case Verdict::not_here:
            return 5;
        case Verdict::beaten:
            return 4;
        case Verdict::slower:
            return 3;
        case Verdict::stale:
            return 2;
        case Verdict::undecided:
            return 1;
        case Verdict::valid:
            return 0;
    }
    return 0;
}

// The first of the gravest.
const Check* gravest(const std::vector<Check>& checks) {
    const auto at = std::max_element(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
        return gravity(verdict_of(a)) < gravity(verdict_of(b));
    });
    return at == checks.end() ? nullptr : &*at;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::valid:
            return "VALID";
        case Verdict::stale:
            return "STALE";
        case Verdict::slower:
            return "SLOWER";
        case Verdict::beaten:
            return "BEATEN";
        case Verdict::wrong:
            return "WRONG";
        case Verdict::not_here:
            return "NOT HERE";
        case Verdict::undecided:
            return "UNDECIDED";
        case Verdict::unreadable:
            return "UNREADABLE";
    }
    return "UNREADABLE";
}

Verdict verdict_of(const std::vector<Check>& checks) {
    const Check* decides = gravest(checks);
    return decides ? verdict_of(*decides) : Verdict::valid;
}

std::string reason_of(const std::vector<Check>& checks) {
    const Check* decides = gravest(checks);
    return decides && verdict_of(*decides) != Verdict::valid ? decides->meaning : "";
}

bool asks_for_tuning(Verdict verdict) {
    return verdict != Verdict::valid && verdict != Verdict::undecided;
}

}  // namespace rooftune::validity
