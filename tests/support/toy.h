// A small made-up problem for tests of bounds and search: a machine with round rates, a space with a
// conditional parameter and a constraint, a work model, and an evaluator that answers from a formula
// on a clock that only its own measurements move.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "kernels/contract/family.h"
#include "models/bound.h"
#include "tuner/measure/evaluator.h"
#include "tuner/measure/racing.h"

namespace rooftune::toy {

inline Ceiling ceiling(Resource resource, Conditions when, double max, double p95 = 0.0) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = max;
    c.p95 = p95 > 0.0 ? p95 : max;
    c.median = c.p95;
    c.windows = 10;
    c.source = "test";
    return c;
}

/// 1e9 flop/s a lane of 64 bits and thread, 1e10 byte/s (2e10 on two threads) at any footprint from 4 KiB.
inline Machine machine() {
    Machine m;
    m.id = m.name = "toy";
    m.topology.threads = 2;
    m.topology.width_bits = {128, 256, 512};
    for (const int threads : {1, 2}) {
        for (const int width : {64, 128, 256, 512}) {
            Conditions when;
            when.width_bits = width;
            when.mix = Mix::fma;
            when.chains = 8;
            when.threads = threads;
            m.ceilings.push_back(ceiling(Resource::compute, when, 1e9 * (width / 64) * threads));
        }
        for (const double footprint : {4096.0, 1e6, 1e8}) {
            Conditions when;
            when.mix = Mix::load;
            when.threads = threads;
            when.footprint = Bytes(footprint);
            when.streams = 1;
            m.ceilings.push_back(ceiling(Resource::bandwidth, when, 1e10 * threads));
        }
    }
    return m;
}

/// format {wide, narrow, padded}; pad {1,2,3} exists only for padded; threads {1,2}; unroll 0…`unrolls`−1;
/// constraint: wide has no unroll above 7.
inline Space space(int unrolls = 10) {
    Space s("toy", 1);
    s.add(Parameter("format", "layout", names({"wide", "narrow", "padded"})));
    s.add(Parameter("pad", "extra bytes", numbers({1, 2, 3}))
              .when("format=padded", [](const PartialVariant& v) { return v[0] == 2; }));
    s.add(Parameter("threads", "threads", numbers({1, 2})));
    std::vector<std::int64_t> unroll(static_cast<std::size_t>(unrolls));
    std::iota(unroll.begin(), unroll.end(), 0);
    s.add(Parameter("unroll", "no effect on the bound", numbers(unroll)));
    s.add(Constraint{"wide needs unroll <= 7", 3,
                     [](const PartialVariant& v) { return v[0] != 0 || v[3] <= 7; }});
    return s;
}

class Model final : public WorkModel {
public:
    explicit Model(const Space& s) : space_(&s) {}
    Work work(const PartialVariant& v) const override {
        Work w;
        w.flops_nominal = Operations(1e6);
        w.total.ops = Operations(1e6);
        const double threads = static_cast<double>(space_->number(v, 2, 2));
        w.heaviest.ops = Operations(1e6 / threads);
        w.traffic.state = State::cold;
        w.heaviest_traffic.state = State::cold;
        w.traffic.reads = Bytes(bytes(v));
        w.heaviest_traffic.reads = Bytes(bytes(v) / threads);
        return w;
    }
    Traits traits(const PartialVariant& v) const override {
        return {.dtype = DType::f64, .width_bits = 512, .threads = static_cast<int>(space_->number(v, 2, 2))};
    }

private:
    double bytes(const PartialVariant& v) const {
        if (v.free_at(0) || v[0] == 1) return 8e6;
        if (v[0] == 0) return 12e6;
        return v.fixed(1) ? 8e6 + 2e6 * static_cast<double>(space_->number(v, 1, 1)) : 10e6;
    }
    const Space* space_;
};

/// Answers from `time`; every measurement moves the clock by its own length. Faults can be planted in
/// answers.
class Evaluator : public rooftune::Evaluator {
public:
    Evaluator(const Space& s, std::function<double(const Variant&)> time)
        : space_(&s), time_(std::move(time)) {}

    Record evaluate(const Variant& variant, const EvaluationRequest& request) override {
        ++measured[variant];
        order.push_back(request.role + " " + space_->to_text(variant));
        Record record = begun(variant, request.role);
        if (is_failure(record.outcome)) return planted(variant, record);
        const bool paired = pairs && request.companion;
        for (int i = 0; i < request.slots; ++i) {
            record.slots.push_back(sample(variant));
            if (paired) record.companion.push_back(sample(*request.companion));
            if (paired ? !raced_out(record.slots, record.companion)
                       : !raced_out(record.slots, request.incumbent_high))
                continue;
            record.outcome = Outcome::raced_out;
            return planted(variant, record);
        }
        record.outcome = request.slots >= 8 ? Outcome::measured : Outcome::raced_out;
        return planted(variant, record);
    }

