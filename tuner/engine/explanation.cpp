#include "tuner/engine/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "models/ecm.h"
#include "models/opportunities.h"
#include "tuner/base/si.h"
#include "tuner/search/enumerate/opportunities.h"

namespace rooftune {
namespace {

// Less than this is not worth a sentence: noise in the ceilings is larger.
constexpr double kLeastGain = 1.01;
// Bounds nearer to each other than this are the same bound.
constexpr double kSame = 1.005;
// An estimate that the clock beat by more than this does not hold for this variant.
constexpr double kRefuted = 1.1;

struct TrafficEstimate {
    Seconds seconds{0.0};
    double rate = 0.0;  ///< byte/s
    std::string level;  ///< beyond which
    CacheShape cache;
    std::vector<TrafficPart> parts{};
};

class Explainer {
public:
    Explainer(const ResultContext& context, const SearchResult& found)
        : context_(context),
          found_(found),
          roofs_(found.machine),
          bound_(roofs_, found.demoted),
          source_{context.space, context.model, &bound_},
          best_(*found.best),
          work_(context.model->work(best_)),
          traits_(context.model->traits(best_)),
          time_(found.seconds.median) {
        for (const Observation& o : found.observations) outcomes_[o.variant] = o.record.outcome;
    }

    ExplanationReport report() {
        if (time_ <= 0.0 || found_.bound.binding < 0) return {};
        parameters();
        bottlenecks();
        precision();
        what_if("partition", evened(work_, traits_.threads), "an even share of the work for each thread");
        surplus();
        add({.kind = "variant", .seconds = lower(), .then = binding_kind()});
        missed_conditions();
        traffic();
        estimates();
        std::stable_sort(out_.opportunities.begin(), out_.opportunities.end(),
                         [](const auto& a, const auto& b) { return a.at_most > b.at_most; });
        std::stable_sort(out_.estimates.begin(), out_.estimates.end(),
                         [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
        return out_;
    }

private:
    double lower() const { return found_.bound.seconds_lower.value; }
    const Term& binding() const { return found_.bound.terms[static_cast<std::size_t>(found_.bound.binding)]; }
    std::string binding_kind() const { return std::string(to_text(binding().kind)); }
    const std::string& name_of(int parameter) const {
        return context_.space->parameters()[static_cast<std::size_t>(parameter)].name;
    }

    void add(OpportunityReport opportunity) {
        opportunity.at_most =
            opportunity.seconds > 0.0 ? time_ / opportunity.seconds : std::numeric_limits<double>::infinity();
        if (opportunity.at_most >= kLeastGain) out_.opportunities.push_back(std::move(opportunity));
    }

    Standing standing_of(const Variant& variant, double lower_seconds) const {
        const auto it = outcomes_.find(variant);
        if (it != outcomes_.end() && it->second != Outcome::environment)
            return is_failure(it->second) ? Standing::failed : Standing::timed;
        const bool excluded = (1.0 - found_.certificate.margin) * lower_seconds >= found_.seconds.high;
        return excluded || time_ < kLeastGain * lower_seconds ? Standing::excluded : Standing::open;
    }

    // Parameters whose best alternative has no larger bound than the winner are one opportunity: nothing
    // provable tells their values apart. The others have one each.
    void parameters() {
        OpportunityReport level{.kind = "parameter", .seconds = lower(), .then = binding_kind()};
        const auto judge = [&](const Variant& v, double seconds) {
            const Standing standing = standing_of(v, seconds);
            if (standing == Standing::timed) tried_.push_back(v);
            return standing;
        };
        for (const Move& move : moves_from(source_, best_, judge)) {
            const std::string& name = name_of(move.parameter);
            if (!move.best) {
                (move.timed + move.failed > 0 ? out_.settled_by_measuring : out_.settled_by_proof)
                    .push_back(name);
                continue;
            }
            const bool moves_bound = move.lower.value > kSame * lower() || lower() > kSame * move.lower.value;
            if (!moves_bound) {
                level.what.push_back(name);
                level.open += move.open;
                continue;
            }
            const Bound there = source_.explain(*move.best);
            OpportunityReport opportunity{.kind = "parameter",
                                          .what = {name},
                                          .seconds = move.lower.value,
                                          .to = difference(*move.best),
                                          .open = move.open};
            if (there.binding >= 0)
                opportunity.then = to_text(there.terms[static_cast<std::size_t>(there.binding)].kind);
            add(opportunity);
        }
        if (!level.what.empty()) add(level);
    }

    std::map<std::string, std::string> difference(const Variant& other) const {
        std::map<std::string, std::string> changed;
        const auto before = context_.space->to_map(best_);
        for (const auto& [name, value] : context_.space->to_map(other)) {
            const auto it = before.find(name);
            if (it == before.end() || it->second != value) changed[name] = value;
        }
        return changed;
    }

    void bottlenecks() {
        for (const Lift& lift : lifts(found_.bound)) {
            OpportunityReport opportunity{.kind = "bottleneck",
                                          .seconds = lift.then.value,
                                          .how = std::string(relief_of(lift.lifted.back()))};
            for (const Bottleneck b : lift.lifted) opportunity.what.emplace_back(to_text(b));
            if (lift.binding >= 0)
                opportunity.then = to_text(found_.bound.terms[static_cast<std::size_t>(lift.binding)].kind);
            add(opportunity);
        }
    }

    // f64 problems only. Bytes at most halve; in core at most twice the lanes, or what the peaks say.
    void precision() {
        if (traits_.dtype != DType::f64) return;
        const Roof wide = roofs_.compute(DType::f64, traits_.width_bits, traits_.threads);
        const Roof narrow = roofs_.compute(DType::f32, traits_.width_bits, traits_.threads);
        constexpr double kTwice = 2.5;  // with what noise adds
        const double lanes = wide && narrow ? std::max(2.0, narrow.rate / wide.rate) : 2.0;
        double seconds = 0.0;
        for (const Term& term : found_.bound.terms) {
            if (!term.demoted)
                seconds = std::max(seconds, term.seconds.value / (is_traffic(term.kind) ? 2.0 : lanes));
        }
        add({.kind = "precision",
             .what = {"f32"},
             .seconds = seconds,
             .how =
                 "f32 in place of f64, where its precision is enough, and run at its bound: at best half the "
                 "bytes and " +
                 std::string(lanes > kTwice ? "the device's rate for it" : "twice the lanes")});
    }

    void what_if(const std::string& kind, const Work& work, const std::string& how) {
        const double seconds = bound_.seconds(work, traits_).value;
        if (seconds * kLeastGain < lower()) add({.kind = kind, .seconds = seconds, .how = how});
    }

    void surplus() {
        const double extra = 1.0 - work_.flops_nominal.value / std::max(1.0, work_.total.ops.value);
        if (extra <= 0.0) return;
        char share[16];
        std::snprintf(share, sizeof share, "%.2g %%", 100.0 * extra);
        what_if(
            "surplus", without_surplus(work_),
            std::string(share) + " of the operations are beyond those of the problem (padding, ghost zones)");
    }

    bool has_parameter(std::string_view name) const { return context_.space->find(name) >= 0; }
    bool settled(std::string_view name) const {
        const auto in = [&](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        return in(out_.settled_by_measuring) || in(out_.settled_by_proof);
    }

    // Width and threads are exact where the space has them as parameters, so only the rest is left to say.
    void missed_conditions() {
        for (const Missing& m : ceilings_above(roofs_, binding(), traits_, found_.certificate.margin)) {
            if (settled(m.what) || (m.what != "streams" && has_parameter(m.what))) continue;
            const double slower = lower() * m.roof / m.rate;
            if (slower > kRefuted * time_) continue;  // this kernel does better than that ceiling
            const std::string from = std::to_string(m.own), to = std::to_string(m.best);
            // A kernel whose threads no parameter sets has to be written for several first.
            if (m.what == "threads" && context_.backend != Backend::cpu) continue;
            const std::string how =
                m.what == "threads"
                    ? format_plural(m.best, "thread") + " in place of " + from +
                          " (no parameter sets them: the source would have to share out its work, and to "
                          "declare a parameter `threads`)"
                    : std::string(m.what) + " from " + from + " to " + to;
            add({.kind = "ceiling",
                 .what = {std::string(m.what)},
                 .seconds = std::max(lower(), time_ * m.rate / m.roof),
                 .proven = false,
                 .how = how});
            if (m.what == "streams")
                estimate("streams", slower,
                         "the probe's own rate with " + from + (m.own == 1 ? " stream" : " streams") +
                             " a thread");
        }
    }

    void estimate(const std::string& kind, double seconds, const std::string& why) {
        if (seconds > kLeastGain * lower() && seconds < kRefuted * time_)
            out_.estimates.push_back({kind, seconds, why});
    }

    // What probably crosses the boundary behind each cache level, with the rate there.
    std::vector<TrafficEstimate> likely_traffic() const {
        std::vector<TrafficEstimate> all;
        const Topology& topology = found_.machine.topology;
        const std::vector<BandwidthStep>& steps = roofs_.bandwidth(traits_.threads);
        for (const CacheLevel& level : topology.caches) {
            const double size = (level.reported.value > 0.0 ? level.reported : level.probed).value;
            const int instances = std::max(1, topology.threads / std::max(1, level.shared_by));
            const CacheShape cache{.capacity = Bytes(size * std::clamp(traits_.threads, 1, instances))};
            const auto step = std::find_if(steps.begin(), steps.end(), [&](const BandwidthStep& s) {
                return s.from >= cache.capacity.value && s.both > 0.0;
            });
            if (size <= 0.0 || step == steps.end()) continue;
            TrafficEstimate here{
                .rate = step->both, .level = "L" + std::to_string(level.level), .cache = cache};
            here.parts = context_.model->traffic_parts(best_, cache);
            const Bytes bytes =
                here.parts.empty() ? work_.traffic.sum_beyond(cache.capacity) : total(here.parts);
            here.seconds = Seconds(bytes.value / step->both);
            all.push_back(std::move(here));
        }
        return all;
    }

    // Loads and transfers one after the other, arithmetic beside them. Rates are of all threads together, so
    // this is the time of all.
    void cache_memory_model(const std::vector<TrafficEstimate>& levels) {
        EcmInput input;
        for (const Term& term : found_.bound.terms) {
            if (term.demoted) continue;
            const Bottleneck b = bottleneck_of(term.kind);
            if (b == Bottleneck::loads) input.loads = std::max(input.loads, term.seconds.value);
            if (b == Bottleneck::arithmetic || b == Bottleneck::chain || b == Bottleneck::issue)
                input.overlapping = std::max(input.overlapping, term.seconds.value);
        }
        for (const TrafficEstimate& level : levels) input.transfers.push_back(level.seconds.value);
        if (!levels.empty())
            estimate("ecm", ecm_time(input),
                     "loads and transfers between cache levels one after the other (ECM)");
    }

    // Whether an alternative that was timed has less than half of this part: then the cure was tried.
    bool tried_without(TrafficCause cause, const TrafficEstimate& here, Bytes bytes) const {
        return std::any_of(tried_.begin(), tried_.end(), [&](const Variant& v) {
            Bytes there{0.0};
            for (const TrafficPart& part : context_.model->traffic_parts(v, here.cache)) {
                if (part.cause == cause) there += part.bytes;
            }
            return there.value < 0.5 * bytes.value;
        });
    }

    void traffic() {
        const std::vector<TrafficEstimate> levels = likely_traffic();
        cache_memory_model(levels);
        const auto longest = std::max_element(
            levels.begin(), levels.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
        if (longest == levels.end() || longest->parts.empty()) return;
        const TrafficEstimate& likely = *longest;
        estimate("traffic", likely.seconds.value,
                 "the traffic beyond " + likely.level + " that these loops probably cause");
        if (likely.seconds.value > kRefuted * time_) return;
        for (const TrafficPart& part : likely.parts) {
            if (part.cause == TrafficCause::compulsory || part.bytes.value <= 0.0) continue;
            if (tried_without(part.cause, likely, part.bytes)) continue;
            const double saved = part.bytes.value / likely.rate;
            add({.kind = "traffic",
                 .what = {std::string(to_text(part.cause))},
                 .seconds = std::max(lower(), time_ - saved),
                 .proven = false,
                 .how = part.cure});
        }
    }

    void estimates() {
        if (found_.roof_now > 0.0 && found_.roof_now < 1.0)
            estimate("now", lower() / found_.roof_now,
                     "the ceiling as it was probed next to the measurement, below its maximum");
        const double gathers = source_.gather_seconds(best_, traits_);
        if (gathers > 0.0)
            estimate("gathers", gathers,
                     "indexed loads, each at the rate of random ones as far apart as the uses of its line "
                     "(less with "
                     "neighbours numbered together, or with blocks)");
        for (const Term& term : found_.bound.terms) {
            if (term.demoted)
                estimate("demoted", term.seconds.value,
                         std::string(to_text(term.kind)) + ", no longer proven");
        }
        estimate("serial", found_.bound.seconds_serial.value,
                 "arithmetic and traffic one after the other, without overlap");
    }

    const ResultContext& context_;
    const SearchResult& found_;
    Roofs roofs_;
    BoundModel bound_;
    BoundSource source_;
    const Variant& best_;
    Work work_;
    Traits traits_;
    double time_;
    std::map<Variant, Outcome> outcomes_;
    std::vector<Variant> tried_;  ///< timed alternatives that differ in one parameter
    ExplanationReport out_;
};

}  // namespace

ExplanationReport explanation_of(const ResultContext& context, const SearchResult& found) {
    if (!found.best) return {};
    return Explainer(context, found).report();
}

}  // namespace rooftune
