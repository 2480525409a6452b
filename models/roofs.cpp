#include "models/roofs.h"

#include <algorithm>
#include <map>
#include <optional>

#include "models/copy_rate.h"

namespace rooftune {
namespace {

// Distinct values of a field of the conditions among the ceilings wanted, ascending.
template <typename Wanted, typename Field>
std::vector<int> distinct(const Machine& machine, Wanted&& wanted, Field&& field) {
    std::vector<int> values;
    for (const Ceiling& c : machine.ceilings) {
        if (wanted(c)) values.push_back(field(c.when));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

// A ceiling that only ranks must not decide how roofs are tabled.
auto excluding(Resource resource) {
    return [resource](const Ceiling& c) { return c.resource == resource && c.excludes; };
}
auto any(Resource resource) {
    return [resource](const Ceiling& c) { return c.resource == resource; };
}

int dtype_index(const Conditions& w) {
    return static_cast<int>(w.dtype);
}
int width_of(const Conditions& w) {
    return w.width_bits;
}

std::vector<int> rising_widths(const Machine& machine) {
    return distinct(machine, excluding(Resource::compute), width_of);
}

// Of the width itself, and where that has no evidence of the next narrower one that has some.
Roof of_width(const std::vector<std::pair<int, Roof>>& roofs, int width_bits) {
    Roof narrower;
    for (const auto& [width, roof] : roofs) {
        if (width <= width_bits && roof) narrower = roof;
    }
    return narrower;
}

}  // namespace

Roofs::Roofs(const Machine& machine) : machine_(&machine) {
    for (const int threads : distinct(machine, excluding(Resource::bandwidth), threads_of)) {
        const bool first = bandwidth_.empty() || bandwidth_.front().first != 1;
        bandwidth_.emplace_back(
            threads,
            staircase(machine, threads, first ? std::vector<BandwidthStep>{} : bandwidth_.front().second,
                      unsaturated_walks_));
        add_copy_rates(machine, threads, bandwidth_.back().second);
    }
    std::sort(unsaturated_walks_.begin(), unsaturated_walks_.end());
    unsaturated_walks_.erase(std::unique(unsaturated_walks_.begin(), unsaturated_walks_.end()),
                             unsaturated_walks_.end());
    for (const int threads : distinct(machine, any(Resource::joint), threads_of))
        joint_.emplace_back(threads, joint_rates(machine, threads));
    table_peaks();
    wide_loads_ = roofs_by_width(Mix::loads);
    split_loads_ = roofs_by_width(Mix::split_loads);
    table_chains();
    table_ranks();
    const auto as_it_is = [](const Ceiling& c) { return c.max; };
    for (const Mix kind : {Mix::loads, Mix::gathers, Mix::fmas, Mix::mixed}) {
        // Any instruction takes an issue slot, so every measured mix is a lower limit of `mixed`; but of
        // gathers the elements are counted.
        const auto fits = [&](const Ceiling& c) {
            return c.resource == Resource::issue && c.excludes &&
                   (c.when.mix == kind || (kind == Mix::mixed && c.when.mix != Mix::gathers));
        };
        issue_.emplace_back(kind, evident(fits, as_it_is));
    }
    window_ = evident(excluding(Resource::window), as_it_is);
    link_ = evident(excluding(Resource::link), as_it_is);
    std::sort(unsaturated_.begin(), unsaturated_.end());
    unsaturated_.erase(std::unique(unsaturated_.begin(), unsaturated_.end()), unsaturated_.end());
}

// The highest of one thread. It makes a roof under the same conditions as that of several (peak): it is
// saturated, and each other one was seen undisturbed at least once.
template <typename Fits, typename Rate>
Roof Roofs::evident(const Fits& fits, const Rate& rate) {
    Roof roof;
    bool seen = true;
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
        if (!fits(c)) continue;
        keep_higher(roof.rate, roof.ceiling, rate(c), i);
        if (c.undisturbed != 0) continue;
        seen = false;
        unsaturated_.push_back(i);
    }
    if (roof && !machine_->ceilings[static_cast<std::size_t>(roof.ceiling)].saturated()) {
        seen = false;
        unsaturated_.push_back(roof.ceiling);
    }
    return seen ? roof : Roof{};
}

// The highest rate of `threads` threads among the ceilings that fit. It makes a roof where it is saturated
// and each other one of so many threads that could be higher was seen undisturbed at least once: of what
// somebody halved each time nobody knows that it is lower.
template <typename Fits, typename Makes>
Roof Roofs::peak(int threads, const Fits& fits, const Makes& makes) {
    Roof roof, own;
    bool seen = true;
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
        if (!fits(c)) continue;
        keep_higher(roof.rate, roof.ceiling, share_of(c.when, threads) * c.max, i);
        if (threads_of(c.when) != threads) continue;
        keep_higher(own.rate, own.ceiling, c.max, i);
        if (c.undisturbed != 0 || !makes(c)) continue;
        seen = false;
        unsaturated_.push_back(i);
    }
    if (own && !machine_->ceilings[static_cast<std::size_t>(own.ceiling)].saturated()) {
        seen = false;
        unsaturated_.push_back(own.ceiling);
    }
    if (seen) return roof;
    if (threads <= 1 || threads == kWholeMachine || answering_count(*machine_, 1, makes) != 1) return {};
    Roof one = peak(1, fits, makes);
    if (!one) return {};
    one.rate *= threads;
    return one.rate > roof.rate ? one : roof;
}

template <typename Fits>
int Roofs::widest_of(const Fits& fits) const {
    int widest = -1;
    for (const Ceiling& c : machine_->ceilings) {
        if (fits(c)) widest = std::max(widest, c.when.width_bits);
    }
    return widest;
}

template <typename Fits>
Roof Roofs::peak_of(int threads, const Fits& fits) {
    const int widest = widest_of(fits);
    // Divisions and roots raise a roof, they do not make one: other operations are faster.
    const auto makes = [&](const Ceiling& c) {
        return fits(c) && c.when.width_bits == widest && c.when.mix != Mix::div && c.when.mix != Mix::sqrt;
    };
    const auto count = answering_count(*machine_, threads, makes);
    return count ? peak(*count, fits, makes) : Roof{};
}

void Roofs::table_peaks() {
    const std::vector<int> counts = distinct(*machine_, excluding(Resource::compute), threads_of);
    for (const int type : distinct(*machine_, excluding(Resource::compute), dtype_index)) {
        const auto dtype = static_cast<DType>(type);
        for (const int width : rising_widths(*machine_)) {
            const auto fits = [&](const Ceiling& c) {
                return c.resource == Resource::compute && c.excludes && c.when.dtype == dtype &&
                       c.when.width_bits <= width;
            };
            // Where the widest vectors were probed with other operations alone, narrower ones of this mix
            // bound nothing.
            const int widest = widest_of(fits);
            if (widest < width) continue;  // probed so wide with other types alone
            const auto alone = [&](Mix mix, int threads) {
                const auto only = [&](const Ceiling& c) { return fits(c) && c.when.mix == mix; };
                return widest_of(only) == widest ? peak_of(threads, only) : Roof{};
            };
            for (const int threads : counts) {
                peaks_.push_back({dtype, width, threads, peak_of(threads, fits), alone(Mix::fma, threads),
                                  alone(Mix::add, threads)});
            }
        }
    }
    take_wider_peaks();
    find_known_widths();
}

// A roof of wider vectors is the highest rate of narrower ones, too, where each of these was seen
// undisturbed: it bounds them as it bounds a variant whose width is open. They need it where their own
// windows do not agree yet. A scalar variant without a roof of its own once left a factor of 70 open beside a
// winner at 56 % of the peak. So do additions alone and fused multiply-adds alone, each by its own.
void Roofs::take_wider_peaks() {
    const auto is_of = [](const Ceiling& c, DType dtype, std::optional<Mix> mix) {
        return c.resource == Resource::compute && c.excludes && c.when.dtype == dtype &&
               (!mix || c.when.mix == *mix);
    };
    const auto borrow = [&](Roof Peak::*roof, std::optional<Mix> mix) {
        for (Peak& peak : peaks_) {
            if (peak.*roof) continue;
            const Peak* nearest = nullptr;
            for (const Peak& other : peaks_) {
                const bool wider = other.dtype == peak.dtype && other.threads == peak.threads &&
                                   other.width_bits > peak.width_bits && other.*roof;
                if (wider && (!nearest || other.width_bits < nearest->width_bits)) nearest = &other;
            }
            if (!nearest) continue;
            const auto unseen = [&](const Ceiling& c) {
                return is_of(c, peak.dtype, mix) && c.when.width_bits <= nearest->width_bits &&
                       c.undisturbed == 0;
            };
            // Of what was never probed so narrow on so many threads nothing is said.
            const auto own = [&](const Ceiling& c) {
                return is_of(c, peak.dtype, mix) && c.when.width_bits == peak.width_bits &&
                       threads_of(c.when) >= peak.threads;
            };
            const std::vector<Ceiling>& all = machine_->ceilings;
            if (std::any_of(all.begin(), all.end(), own) && std::none_of(all.begin(), all.end(), unseen))
                peak.*roof = nearest->*roof;
        }
    };
    borrow(&Peak::roof, std::nullopt);
    borrow(&Peak::fused, Mix::fma);
    borrow(&Peak::added, Mix::add);
}

// A problem's roof was once at 3.6 times the winner's rate by vectors of 512 bits, while those of 256, of
// which no undisturbed window was known, left 5.3 open: the bound of a variant whose width is open was above
// one of its completions'.
void Roofs::find_known_widths() {
    const auto is_probed = [&](const Peak& peak) {
        const std::vector<Ceiling>& all = machine_->ceilings;
        return std::any_of(all.begin(), all.end(), [&](const Ceiling& c) {
            return c.resource == Resource::compute && c.excludes && c.when.dtype == peak.dtype &&
                   c.when.width_bits == peak.width_bits && threads_of(c.when) >= peak.threads;
        });
    };
    const auto find = [&](Roof Peak::*roof, int Peak::*from) {
        for (Peak& peak : peaks_) {
            for (const Peak& other : peaks_) {
                const bool narrower = other.dtype == peak.dtype && other.threads == peak.threads &&
                                      other.width_bits < peak.width_bits;
                if (narrower && !(other.*roof) && is_probed(other))
                    peak.*from = std::max(peak.*from, other.width_bits + 1);
            }
        }
    };
    find(&Peak::roof, &Peak::roof_from);
    find(&Peak::fused, &Peak::fused_from);
    find(&Peak::added, &Peak::added_from);
}

// Of the width itself there is evidence; that wider ones are faster happens by noise only.
std::vector<std::pair<int, Roof>> Roofs::roofs_by_width(Mix loads) {
    std::vector<std::pair<int, Roof>> roofs;
    const auto fits = [&](const Ceiling& c) {
        return c.resource == Resource::issue && c.excludes && c.when.mix == loads && c.when.width_bits > 0;
    };
    for (const int width : distinct(*machine_, fits, width_of)) {
        Roof roof;
        bool known = false;
        for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
            const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
            if (!fits(c) || c.when.width_bits < width) continue;
            keep_higher(roof.rate, roof.ceiling, c.max, i);
            if (c.when.width_bits > width) continue;
            known = known || c.saturated();
            if (!c.saturated()) unsaturated_.push_back(i);
        }
        roofs.emplace_back(width, known ? roof : Roof{});
    }
    return roofs;
}

