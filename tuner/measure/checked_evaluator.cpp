#include "tuner/measure/checked_evaluator.h"

#include <cmath>
#include <cstdio>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

void fail(Record& record, const std::string& reason) {
    record.outcome = Outcome::environment;
    record.detail = reason;
    record.slots.clear();
}

}  // namespace

void refuse_impossible(Record& record) {
    if (!std::isfinite(record.prepare_seconds) || record.prepare_seconds < 0.0) record.prepare_seconds = 0.0;
    if (is_failure(record.outcome)) {
        record.slots.clear();
        return;
    }
    if (record.slots.empty()) {
        fail(record, "it was called " + std::string(to_text(record.outcome)) + " and has no time");
        return;
    }
    for (std::size_t i = 0; i < record.slots.size(); ++i) {
        if (is_time(record.slots[i].seconds)) continue;
        char text[96];
        std::snprintf(text, sizeof text, "the clock gave %g s in slot %zu, which is no time of a repetition",
                      record.slots[i].seconds, i + 1);
        fail(record, text);
        return;
    }
}

void refuse_impossible(Ceiling& ceiling) {
    for (const double rate : {ceiling.max, ceiling.p95, ceiling.median}) {
        if (std::isfinite(rate) && rate >= 0.0) continue;
        ceiling.max = ceiling.p95 = ceiling.median = 0.0;
        return;
    }
}

Record unknown(const std::string& detail) {
    Record record;
    fail(record, detail);
    return record;
}

void CheckedEvaluator::check(const Variant& variant, Record& record) const {
    refuse_impossible(record);
    const std::map<std::string, std::string> asked = space_->to_map(variant);
    if (!record.variant.empty() && record.variant != asked)
        fail(record, "the answer is about another variant");
    record.variant = asked;
}

Record CheckedEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    Record record = inner_->evaluate(variant, request);
    check(variant, record);
    return record;
}

std::vector<Evaluator::Ahead> CheckedEvaluator::measured_ahead() {
    std::vector<Ahead> all = inner_->measured_ahead();
    for (Ahead& ahead : all) check(ahead.variant, ahead.record);
    return all;
}

Rotation CheckedEvaluator::rotation(const RotationRequest& request) {
    Rotation answer = inner_->rotation(request);
    const std::size_t count = request.variants.size();
    if (answer.records.size() != count) {
        answer.records.assign(count, unknown("the rotation answered about another number of variants"));
        answer.rates.clear();
        answer.seen.clear();
    }
    for (std::size_t i = 0; i < count; ++i) check(request.variants[i], answer.records[i]);
    if (answer.rates.size() != request.beside.size()) {
        answer.rates.clear();
        answer.seen.clear();
    }
    std::erase_if(answer.seen, [&](const Ceiling& c) {
        return std::none_of(request.beside.begin(), request.beside.end(), [&](const Ceiling& asked) {
            return asked.resource == c.resource && asked.when == c.when;
        });
    });
    for (Ceiling& ceiling : answer.seen) refuse_impossible(ceiling);
    for (std::vector<double>& rates : answer.rates) {
        for (double& rate : rates) {
            if (!std::isfinite(rate) || rate < 0.0) rate = 0.0;
        }
    }
    return answer;
}

std::vector<Ceiling> CheckedEvaluator::reprobe(const std::vector<Ceiling>& ceilings, double seconds) {
    std::vector<Ceiling> fresh = inner_->reprobe(ceilings, seconds);
    for (Ceiling& ceiling : fresh) refuse_impossible(ceiling);
    return fresh;
}

}  // namespace rooftune
