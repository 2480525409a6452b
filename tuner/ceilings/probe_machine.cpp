#include "tuner/ceilings/probe_machine.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <optional>

#include "kernels/runtime/cpu.h"
#include "models/conditions.h"
#include "models/roofs.h"
#include "tuner/base/date.h"
#include "tuner/base/stopwatch.h"
#include "tuner/ceilings/capacities.h"
#include "tuner/ceilings/leaders.h"
#include "tuner/ceilings/plan_memory.h"
#include "tuner/ceilings/refine.h"
#include "tuner/ceilings/statistics.h"

namespace rooftune {

// A target with the windows seen in this run.
struct ProbePoint {
    probe::Target target;
    WindowLog log;
    int merged_windows = 0;
};

namespace {

using probe::Prober;
using probe::Target;
using probe::Window;

int widest(const std::vector<int>& widths) {
    return widths.empty() ? 0 : widths.back();
}

Ceiling ceiling_of(const ProbePoint& point, int fresh_windows) {
    const RateSummary s = point.log.summary();
    Ceiling c;
    c.resource = point.target.resource;
    c.when = point.target.when;
    c.max = s.max;
    c.p95 = s.p95;
    c.median = s.median;
    c.windows = fresh_windows;
    c.seen = utc_now();
    c.source = "probe";
    c.excludes = may_exclude(c.resource, c.when);
    return c;
}

// The same to be merged, with the undisturbed windows since the last time.
Ceiling evidence_of(ProbePoint& point, int fresh_windows) {
    Ceiling c = ceiling_of(point, fresh_windows);
    UndisturbedWindows undisturbed = point.log.take_undisturbed();
    c.undisturbed = undisturbed.count;
    c.top = std::move(undisturbed.top);
    return c;
}

struct Progress {
    double start = probe::now();
    double elapsed() const { return probe::now() - start; }
};

/// Until when windows may be taken again, or further ways tried.
struct Until {
    const Progress* progress = nullptr;
    double seconds = 0.0;
    bool in_time() const { return progress->elapsed() < seconds; }
};

// Both look: the threads' own clocks, and the kernel's count of what the hypervisor took, which those do not
// show on every system.
struct Taken {
    Window window;
    bool undisturbed = false;
};

Taken take(Prober& prober, const Target& target, int way, double seconds, double hint) {
    const double stolen = stolen_seconds();
    const Window window = prober.run(target, way, seconds, hint);
    return {window, probe::undisturbed(window) && stolen_seconds() <= stolen};
}

// One window of one way. It is taken again, a few times, while other processes disturb it: one slow
// window is harmless among many, but a ceiling may have no others yet. Not beyond the deadline: on a
// machine that is never quiet the first round must still end. Confirmed with twice the length
// when it is surprisingly fast against what `history` has of that way.
void take_window_of(Prober& prober, ProbePoint& point, int way, double hint, const Until& until,
                    const WindowLog& history) {
    constexpr int kTries = 4;
    const double seconds = probe::window_seconds(point.target.when.threads);
    Taken w = take(prober, point.target, way, seconds, hint);
    for (int tries = 1; tries < kTries && !w.undisturbed && until.in_time(); ++tries) {
        const Taken again = take(prober, point.target, way, seconds, w.window.rate);
        if (again.window.rate > w.window.rate) w = again;
    }
    if (w.window.rate <= 0.0) return;
    if (history.outlier(way, w.window.rate) && point.target.resource != Resource::window) {
        const Taken again = take(prober, point.target, way, 2.0 * w.window.seconds, w.window.rate);
        if (again.window.rate < 0.95 * w.window.rate) w = again;
    }
    point.log.add(way, w.window.rate, w.undisturbed);
}

// What has no footprint can still want more than a device has: 1024 items of a work-group with 64
// accumulators each. Then it is this way that is not for it, and its other ones are. False: it is refused.
bool take_window(Prober& prober, ProbePoint& point, int way, double hint, const Until& until,
                 const WindowLog& history) {
    const Resource resource = point.target.resource;
    try {
        take_window_of(prober, point, way, hint, until, history);
    } catch (const std::bad_alloc&) {
        if (resource != Resource::compute && resource != Resource::local) throw;
        point.log.refuse(way);
        return false;
    }
    return true;
}

using Group = std::vector<ProbePoint>;

Group points_of(const Prober& prober, const std::vector<Target>& targets) {
    Group group;
    for (const Target& target : targets) {
        const int ways = prober.ways(target);
        if (ways > 0) group.push_back({target, WindowLog(ways), 0});
    }
    return group;
}

// What only ranks needs no highest of many windows: after a few rounds the time is for what excludes. And
// where a machine is so slow that the first round outlasts its time, it is left for later.
constexpr int kRoundsThatRank = 3;

bool left_out(const Group& group, int round, bool late) {
    return (round >= kRoundsThatRank || late) &&
           std::none_of(group.begin(), group.end(),
                        [](const ProbePoint& p) { return may_exclude(p.target.resource, p.target.when); });
}

// After two windows of each it shows which points may be the highest of their kind.
constexpr int kRoundsForAll = 2;

std::vector<Ceiling> seen_so_far(const std::vector<Group>& groups) {
    std::vector<Ceiling> seen;
    for (const Group& group : groups) {
        for (const ProbePoint& point : group) {
            if (point.log.windows() > 0) seen.push_back(ceiling_of(point, point.log.windows()));
        }
    }
    return seen;
}

// Adds groups for the footprints between which the rates seen in this run fall: in front, so that a deadline
// does not leave them without a window.
void refine(std::vector<Group>& groups, const Prober& prober) {
    std::vector<Group> finer;
    for (const MissingFootprint& missing : footprints_between(seen_so_far(groups)))
        finer.push_back(points_of(prober, walk_group(missing.footprint, missing.threads)));
    groups.insert(groups.begin(), std::make_move_iterator(finer.begin()),
                  std::make_move_iterator(finer.end()));
}

// Share of a plan's time that is spent beyond it, at most, on what would make a roof and is not saturated
// yet.
constexpr double kToSaturate = 0.3;

ProbePoint* point_of(std::vector<Group>& groups, const Ceiling& ceiling) {
    for (Group& group : groups) {
        for (ProbePoint& point : group) {
            if (point.target == Target{ceiling.resource, ceiling.when}) return &point;
        }
    }
    return nullptr;
}

// Those that are not saturated: peaks first, then walks from the largest footprint down, on which cold bounds
// rest.
std::vector<int> unsaturated(const Machine& machine) {
    const Roofs roofs(machine);
    std::vector<int> walks = roofs.unsaturated_walks();
    std::stable_sort(walks.begin(), walks.end(), [&](int a, int b) {
        return machine.ceilings[static_cast<std::size_t>(a)].when.footprint >
               machine.ceilings[static_cast<std::size_t>(b)].when.footprint;
    });
    std::vector<int> all = roofs.unsaturated();
    all.insert(all.end(), walks.begin(), walks.end());
    return all;
}

// Windows for those until they are saturated or their time is over. A machine that is never quiet keeps them
// as they are: their roofs are those of one thread, times the threads.
void saturate(Machine& machine, Prober& prober, std::vector<Group>& groups, double seconds,
              const OnCeiling& on_ceiling) {
    const Progress progress;
    bool any = true;
    while (any && progress.elapsed() < seconds) {
        any = false;
        const Machine before = machine;
        for (const int index : unsaturated(before)) {
            const Ceiling& ceiling = before.ceilings[static_cast<std::size_t>(index)];
            ProbePoint* point = point_of(groups, ceiling);
            if (!point || progress.elapsed() >= seconds) continue;
            const int windows = point->log.windows();
            try {
                prober.warm(point->target);
                for (const int way : point->log.worthwhile())
                    take_window(prober, *point, way, point->log.best_of(way), {&progress, seconds},
                                point->log);
            } catch (const std::bad_alloc&) {
                continue;  // this footprint is too large by now
            }
            if (point->log.windows() == windows) continue;
            any = true;
            const Ceiling fresh = evidence_of(*point, point->log.windows() - windows);
            merge(machine, fresh);
            // This is the last part of all the time that was planned.
            const double left = std::max(0.0, seconds - progress.elapsed());
            const double all = seconds * (1.0 + 1.0 / kToSaturate);
            if (on_ceiling && !on_ceiling(fresh, 1.0 - left / all)) return;
        }
    }
}

}  // namespace

Machine new_machine() {
    Machine machine;
    machine.topology = read_topology();
    machine.id = fingerprint(machine.topology);
    machine.name = machine.topology.cpu.empty() ? machine.id : machine.topology.cpu;
    return machine;
}

int probe_machine(Machine& machine, Team& team, const ProbePlan& plan, const OnCeiling& on_ceiling) {
    Prober prober(team, widest(usable_widths()));
    const Progress progress;
    std::vector<Group> groups;
    std::size_t total = 0;
    for (const auto& targets : plan.groups) {
        groups.push_back(points_of(prober, targets));
        total += groups.back().size();
    }
    bool stopped = false, interrupted = false;
    std::size_t taken = 0;
    for (int round = 0; round < plan.rounds && !stopped; ++round) {
        if (round > 0 && round <= plan.refinements) refine(groups, prober);
        const Leaders leaders(round >= kRoundsForAll ? seen_so_far(groups) : std::vector<Ceiling>{});
        for (Group& group : groups) {
            const bool late = progress.elapsed() >= plan.deadline.value;
            if (group.empty() || left_out(group, round, late)) continue;
            if (round > 0 && late) {
                stopped = true;
                break;
            }
            try {
                prober.warm(group.front().target);
                // Rates of neighbours in a group are close enough to size the next window, those of
                // another mix less so.
                double hint = 0.0;
                Mix mix_before = Mix::none;
                for (ProbePoint& point : group) {
                    if (point.log.windows() >= kRoundsForAll &&
                        !leaders.worth_more(ceiling_of(point, point.log.windows()))) {
                        continue;
                    }
                    const double share = point.target.when.mix == mix_before ? 0.9 : 0.3;
                    mix_before = point.target.when.mix;
                    for (const int way : point.log.worthwhile()) {
                        const double known = point.log.best_of(way);
                        take_window(prober, point, way, known > 0.0 ? known : share * hint,
                                    {&progress, plan.deadline.value}, point.log);
                        hint = point.log.best_of(way);
                    }
                    if (point.log.windows() == point.merged_windows) continue;
                    const Ceiling fresh = evidence_of(point, point.log.windows() - point.merged_windows);
                    point.merged_windows = point.log.windows();
                    merge(machine, fresh);
                    ++taken;
                    if (!on_ceiling) continue;
                    const double by_round =
                        static_cast<double>(taken) / static_cast<double>(std::max<std::size_t>(1, total));
                    const double by_time =
                        progress.elapsed() / std::max(1e-3, (1.0 + kToSaturate) * plan.deadline.value);
                    if (!on_ceiling(fresh, std::min(1.0, round == 0 ? std::min(by_round, by_time) : by_time)))
                        stopped = interrupted = true;
                    if (stopped) break;
                }
            } catch (const std::bad_alloc&) {
                group.clear();  // this footprint is too large for here; the others stand
            }
            if (stopped) break;
        }
    }
    if (!interrupted) saturate(machine, prober, groups, kToSaturate * plan.deadline.value, on_ceiling);
    set_probed_caches(machine);
    return static_cast<int>(std::min(taken, total));
}

struct Reprober::State {
    explicit State(Team& t) : prober(t, widest(usable_widths())) {}
    Prober prober;
    // What each target's ways reached so far in this process, so that only good ones get windows.
    std::vector<ProbePoint> known;