void Roofs::table_chains() {
    const auto steps = [](const Ceiling& c) {
        const double lanes = c.when.width_bits / (8.0 * static_cast<double>(size_of(c.when.dtype)));
        return c.max / (lanes * (c.when.mix == Mix::fma ? 2.0 : 1.0));
    };
    for (const DType dtype : {DType::f32, DType::f64}) {
        for (const int width : rising_widths(*machine_)) {
            const auto fits = [&](const Ceiling& c) {
                return c.resource == Resource::compute && c.excludes && c.when.dtype == dtype &&
                       c.when.chains == 1 && c.when.threads == 1 && c.when.width_bits <= width &&
                       (c.when.mix == Mix::fma || c.when.mix == Mix::add || c.when.mix == Mix::mul);
            };
            const auto fused = [&](const Ceiling& c) { return fits(c) && c.when.mix == Mix::fma; };
            if (widest_of(fits) < width) continue;
            chains_.push_back({dtype, width, evident(fits, steps),
                               widest_of(fused) == width ? evident(fused, steps) : Roof{}});
        }
    }
}

void Roofs::table_ranks() {
    const auto stairs = [&](Resource resource, int threads, auto&& wanted) {
        std::map<double, Roof> best;
        for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
            const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
            if (c.resource != resource || c.when.threads > threads || !wanted(c.when)) continue;
            Roof& roof = best[c.when.footprint.value];
            keep_higher(roof.rate, roof.ceiling, c.max, i);
        }
        std::vector<RankStep> steps;
        for (const auto& [from, roof] : best) steps.push_back({from, roof});
        for (int i = static_cast<int>(steps.size()) - 2; i >= 0; --i) {
            const auto here = static_cast<std::size_t>(i);
            keep_higher(steps[here].roof.rate, steps[here].roof.ceiling, steps[here + 1].roof.rate,
                        steps[here + 1].roof.ceiling);
        }
        return steps;
    };
    for (const int threads : distinct(*machine_, any(Resource::gather), threads_of)) {
        for (const DType dtype : {DType::f32, DType::f64}) {
            gathers_.push_back(
                {static_cast<int>(dtype), threads,
                 stairs(Resource::gather, threads, [&](const Conditions& w) { return w.dtype == dtype; })});
        }
    }
}

