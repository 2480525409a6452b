#include "tuner/measure/requests.h"

#include <utility>

#include "tuner/measure/pace_note.h"

namespace rooftune {

MeasureRequest measure_request(const Space& space, const Variant& variant, const EvaluationRequest& request,
                               std::uint64_t seed) {
    MeasureRequest ask;
    ask.variant = space.to_map(variant);
    ask.slots = request.slots;
    ask.incumbent_high = request.incumbent_high;
    ask.rules.abandon_above = request.abandon_above;
    ask.rules.batches = request.batches;
    ask.seeds = {seed + 1, seed + 2};
    ask.pauses = true;
    if (request.companion) ask.companion = space.to_map(*request.companion);
    return ask;
}

RotateRequest rotate_request(const Space& space, const RotationRequest& request, std::uint64_t seed) {
    RotateRequest ask;
    for (const Variant& variant : request.variants) ask.variants.push_back(space.to_map(variant));
    ask.rounds = request.rounds;
    ask.seconds = request.seconds;
    ask.beside = request.beside;
    ask.turns_of_far_slower = request.turns_of_far_slower;
    ask.rules.batches = request.batches;
    // Two for the first process and one for each further one. The search has checked two others, except of
    // references outside the user's cuts. Filling and comparing arrays that no cache holds takes longer than
    // the turns.
    constexpr std::uint64_t kSeeds = 2;
    const std::uint64_t seeds = request.process == 0 ? kSeeds : 1;
    for (std::uint64_t i = 1; i <= seeds; ++i)
        ask.seeds.push_back(seed + 100 + kSeeds * static_cast<std::uint64_t>(request.process) + i);
    return ask;
}

Rotation rotation_without_crashed(RotateRequest ask,
                                  const std::function<Rotation(const RotateRequest&)>& rotate) {
    const std::vector<std::map<std::string, std::string>> all = ask.variants;
    std::map<std::map<std::string, std::string>, Record> crashed;
    Rotation answer;
    for (bool again = true; again && !ask.variants.empty();) {
        answer = rotate(ask);
        again = false;
        for (Record& record : answer.records) {
            if (record.outcome != Outcome::crashed) continue;
            again = std::erase(ask.variants, record.variant) > 0;
            crashed[record.variant] = std::move(record);
        }
    }
    if (crashed.empty()) return answer;
    if (ask.variants.empty()) answer = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto found = crashed.find(all[i]);
        if (found != crashed.end())
            answer.records.insert(answer.records.begin() + static_cast<std::ptrdiff_t>(i), found->second);
    }
    return answer;
}

void tell_what_was_asked(Record& record, const std::map<std::string, std::string>& variant,
                         const EvaluationRequest& request) {
    record.variant = variant;
    record.role = request.role;
    if (record.detail.empty()) record.detail = request.note;
}

void tell_what_was_asked(Rotation& answer, const RotateRequest& asked, const RotationRequest& request) {
    std::vector<Record>& records = answer.records;
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].variant = asked.variants[i];
        records[i].role = request.role;
        if (records[i].detail.empty()) records[i].detail = rotation_note(records, i);
    }
}

}  // namespace rooftune
