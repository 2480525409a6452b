#include "tuner/formats/record.h"

#include <array>
#include <utility>

namespace rooftune {
namespace {

// One spelling each, in files, the store and messages.
constexpr std::array<std::pair<Outcome, std::string_view>, 10> kOutcomes{{
    {Outcome::measured, "measured"},
    {Outcome::raced_out, "raced_out"},
    {Outcome::wrong, "wrong"},
    {Outcome::crashed, "crashed"},
    {Outcome::illegal, "illegal"},
    {Outcome::timed_out, "timed_out"},
    {Outcome::out_of_memory, "out_of_memory"},
    {Outcome::unbuildable, "unbuildable"},
    {Outcome::out_of_resources, "out_of_resources"},
    {Outcome::environment, "environment"},
}};

}  // namespace

std::string_view to_text(Outcome o) {
    for (const auto& [outcome, text] : kOutcomes)
        if (outcome == o) return text;
    return "unknown";
}

bool outcome_from(std::string_view text, Outcome& out) {
    for (const auto& [outcome, spelling] : kOutcomes) {
        if (spelling != text) continue;
        out = outcome;
        return true;
    }
    return false;
}

bool is_failure(Outcome o) {
    return o != Outcome::measured && o != Outcome::raced_out;
}

bool stays_open(Outcome o) {
    return o == Outcome::raced_out || o == Outcome::environment;
}

}  // namespace rooftune
