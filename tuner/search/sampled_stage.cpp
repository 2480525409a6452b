#include "tuner/search/sampled_stage.h"

#include <algorithm>
#include <cmath>

#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/second_look.h"

namespace rooftune {
namespace {

// As many are listed at most; where there are more, as many as the ranker is asked about are drawn by counts,
// and the strata are of those. Two draws of the sample may then come from the same of them, which makes no
// hit among 30 draws likelier by about (1 − p)^29·p·435/8192: 5.03 % where it should be 5.
constexpr std::size_t kListed = 1'000'000, kRanked = 8'192;

// Its time over the incumbent's, by the slots that were taken in turn where there are such.
TimeInterval ratio_to(const Incumbent& incumbent, const Record& record) {
    if (!record.companion.empty()) return ratio_interval(record.slots, record.companion);
    TimeInterval ratio = interval_of(record.slots);
    for (double* end : {&ratio.median, &ratio.low, &ratio.high}) *end /= record.pace * incumbent.paced();
    return ratio;
}

// What orders them is the estimate, corrected by what the ranker has learnt; for more than it can be asked
// about by the calibration of their kind. A poor order makes the draw no less uniform.
void predict(const RunState& run, std::vector<Predicted>& population) {
    std::vector<const Variant*> variants;
    for (const Predicted& one : population) variants.push_back(&one.variant);
    std::vector<double> corrections;
    if (variants.size() <= kRanked) corrections = run.ranker.optimistic(variants);
    for (std::size_t i = 0; i < population.size(); ++i) {
        const double factor = run.calibration.factor(Calibration::kind_of(population[i].variant));
        const double correction = !corrections.empty() ? corrections[i]
                                  : factor > 0.0       ? std::log(factor)
                                                       : 0.0;
        population[i].key = std::log(std::max(1e-12, population[i].key)) + correction;
    }
}

// What is neither excluded nor set aside nor evaluated, or a uniform draw from it where it is too long a
// list; `size` is how many there are.
std::vector<Predicted> unmeasured(RunState& run, std::uint64_t& size) {
    std::vector<Predicted> open;
    for (const Node& node : run.tree->pool(run.ledger.high())) {
        if (!run.ledger.evaluated(node.partial) &&
            !set_aside(*run.tree, node.partial, node.rank, run.ledger.paced_high()))
            open.push_back({node.partial, node.rank});
    }
    size = open.size();
    if (const std::vector<Node> waiting = run.tree->waiting(); !waiting.empty()) {
        size = judge_rest(*run.tree, run.ledger, kListed).unmeasured;
        std::vector<PartialVariant> prefixes;
        for (const Predicted& one : open) prefixes.push_back(one.variant);
        for (const Node& node : waiting) prefixes.push_back(node.partial);
        open.clear();
        for (const Variant& variant : sample_below(run.space(), prefixes, kRanked, run.random)) {
            if (!run.ledger.evaluated(variant)) open.push_back({variant, run.source().rank(variant)});
        }
    }
    predict(run, open);
    return open;
}

// What was dropped by a race. Not what an earlier run's audit timed by one slot and this run rules out: as
// many who cannot win would make any share of the others look small.
std::vector<Predicted> raced_out(const RunState& run) {
    const double high = run.ledger.high();
    std::vector<Predicted> dropped;
    for (const auto& [variant, record] : run.ledger.records()) {
        if (record.outcome != Outcome::raced_out) continue;
        if (record.role == "audit" &&
            (run.tree->excluded(run.source().lower(variant), high) ||
             set_aside(*run.tree, variant, run.source().rank(variant), run.ledger.paced_high())))
            continue;
        dropped.push_back({variant, typical(record)});
    }
    return dropped;
}

}  // namespace

SampledStage::SampledStage(RunState& run, std::size_t count) : run_(&run) {
    SampledReport& report = run.result.certificate.sampled;
    std::vector<Predicted> open = unmeasured(run, report.unmeasured.population);
    std::vector<Predicted> dropped = raced_out(run);
    report.raced_out.population = dropped.size();
    const SampleSizes sizes = sample_sizes(count, open.size(), dropped.size());
    size_ = sizes.unmeasured + sizes.raced_out;
    groups_ = draw_sample(std::move(open), std::move(dropped), sizes, run.random);
    // In the space's own order neighbours share a converted format, which costs more than a slot.
    for (SampleGroup& group : groups_) {
        std::sort(group.begin(), group.end(),
                  [](const SampleDraw& a, const SampleDraw& b) { return a.variant < b.variant; });
    }
}

std::optional<bool> SampledStage::is_faster(const SampleGroup& group, std::size_t at) {
    const SampleDraw& draw = group[at];
    // What is not seen to be slower than this is put to the test, also where it looks hardly faster: slots
    // that flatter the incumbent must not hide what matters. And what is counted are those that may be faster
    // by as much, by the lower end of an interval: of medians half would miss the ones that just are.
    constexpr double kLooksFaster = 0.99;
    constexpr double kFaster = 1.0 / (1.0 + kMeaningful);
    const Incumbent incumbent = *run_->ledger.incumbent();
    const Record record = look_again(*run_, draw.variant, run_->race("sample", group, at));
    if (record.outcome == Outcome::environment) return std::nullopt;
    if (is_failure(record.outcome)) return false;
    const TimeInterval seen = ratio_to(incumbent, record);
    if (seen.median >= kLooksFaster && seen.low >= kFaster) return false;
    const std::optional<TimeInterval> ratio = contest(*run_, draw.variant, "sample");
    if (!ratio) return !is_failure(run_->ledger.records().at(draw.variant).outcome) && seen.low < kFaster;
    if (ratio->high < 1.0) {
        (draw.raced_out ? raced_out_regretted_ : regretted_) = true;
        ++run_->result.certificate.sampled.regrets;
        run_->notice(std::string("a draw from the variants that were ") +
                     (draw.raced_out ? "raced out" : "left unmeasured") +
                     " found a faster one: " + run_->space().to_text(draw.variant));
    }
    return ratio->low < kFaster;
}

void SampledStage::count(const SampleGroup& group, std::size_t at, SampledReport& counted) {
    const SampleDraw& draw = group[at];
    auto known = known_.find(draw.variant);
    if (known == known_.end()) known = known_.emplace(draw.variant, is_faster(group, at)).first;
    if (!known->second && run_->evaluator.interrupted()) return;
    SampledClass& its = draw.raced_out ? counted.raced_out : counted.unmeasured;
    ++its.drawn;
    if (!known->second) {
        ++its.untimed;
    } else {
        its.faster += *known->second ? 1 : 0;
    }
}

void SampledStage::add(const SampledReport& counted) {
    SampledReport& report = run_->result.certificate.sampled;
    const auto add_class = [](const SampledClass& its, SampledClass& all) {
        all.drawn += its.drawn;
        all.faster += its.faster;
        all.untimed += its.untimed;
    };
    add_class(counted.unmeasured, report.unmeasured);
    add_class(counted.raced_out, report.raced_out);
}

void SampledStage::finish() {
    set_limits(run_->result.certificate.sampled);
}

}  // namespace rooftune
