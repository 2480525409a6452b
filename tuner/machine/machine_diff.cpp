#include "tuner/machine/machine_diff.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "models/vocabulary.h"
#include "tuner/base/hypervisor_name.h"
#include "tuner/ceilings/best_rates.h"
#include "tuner/ceilings/regions.h"
#include "tuner/machine/summary_cells.h"

namespace rooftune {
namespace {

// What is compared: a name, and the ceiling that stands for it on each machine.
struct Figure {
    std::string group, name;
    double rate = 0.0;  ///< as seen
    double margin = 0.0;
    std::string unit;
    double at_most = 0.0;  ///< what bounds take it for; 0 where nothing says
    bool proven = true;
};

using Key = std::pair<std::string, std::string>;  // group and name
using Wanted = std::function<bool(const Ceiling&)>;

const std::vector<std::string>& groups() {
    static const std::vector<std::string> names{"peak",    "other operations", "ridge point", "bandwidth",
                                                "latency", "gather",           "strided",     "link",
                                                "core"};
    return names;
}

int most_threads(const Machine& machine, Resource resource) {
    int most = 0;
    for (const Ceiling& c : machine.ceilings) {
        // A rate without a thread count is the whole machine's.
        if (c.resource == resource && c.when.threads == 0) return 0;
        if (c.resource == resource) most = std::max(most, c.when.threads);
    }
    return most;
}

bool usual(const Conditions& w) {
    return !w.shared && !w.remote && !w.sparse;
}

class Figures {
public:
    explicit Figures(const Machine& machine) : machine_(machine_of(machine, "")), roofs_(machine_) {
        // A rate of a preset's memory has no footprint: it lies beyond any cache.
        regions_ = regions_of(machine_.topology);
        peaks();
        streams();
        accesses();
        ridges();
        links();
        core();
    }

    const std::vector<Figure>& all() const { return all_; }

private:
    std::optional<Ceiling> best_of(const Wanted& wanted) const {
        std::optional<Ceiling> found;
        for (const Ceiling& c : machine_.ceilings) {
            if (wanted(c) && c.max > 0.0 && (!found || c.max > found->max)) found = c;
        }
        return found;
    }

    // The best at the largest footprint inside the level, of which so many threads have a share.
    std::optional<Ceiling> deepest_of(const std::string& level, int share, const Wanted& wanted) const {
        std::optional<Ceiling> found;
        const std::optional<Region> region = region_named(machine_.topology, level, share);
        if (!region) return found;
        const bool last = std::isinf(region->to.value);
        for (const Ceiling& c : machine_.ceilings) {
            const double w = c.when.footprint.value;
            const bool inside = region->holds(c.when.footprint, 1.3) || (last && w == 0.0);
            if (!wanted(c) || c.max <= 0.0 || !inside) continue;
            const double deepest = found ? found->when.footprint.value : -1.0;
            if (w > deepest || (w == deepest && c.max > found->max)) found = c;
        }
        return found;
    }

    std::optional<Ceiling> add(const std::string& group, const std::string& name,
                               const std::optional<Ceiling>& c) {
        if (c)
            all_.push_back(
                {group, name, c->max, c->margin(), std::string(unit_of(*c)), 0.0, c->undisturbed != 0});
        return c;
    }

    // What bounds take a figure for that is there, and whether it was reached.
    void replace(const std::string& group, const std::string& name, const BestRate& best) {
        for (Figure& f : all_) {
            if (f.group != group || f.name != name || best.seen <= 0.0) continue;
            f.rate = best.seen;
            f.margin = best.margin;
            f.at_most = best.at_most;
            f.proven = best.proven;
        }
    }

    static std::string kind_of(const Ceiling& c) {
        switch (c.when.mix) {
            case Mix::div:
            case Mix::sqrt:
                return std::string(to_text(c.when.mix)) + " " + std::string(to_text(c.when.dtype));
            default:
                return std::string(to_text(c.when.dtype)) + (c.when.sparse ? " with sparsity" : "");
        }
    }

    void peaks() {
        const int most = most_threads(machine_, Resource::compute);
        std::set<std::pair<bool, std::string>> kinds;  // others than peaks last
        for (const Ceiling& c : machine_.ceilings) {
            const bool other = c.when.mix == Mix::div || c.when.mix == Mix::sqrt;
            if (c.resource == Resource::compute) kinds.insert({other, kind_of(c)});
        }
        for (const auto& [other, kind] : kinds) {
            const auto of = [this, wanted = kind](int threads) {
                return best_of([&](const Ceiling& c) {
                    return c.resource == Resource::compute && kind_of(c) == wanted &&
                           c.when.threads == threads;
                });
            };
            const std::string group = other ? "other operations" : "peak";
            add(group, kind + ", all threads", of(most));
            if (most > 1) add(group, kind + ", 1 thread", of(1));
            const auto dtype = dtype_from(kind);
            if (other || !dtype) continue;
            replace(group, kind + ", all threads",
                    peak_of(machine_, roofs_, *dtype, kAnyWidth, all_threads(machine_)));
            replace(group, kind + ", 1 thread", peak_of(machine_, roofs_, *dtype, kAnyWidth, 1));
        }
    }

