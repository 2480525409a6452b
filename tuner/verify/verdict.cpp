#include "tuner/verify/verdict.h"

#include <algorithm>

namespace rooftune::verify {
namespace {

Validity verdict_of(const Check& check) {
    switch (check.status) {
        case Status::ok:
        case Status::not_checked:
            return Validity::valid;
        case Status::undecided:
            return Validity::undecided;
        case Status::changed:
            return check.tune_again ? Validity::stale : Validity::valid;
        case Status::failed:
            break;
    }
    switch (check.question) {
        case Question::answer:
            return Validity::wrong;
        case Question::winner:
            return Validity::beaten;
        case Question::speed:
            return Validity::slower;
        default:
            return Validity::not_here;
    }
}

int gravity(Validity verdict) {
    switch (verdict) {
        case Validity::unreadable:
            return 7;
        case Validity::wrong:
            return 6;
        case Validity::not_here:
            return 5;
        case Validity::beaten:
            return 4;
        case Validity::slower:
            return 3;
        case Validity::stale:
            return 2;
        case Validity::undecided:
            return 1;
        case Validity::valid:
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

std::string_view to_text(Validity verdict) {
    switch (verdict) {
        case Validity::valid:
            return "VALID";
        case Validity::stale:
            return "STALE";
        case Validity::slower:
            return "SLOWER";
        case Validity::beaten:
            return "BEATEN";
        case Validity::wrong:
            return "WRONG";
        case Validity::not_here:
            return "NOT HERE";
        case Validity::undecided:
            return "UNDECIDED";
        case Validity::unreadable:
            return "UNREADABLE";
    }
    return "UNREADABLE";
}

Validity verdict_of(const std::vector<Check>& checks) {
    const Check* decides = gravest(checks);
    return decides ? verdict_of(*decides) : Validity::valid;
}

std::string reason_of(const std::vector<Check>& checks) {
    const Check* decides = gravest(checks);
    return decides && verdict_of(*decides) != Validity::valid ? decides->meaning : "";
}

bool asks_for_tuning(Validity verdict) {
    return verdict != Validity::valid && verdict != Validity::undecided;
}

}  // namespace rooftune::verify
