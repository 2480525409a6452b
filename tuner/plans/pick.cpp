#include "tuner/plans/pick.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/choose/closest_variant.h"
#include "tuner/choose/rule.h"
#include "tuner/plans/choice_inside.h"

namespace rooftune {
namespace {

class Picker {
public:
    Picker(const Tuned::Inside& tuned, const Family& family, const Problem& problem, int threads,
           const std::string& state, const std::vector<Difference>& differences)
        : tuned_(tuned),
          family_(family),
          problem_(problem),
          threads_(threads),
          state_(state),
          differences_(differences) {}

    Picked pick() {
        std::vector<const FromFile<TunedConfig>*> mine;
        for (const auto& config : tuned_.configs) {
            const TuneResult& r = config.what.result;
            if (r.family == family_.name() && r.backend == "cpu" && (is_this(r) || is_alike(r)))
                mine.push_back(&config);
        }
        // The most threads of those that there are.
        sort(mine, [](int a, int b) { return a > b; });
        for (const auto* config : mine) {
            if (auto picked = exactly(*config)) return std::move(*picked);
        }
        auto near = nearby();
        // A set may hold this very problem, too.
        if (near && near->choice.from == PlanChoice::From::tuned) return std::move(*near);
        for (const Difference& difference : differences_) {
            if (auto picked = but_for(difference)) return std::move(*picked);
        }
        if (near) return std::move(*near);
        // Of those that want more threads, the one that wants the least more.
        sort(mine, [](int a, int b) { return a < b; });
        for (const auto* config : mine) {
            if (auto picked = on_fewer_threads(*config)) return std::move(*picked);
        }
        return fallback();
    }

private:
    bool is_this(const TuneResult& r) const { return r.digest == problem_.digest(); }

    // Whether it takes the same time, though the answer is another.
    bool is_alike(const TuneResult& r) {
        if (r.pattern.empty() || r.dtype != to_text(problem_.dtype())) return false;
        if (!pattern_) pattern_ = problem_.pattern_digest();
        return r.pattern == *pattern_;
    }

    std::string tuned_for(const TuneResult& r) const {
        return is_this(r) ? "tuned for this problem" : "tuned for this pattern with other values";
    }

    // The right state first, then by threads, then this very problem, then the latest.
    template <typename Before>
    void sort(std::vector<const FromFile<TunedConfig>*>& configs, Before before) const {
        std::stable_sort(configs.begin(), configs.end(), [&](const auto* a, const auto* b) {
            const TuneResult &left = a->what.result, &right = b->what.result;
            const bool left_fits = left.state == state_, right_fits = right.state == state_;
            if (left_fits != right_fits) return left_fits;
            if (left.threads != right.threads) return before(left.threads, right.threads);
            return is_this(left) != is_this(right) ? is_this(left) : a->what.created > b->what.created;
        });
    }

    std::string state_note(const TuneResult& r) const {
        return r.state == state_ ? "" : ", for " + r.state + " caches";
    }

    Target target(int threads) const { return target_on(this_machine().topology, usable_widths(), threads); }

    // Only the first reason is told: the nearest to what the user hoped for.
    void object(std::string why) {
        if (objection_.empty()) objection_ = std::move(why);
    }

    Picked made(Target target, Space space, const Variant& variant, PlanChoice choice) const {
        const std::map<std::string, std::string> values = space.to_map(variant);
        choice.parameters = parameters_of(values);
        choice.variant = family_.phrase(values);
        if (choice.variant.empty()) choice.variant = space.to_text(variant);
        return {std::move(target), std::move(space), variant, std::move(choice)};
    }

    // Whether what was tuned for so many threads may run here.
    bool fits(int threads, const std::string& file) {
        if (threads <= threads_) return true;
        object(file + " was tuned for " + std::to_string(threads) + " threads and this plan has " +
               std::to_string(threads_));
        return false;
    }

    std::string build_note(const std::string& build) const {
        return build == kernels_build() ? "" : ", with another build of the kernels: tune again to be sure";
    }

    // The winner of a problem that differs so.
    std::optional<Picked> but_for(const Difference& difference) {
        std::vector<const FromFile<TunedConfig>*> others;
        for (const auto& config : tuned_.configs) {
            const TuneResult& r = config.what.result;
            if (r.family == family_.name() && r.backend == "cpu" && !difference(r).empty())
                others.push_back(&config);
        }
        sort(others, [](int a, int b) { return a > b; });
        for (const auto* config : others) {
            auto picked = exactly(*config, " " + difference(config->what.result));
            if (!picked) continue;
            picked->choice.from = PlanChoice::From::nearby;
            picked->choice.seconds_when_tuned = 0.0;
            return picked;
        }
        return std::nullopt;
    }

    // `difference`: in which way its problem is another, " with alpha 2"; empty where it is not.
    std::optional<Picked> exactly(const FromFile<TunedConfig>& config, const std::string& difference = "") {
        const TuneResult& r = config.what.result;
        if (!config.here) {
            object(config.file + " was " + tuned_elsewhere(r.machine_id, r.machine_name));
            return std::nullopt;
        }
        if (!fits(r.threads, config.file)) return std::nullopt;
        const Target t = target(r.threads);
        Space space = family_.space_around(problem_, t, r.best);
        std::string why_not;
        const std::optional<Variant> variant =
            space.version() == r.space_version ? space.from_map(r.best, why_not) : std::nullopt;
        if (!variant) {
            object(why_not.empty() ? config.file + " was tuned with another version of " + r.family
                                   : config.file + ": its winner does not exist here: " + why_not);
            return std::nullopt;
        }
        PlanChoice choice;
        choice.from = PlanChoice::From::tuned;
        choice.why = (difference.empty() ? tuned_for(r) : "tuned for this problem" + difference) + " on " +
                     config.what.created.substr(0, 10) + state_note(r) +
                     build_note(config.what.kernels_build);
        choice.file = config.file;
        choice.threads = r.threads;
        choice.seconds_when_tuned = r.seconds.median;
        return made(t, std::move(space), *variant, std::move(choice));
    }