// The thread count asked for, or the next larger one that was probed; of the width itself. What was not
// measured must not be bounded by what fewer threads or other vectors reached: wider ones may cost clock or
// steps. Published rates may hold for any width.
const Roofs::Peak* Roofs::peak_at(DType dtype, int width_bits, int threads) const {
    const Peak* found = nullptr;
    for (const Peak& peak : peaks_) {
        if (peak.dtype != dtype || peak.threads < threads) continue;
        if (peak.width_bits == width_bits || peak.width_bits == 0) return &peak;
        if (width_bits == kAnyWidth && (!found || peak.width_bits > found->width_bits)) found = &peak;
    }
    return found;
}

namespace {

// Whether all widths from the narrowest that code may have are known, which they are from `from` on.
bool knows(int from, int narrowest_bits) {
    return narrowest_bits == 0 || narrowest_bits >= from;
}

}  // namespace

Roof Roofs::compute(DType dtype, int width_bits, int threads, int narrowest_bits) const {
    const Peak* peak = peak_at(dtype, width_bits, threads);
    return peak && knows(peak->roof_from, narrowest_bits) ? peak->roof : Roof{};
}

Roof Roofs::fused(DType dtype, int width_bits, int threads, int narrowest_bits) const {
    const Peak* peak = peak_at(dtype, width_bits, threads);
    return peak && knows(peak->fused_from, narrowest_bits) ? peak->fused : Roof{};
}

