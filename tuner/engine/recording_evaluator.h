// An evaluator that records: every measurement is in the store before the next one begins, a variant
// is journalled before it starts, and one measurement at a time runs on this machine.
#pragma once

#include <functional>
#include <vector>

#include "tuner/measure/evaluator.h"
#include "tuner/store/store.h"

namespace rooftune {

/// Hears of every measurement as the store does, on the thread that measures.
class RecordTap {
public:
    virtual ~RecordTap() = default;
    /// A variant is about to run; `variant` as Space::to_text spells it.
    virtual void begins(const JobKey& key, const std::string& variant) = 0;
    /// After it is in the store.
    virtual void recorded(const JobKey& key, const std::string& variant, const Record& record) = 0;
};

class RecordingEvaluator final : public Evaluator {
public:
    /// All must outlive it.
    RecordingEvaluator(Evaluator& inner, Store& store, JobId job, RunId run, const Space& space);

    /// Called before a variant is evaluated, with it and what may well come next, and with the machine to
    /// itself.
    using Builder = std::function<void(const std::vector<Variant>&)>;
    void build_by(Builder builder) { builder_ = std::move(builder); }

    /// Must outlive it.
    void told_to(RecordTap& tap, const JobKey& key) {
        tap_ = &tap;
        key_ = key;
    }

    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    Rotation rotation(const RotationRequest& request) override;
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override;
    /// Time spent waiting for another process's measurements does not count.
    double now() override { return inner_->now() - waited_; }
    bool interrupted() override { return inner_->interrupted(); }
    /// Seconds of that.
    double waited() const { return waited_; }

private:
    template <typename F>
    auto alone(F&& measure);
    void add(const std::string& variant, const Record& record);

    Evaluator* inner_;
    Store* store_;
    JobId job_;
    RunId run_;
    const Space* space_;
    Builder builder_;
    RecordTap* tap_ = nullptr;
    JobKey key_;
    double waited_ = 0.0;
};

}  // namespace rooftune