    // The winner of this problem on more threads than there are: what it owes to the problem it keeps.
    std::optional<Picked> on_fewer_threads(const FromFile<TunedConfig>& config) const {
        const TuneResult& r = config.what.result;
        if (!config.here || r.threads <= threads_) return std::nullopt;
        const Target t = target(threads_);
        Space space = family_.space_around(problem_, t, r.best);
        if (space.version() != r.space_version) return std::nullopt;
        const std::optional<ClosestVariant> closest = closest_variant(space, r.best);
        if (!closest) return std::nullopt;
        PlanChoice choice;
        choice.from = PlanChoice::From::nearby;
        choice.why = tuned_for(r) + " on " + std::to_string(r.threads) + " threads" + state_note(r) +
                     "; on the " + std::to_string(threads_) + " of this plan it was not measured" +
                     build_note(config.what.kernels_build);
        choice.file = config.file;
        choice.threads = threads_;
        return made(t, std::move(space), closest->variant, std::move(choice));
    }

    std::optional<Picked> nearby() {
        std::optional<Picked> best;
        double least = 0.0;
        for (const auto& set : tuned_.sets) {
            for (const TunedGroup& group : set.what.groups) {
                if (group.family != family_.name() || group.dtype != to_text(problem_.dtype()) ||
                    group.backend != "cpu" || group.state != state_ || group.problems.empty())
                    continue;
                if (!set.here) {
                    object(set.file + " was " + tuned_elsewhere(set.what.machine_id, set.what.machine_name));
                    continue;
                }
                double distance = 0.0;
                auto found = by_rule(set, group, distance);
                if (!found) continue;
                // Sets of the same problems on several numbers of threads are as near: the most threads.
                const bool is_better = !best || distance < least ||
                                       (distance == least && found->choice.threads > best->choice.threads);
                if (!is_better) continue;
                best = std::move(found);
                least = distance;
            }
        }
        return best;
    }

    std::optional<Picked> by_rule(const FromFile<TunedSet>& set, const TunedGroup& group, double& distance) {
        if (!fits(group.threads, set.file)) return std::nullopt;
        const Target t = target(group.threads);
        Space space = family_.space(problem_, t);
        std::vector<std::string> names;
        std::vector<double> features;
        for (const auto& [name, value] : problem_.features()) {
            names.push_back(name);
            features.push_back(value);
        }
        if (names != group.features || space.version() != group.space_version) {
            object(set.file + " was tuned with another version of " + group.family);
            return std::nullopt;
        }
        const RuleChoice rule = choose(group, features, space);
        const TunedProblem& nearest = group.problems[rule.nearest];
        distance = rule.distance;
        if (!rule.from) {
            object(rule.distance > group.reach
                       ? "of " + set.file + " nothing is near: " + nearest.title + " is the nearest"
                       : "no variant like that of " + nearest.title + " exists for this problem");
            return std::nullopt;
        }
        PlanChoice choice;
        const bool same = nearest.digest == problem_.digest();
        choice.from = same ? PlanChoice::From::tuned : PlanChoice::From::nearby;
        choice.why =
            (same ? "tuned for this problem" : "the winner of " + nearest.title + ", which is near") +
            (rule.variant->changed == 0 ? "" : ", changed to fit") + build_note(set.what.kernels_build);
        choice.file = set.file;
        choice.threads = group.threads;
        if (same) choice.seconds_when_tuned = nearest.seconds.median;
        return made(t, std::move(space), rule.variant->variant, std::move(choice));
    }

    Picked fallback() {
        const Target t = target(threads_);
        Space space = family_.space_around(problem_, t, {});
        const Variant variant = family_.default_variant(problem_, space, t);
        PlanChoice choice;
        if (objection_.empty()) {
            objection_ = tuned_.folder.empty()
                             ? "no folder of tuned configs was named"
                             : "nothing in " + tuned_.folder + " is for a problem like this";
        }
        choice.why = objection_ + "; the default variant, unmeasured";
        choice.threads = threads_;
        return made(t, std::move(space), variant, std::move(choice));
    }

    const Tuned::Inside& tuned_;
    const Family& family_;
    const Problem& problem_;
    int threads_;
    const std::string& state_;
    const std::vector<Difference>& differences_;
    std::string objection_;
    std::optional<std::string> pattern_;  ///< of the problem, once it was asked for
};

}  // namespace

Picked pick(const Tuned::Inside& tuned, const Family& family, const Problem& problem, int threads,
            const std::string& state, const std::vector<Difference>& differences) {
    if (state != "warm" && state != "cold")
        throw InputError("plans: the state '" + state + "' is neither warm nor cold; give one of them");
    return Picker(tuned, family, problem, threads, state, differences).pick();
}

}  // namespace rooftune