    Rotation rotation(const RotationRequest& request) override {
        Rotation answer;
        std::vector<Record>& records = answer.records;
        const std::vector<Variant>& variants = request.variants;
        rotations.push_back(request);
        clock_ += load_seconds;
        order.push_back(request.role + (request.process > 0 ? " again of " : " of ") +
                        std::to_string(variants.size()));
        for (const Variant& variant : variants) records.push_back(begun(variant, request.role));
        if (rate_beside) answer.rates.resize(request.beside.size());
        const auto probe = [&] {
            for (std::size_t c = 0; c < answer.rates.size(); ++c) {
                answer.rates[c].push_back(rate_beside(request.beside[c], clock_));
                if (!shows_windows) continue;
                Ceiling window = request.beside[c];
                window.max = window.p95 = window.median = answer.rates[c].back();
                window.top = {window.max};
                answer.seen.push_back(window);
            }
        };
        const double until = clock_ + request.seconds;
        for (int round = 0; round < request.rounds && (round < 8 || clock_ < until); ++round) {
            for (std::size_t i = 0; i < variants.size(); ++i) {
                if (is_failure(records[i].outcome)) continue;
                if (is_far_slower(records, i, request.turns_of_far_slower)) continue;
                records[i].slots.push_back(sample(variants[i]));
            }
            probe();
        }
        for (std::size_t i = 0; i < variants.size(); ++i) records[i] = planted(variants[i], records[i]);
        return answer;
    }

    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double) override {
        std::vector<Ceiling> fresh = ceilings;
        for (Ceiling& c : fresh) c.max = c.p95 = c.median = c.max * reprobe_factor;
        return fresh;
    }

    double now() override { return clock_; }
    bool interrupted() override { return interrupted_ || (interrupt_after >= 0 && draws_ > interrupt_after); }

    std::map<Variant, int> measured;  ///< calls of evaluate()
    std::vector<RotationRequest> rotations;
    bool pairs = false;  ///< takes a companion's slots in turn
    /// Multiplies all times at a time of the clock; empty: 1.
    std::function<double(double clock)> drift;
    /// What a probe beside a rotation shows at this time; empty: there is none.
    std::function<double(const Ceiling&, double clock)> rate_beside;
    bool shows_windows = false;      ///< of these rates the windows, too (Rotation::seen)
    std::vector<std::string> order;  ///< what was asked for
    std::map<Variant, Outcome> fail;
    double reprobe_factor = 1.0;
    int interrupt_after = -1;  ///< slots
    std::string interrupt_in;  ///< Ctrl-C arrives when this role is asked for
    double noise = 0.01;
    double prepare_seconds = 0.0;  ///< of each variant, on the clock
    double load_seconds = 0.0;     ///< of each process of a rotation, on the clock
    /// Changes a slot; `count` slots of this variant were taken before.
    std::function<void(const Variant&, int count, Slot&)> plant_slot;
    /// Changes an answer; its role is in the record.
    std::function<void(const Variant&, Record&)> plant;

private:
    // An answer before its slots: failed already, or as good as measured.
    Record begun(const Variant& variant, const std::string& role) {
        Record record;
        record.role = role;
        record.variant = space_->to_map(variant);
        if (role == interrupt_in) interrupted_ = true;
        if (interrupted_) return record;
        clock_ += prepare_seconds;
        record.prepare_seconds = prepare_seconds;
        const auto failure = fail.find(variant);
        record.outcome = failure == fail.end() ? Outcome::measured : failure->second;
        return record;
    }
    Record planted(const Variant& variant, Record record) {
        if (plant && !interrupted_) plant(variant, record);
        return record;
    }
    Slot sample(const Variant& variant) {
        // A fixed saw of noise above the true time, the same in every run.
        Slot slot{time_(variant) * (1.0 + noise * static_cast<double>(draws_++ % 7) / 6.0), 10, false};
        if (drift) slot.seconds *= drift(clock_);
        if (plant_slot) plant_slot(variant, slots_[variant], slot);
        ++slots_[variant];
        clock_ += 0.005;
        return slot;
    }
    const Space* space_;
    std::function<double(const Variant&)> time_;
    std::map<Variant, int> slots_;
    double clock_ = 0.0;
    int draws_ = 0;
    bool interrupted_ = false;
};

inline Variant variant(const Space& s, const std::map<std::string, std::string>& values) {
    std::string why;
    const auto v = s.from_map(values, why);
    if (!v) throw std::logic_error(why);
    return *v;
}

}  // namespace rooftune::toy