    void streams() {
        const int most = most_threads(machine_, Resource::bandwidth);
        const auto by_level = [&](const std::string& name, int threads, auto mix_wanted) {
            for (const Region& region : regions_) {
                add("bandwidth",
                    name + " " + region.name + (threads == 1 && most != 1 ? ", 1 thread" : ", all threads"),
                    deepest_of(region.name, std::max(1, threads), [&](const Ceiling& c) {
                        return c.resource == Resource::bandwidth && usual(c.when) &&
                               c.when.threads == threads && mix_wanted(c.when.mix);
                    }));
            }
        };
        const auto any = [](Mix) { return true; };
        by_level("any mix,", most, any);
        replace("bandwidth", "any mix, memory, all threads",
                memory_bandwidth_of(machine_, roofs_, all_threads(machine_)));
        for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy})
            by_level(std::string(to_text(mix)) + ",", most, [mix](Mix m) { return m == mix; });
        if (most > 1) by_level("load,", 1, [](Mix m) { return m == Mix::load; });
    }

    void accesses() {
        for (const bool huge : {true, false}) {
            for (const Region& region : regions_) {
                add("latency", region.name + (huge ? ", huge pages" : ", 4 KiB pages"),
                    deepest_of(region.name, 1, [&](const Ceiling& c) {
                        return c.resource == Resource::latency && usual(c.when) && c.when.huge_pages == huge;
                    }));
            }
        }
        const int gathering = most_threads(machine_, Resource::gather);
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const Region& region : regions_) {
                add("gather", std::string(to_text(dtype)) + " from " + region.name + ", all threads",
                    deepest_of(region.name, 1, [&](const Ceiling& c) {
                        return c.resource == Resource::gather && c.when.dtype == dtype &&
                               c.when.threads == gathering;
                    }));
            }
        }
        const int striding = most_threads(machine_, Resource::strided);
        std::set<double> strides;
        for (const Ceiling& c : machine_.ceilings) {
            if (c.resource == Resource::strided) strides.insert(c.when.stride.value);
        }
        for (const double stride : strides) {
            for (const Region& region : regions_) {
                add("strided", "every " + size_text(Bytes(stride)) + ", " + region.name + ", all threads",
                    deepest_of(region.name, std::max(1, striding), [&](const Ceiling& c) {
                        return c.resource == Resource::strided && c.when.stride.value == stride &&
                               c.when.threads == striding;
                    }));
            }
        }
    }

    // From the figures, so that both machines' are made alike: peak of a type over the memory's bandwidth.
    void ridges() {
        const auto memory = std::find_if(all_.begin(), all_.end(), [](const Figure& f) {
            return f.group == "bandwidth" && f.name == "any mix, memory, all threads";
        });
        if (memory == all_.end()) return;
        const auto rate_of = [](const Figure& f) { return BestRate{f.rate, f.at_most, f.margin, f.proven}; };
        const Figure beta = *memory;
        std::vector<Figure> ridges;
        for (const Figure& f : all_) {
            const std::size_t end = f.name.find(", all threads");
            if (f.group != "peak" || end == std::string::npos) continue;
            const BestRate ridge = ridge_of(rate_of(f), rate_of(beta));
            ridges.push_back({"ridge point", f.name.substr(0, end), ridge.seen, ridge.margin,
                              f.unit == "op/s" ? "op/byte" : "flop/byte", ridge.at_most, ridge.proven});
        }
        all_.insert(all_.end(), ridges.begin(), ridges.end());
    }

    void links() {
        std::set<std::string> names;
        for (const Ceiling& c : machine_.ceilings) {
            if (c.resource == Resource::link) names.insert(c.when.unit);
        }
        for (const std::string& name : names) {
            add("link", name.empty() ? "link" : name, best_of([&](const Ceiling& c) {
                    return c.resource == Resource::link && c.when.unit == name;
                }));
        }
    }

    void core() {
        const auto of = [this](Resource resource, Mix mix) {
            return best_of([=](const Ceiling& c) {
                return c.resource == resource && (c.when.mix == mix || mix == Mix::none);
            });
        };
        add("core", "clock", of(Resource::clock, Mix::none));
        add("core", "issue, any instruction", of(Resource::issue, Mix::mixed));
        add("core", "issue, loads", of(Resource::issue, Mix::loads));
        for (const int width : {128, 256, 512}) {
            for (const Mix mix : {Mix::loads, Mix::split_loads}) {
                const std::string which = mix == Mix::loads ? "" : " across two lines";
                add("core", fmt::format("issue, loads of {} bits{}", width, which),
                    best_of([=](const Ceiling& c) {
                        return c.resource == Resource::issue && c.when.mix == mix &&
                               c.when.width_bits == width;
                    }));
            }
        }
        add("core", "issue, elements of gathers", of(Resource::issue, Mix::gathers));
        add("core", "issue, floating point", of(Resource::issue, Mix::fmas));
        add("core", "reorder window", of(Resource::window, Mix::none));
    }

    Machine machine_;
    Roofs roofs_;
    std::vector<Region> regions_;
    std::vector<Figure> all_;
};