Roof Roofs::added(DType dtype, int width_bits, int threads, int narrowest_bits) const {
    const Peak* peak = peak_at(dtype, width_bits, threads);
    return peak && knows(peak->added_from, narrowest_bits) ? peak->added : Roof{};
}

Roof Roofs::issue(Mix kind) const {
    for (const auto& [mix, roof] : issue_) {
        if (mix == kind) return roof;
    }
    return {};
}

const std::vector<JointRate>& Roofs::joint(int threads) const {
    static const std::vector<JointRate> none;
    for (const auto& [count, rates] : joint_) {
        if (count == threads) return rates;
    }
    return none;
}

Roof Roofs::wide_loads(int width_bits) const {
    return of_width(wide_loads_, width_bits);
}

Roof Roofs::split_loads(int width_bits) const {
    return of_width(split_loads_, width_bits);
}

Roof Roofs::chain(DType dtype, int width_bits) const {
    for (const Chain& chain : chains_) {
        if (chain.dtype == dtype && chain.width_bits == width_bits) return chain.roof;
    }
    return {};
}

Roof Roofs::fused_chain(DType dtype, int width_bits) const {
    for (const Chain& chain : chains_) {
        if (chain.dtype == dtype && chain.width_bits == width_bits) return chain.fused;
    }
    return {};
}

Roof Roofs::window() const {
    return window_;
}

Roof Roofs::link() const {
    return link_;
}

const std::vector<BandwidthStep>& Roofs::bandwidth(int threads) const {
    static const std::vector<BandwidthStep> none;
    for (const auto& [count, steps] : bandwidth_) {
        if (count >= threads) return steps;
    }
    return none;
}

const std::vector<Roofs::RankStep>& Roofs::gather_steps(DType dtype, int threads) const {
    static const std::vector<RankStep> none;
    for (const RankStairs& stairs : gathers_) {
        if (stairs.key == static_cast<int>(dtype) && stairs.threads >= threads) return stairs.steps;
    }
    return none;
}

}  // namespace rooftune