    ProbePoint& point(const Target& target, int ways) {
        for (ProbePoint& p : known) {
            if (p.target == target) return p;
        }
        return known.emplace_back(ProbePoint{target, WindowLog(ways), 0});
    }
};

Reprober::Reprober(Team& team) : state_(std::make_unique<State>(team)) {}
Reprober::~Reprober() = default;
void Reprober::release() {
    state_->prober.release();
}

std::vector<Ceiling> Reprober::operator()(const std::vector<Ceiling>& ceilings, double seconds) {
    const Progress progress;
    const Until until{&progress, seconds};
    // A first window that somebody disturbed would rule its way out for good.
    constexpr double kFirstWindows = 20e-3;
    const Until first_windows{&progress, std::max(seconds, kFirstWindows)};
    std::vector<std::optional<ProbePoint>> fresh;
    for (const Ceiling& c : ceilings) {
        const Target target{c.resource, c.when};
        const int ways = state_->prober.ways(target);
        fresh.push_back(ways > 0 ? std::optional<ProbePoint>(ProbePoint{target, WindowLog(ways), 0})
                                 : std::nullopt);
    }
    for (bool first = true; first || until.in_time(); first = false) {
        bool any = false;
        for (std::optional<ProbePoint>& point : fresh) {
            if (!point || (!first && !until.in_time())) continue;
            try {
                state_->prober.warm(point->target);
                ProbePoint& known = state_->point(point->target, point->log.ways());
                bool took_known = false;
                for (const int way : known.log.worthwhile()) {
                    // Where time is over, ways that were never tried have a window, and one that was.
                    const bool is_known = known.log.windows_of(way) > 0;
                    if (is_known && took_known && !until.in_time()) break;
                    took_known = took_known || is_known;
                    if (!take_window(state_->prober, *point, way, known.log.best_of(way),
                                     is_known ? until : first_windows, known.log))
                        known.log.refuse(way);
                    if (point->log.best_of(way) > 0.0) known.log.add(way, point->log.best_of(way), false);
                }
                any = any || point->log.windows() > 0;
            } catch (const std::bad_alloc&) {
                point.reset();
            }
        }
        if (!any) break;
    }
    std::vector<Ceiling> result;
    for (std::size_t i = 0; i < ceilings.size(); ++i) {
        Ceiling c = ceilings[i];
        if (fresh[i]) {
            c = evidence_of(*fresh[i], fresh[i]->log.windows());
            c.excludes = ceilings[i].excludes;
        } else {
            c.max = c.p95 = c.median = 0.0;
            c.windows = 0;
        }
        result.push_back(c);
    }
    return result;
}

std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
    static std::map<Team*, std::unique_ptr<Reprober>> by_team;
    std::unique_ptr<Reprober>& reprober = by_team[&team];
    if (!reprober) reprober = std::make_unique<Reprober>(team);
    return (*reprober)(ceilings, seconds);
}

std::vector<Ceiling> reprobe(Machine& machine, Team& team, const std::vector<int>& ceilings, double seconds) {
    std::vector<Ceiling> wanted;
    for (const int index : ceilings) wanted.push_back(machine.ceilings.at(static_cast<std::size_t>(index)));
    std::vector<Ceiling> fresh = reprobe(wanted, team, seconds);
    for (const Ceiling& c : fresh) {
        if (c.windows > 0) merge(machine, c);
    }
    return fresh;
}

}  // namespace rooftune