std::string caches_text(const CacheLevel* cache) {
    if (cache == nullptr) return "none known";
    std::string text = size_text(cache->reported);
    if (cache->probed.value > 0.0) text += ", " + size_text(cache->probed) + " probed";
    if (cache->shared_by > 1) text += ", shared by " + std::to_string(cache->shared_by);
    return text;
}

std::vector<TopologyDifference> topology_differences(const Topology& a, const Topology& b) {
    std::vector<TopologyDifference> differences;
    const auto compare = [&](const std::string& what, const std::string& in_a, const std::string& in_b) {
        if (in_a != in_b) differences.push_back({what, in_a, in_b});
    };
    const auto or_unknown = [](const std::string& text) { return text.empty() ? "not stated" : text; };
    const auto model = [&](const Topology& t) {
        return t.family == 0 ? std::string("not stated")
                             : fmt::format("{}-{}-{}", t.family, t.model, t.stepping);
    };
    const auto widths = [](const Topology& t) {
        std::string text;
        for (const int width : t.width_bits) text += (text.empty() ? "" : ", ") + std::to_string(width);
        return text.empty() ? std::string("not stated") : text + " bit";
    };
    compare("processor", or_unknown(a.cpu), or_unknown(b.cpu));
    compare("vendor", or_unknown(a.vendor), or_unknown(b.vendor));
    compare("family, model, stepping", model(a), model(b));
    compare("cores", std::to_string(a.cores), std::to_string(b.cores));
    // What was published of a processor seldom says these: one is then no figure.
    const auto units = [](const Topology& t, int count) {
        return count == 1 && !t.source.empty() ? std::string("not stated") : std::to_string(count);
    };
    compare("processing units", units(a, a.threads), units(b, b.threads));
    compare("NUMA nodes", units(a, a.numa_nodes), units(b, b.numa_nodes));
    const auto memory = [](const Topology& t) {
        return t.memory.value > 0.0 ? size_text(t.memory) : std::string("not stated");
    };
    compare("memory", memory(a), memory(b));
    compare("hypervisor", a.hypervisor.empty() ? "none" : hypervisor_name(a.hypervisor),
            b.hypervisor.empty() ? "none" : hypervisor_name(b.hypervisor));
    compare("vectors", widths(a), widths(b));
    std::map<int, std::pair<const CacheLevel*, const CacheLevel*>> caches;
    for (const CacheLevel& c : a.caches) caches[c.level].first = &c;
    for (const CacheLevel& c : b.caches) caches[c.level].second = &c;
    for (const auto& [level, pair] : caches)
        compare("L" + std::to_string(level), caches_text(pair.first), caches_text(pair.second));
    return differences;
}

}  // namespace

bool RatePair::beyond_margins() const {
    if (!judged()) return false;
    if (a <= 0.0 || b <= 0.0) return a != b;
    return std::max(a / b, b / a) > 1.0 + std::max(margin_a, margin_b);
}

bool MachineDiff::no_difference() const {
    return topology.empty() && only_a.empty() && only_b.empty() &&
           std::none_of(rates.begin(), rates.end(), [](const RatePair& r) { return r.beyond_margins(); });
}

MachineDiff machine_diff(const Machine& a, const Machine& b) {
    MachineDiff diff;
    diff.name_a = a.name.empty() ? a.id : a.name;
    diff.name_b = b.name.empty() ? b.id : b.name;
    diff.identical = a == b;
    diff.topology = topology_differences(a.topology, b.topology);
    const Figures in_a(a);
    const Figures in_b(b);
    std::map<Key, const Figure*> of_b;
    for (const Figure& f : in_b.all()) of_b[{f.group, f.name}] = &f;
    std::set<Key> of_a;
    for (const std::string& group : groups()) {
        for (const Figure& f : in_a.all()) {
            if (f.group != group) continue;
            of_a.insert({f.group, f.name});
            const auto other = of_b.find({f.group, f.name});
            if (other == of_b.end()) {
                diff.only_a.push_back(f.group + ": " + f.name);
            } else {
                const Figure& its = *other->second;
                diff.rates.push_back({f.group, f.name, f.unit, f.rate, its.rate, f.margin, its.margin,
                                      f.at_most, its.at_most, f.proven, its.proven});
            }
        }
        for (const Figure& f : in_b.all()) {
            if (f.group == group && !of_a.contains({f.group, f.name}))
                diff.only_b.push_back(f.group + ": " + f.name);
        }
    }
    return diff;
}

}  // namespace rooftune
