// The second tier: what is left at the rates that the machine held while the run went on. Never mixed with
// what is proven, and never below what a variant has shown.
#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/certificate.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// The toy's ceilings as probes of these minutes, at a share of their rates.
std::vector<Ceiling> held(const Machine& machine, double share) {
    std::vector<Ceiling> fresh = machine.ceilings;
    for (Ceiling& c : fresh) c.median = share * c.max;
    return fresh;
}

SearchOptions few() {
    SearchOptions options = unlimited();
    options.evaluations = 12;
    options.audit = 0;
    options.reprobe = false;  // the toy's probes would give its full rates again
    return options;
}

}  // namespace

TEST_CASE("the second tier is by the rates held meanwhile, and the winner's median") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    SearchInput input = f.input();
    const SearchResult stored = search(input, evaluator, few(), nullptr);
    CHECK_FALSE(stored.certificate.replacement.meanwhile);

    input.fresh = held(f.machine, 0.95);
    toy::Evaluator again = f.evaluator();
    const SearchResult r = search(input, again, few(), nullptr);
    REQUIRE(r.best);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK(tier.meanwhile);
    CHECK(tier.timed > 3);
    CHECK(tier.beaten == 0);
    CHECK(tier.gap < r.certificate.gap);
    CHECK(tier.gap <= (1.0 + stored.certificate.replacement.gap) * 0.95 - 1.0 + 1e-9);
    // The proof does not move.
    CHECK(r.certificate.gap == Approx(stored.certificate.gap));
    CHECK(r.certificate.excluded == stored.certificate.excluded);
}

TEST_CASE("a variant faster than the rates held is counted, and so much is allowed for") {
    const ToyProblem f;
    SearchInput input = f.input();
    input.fresh = held(f.machine, 0.5);  // the machine gave twice as much in between
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, few(), nullptr);
    REQUIRE(r.best);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK(tier.beaten > 0);
    CHECK(tier.largest > 1.2);
    double fastest = 1.0;
    for (const Observation& o : r.observations) {
        for (const Slot& slot : o.record.slots) fastest = std::min(fastest, slot.seconds / (2.0 * o.lower));
    }
    CHECK(tier.largest == Approx(1.0 / fastest));
    // It never says more than what is proven.
    CHECK(tier.gap <= r.certificate.gap);
    CHECK(tier.gap_high <= r.certificate.gap_high);
}

TEST_CASE("times of earlier runs are not held against the rates of this one") {
    const ToyProblem f;
    toy::Evaluator first = f.evaluator();
    const SearchResult before = search(f.input(), first, few(), nullptr);
    SearchInput input = f.input();
    input.fresh = held(f.machine, 0.95);
    for (const Observation& o : before.observations) {
        input.known[o.variant] = o.record;
        // Taken when the machine was three times as fast.
        for (Slot& slot : input.known[o.variant].slots) slot.seconds /= 3.0;
    }
    SearchOptions options = few();
    options.evaluations = 30;
    toy::Evaluator second = f.evaluator();
    const SearchResult r = search(input, second, options, nullptr);
    CHECK(r.certificate.replacement.timed < static_cast<int>(r.observations.size()));
}

namespace {

/// Of a machine's rates.
struct Share {
    double bandwidth, compute;
};

/// What certify() says of a winner that took 1.2 to 1.6 of its bound, by the rates that a machine held;
/// `own`: those that it is held against itself, where they are others than the medians.
CertificateReport certified(const ToyProblem& f, const WorkModel& model, Share low, Share median, Share high,
                            std::optional<Share> own_rates = std::nullopt) {
    const auto at = [&](const Share& share) {
        Machine m = f.machine;
        for (Ceiling& c : m.ceilings) {
            const bool moves = c.resource == Resource::bandwidth;
            c.max = c.p95 = c.median = (moves ? share.bandwidth : share.compute) * c.max;
        }
        return m;
    };
    const Machine lower = at(low), middle = at(median), upper = at(high);
    const Roofs own(f.machine), roofs_low(lower), roofs(middle), roofs_high(upper);
    const BoundModel bound(own), rates_low(roofs_low), rates(roofs), rates_high(roofs_high);
    BoundTree tree({&f.space, &model, &bound}, 0.03);
    Record record;
    record.outcome = Outcome::measured;
    record.role = "finals";
    for (const double over : {1.2, 1.3, 1.4, 1.4, 1.4, 1.4, 1.5, 1.6})
        record.slots.push_back({over * f.lower(f.truly_best()), 10, false});
    Ledger ledger;
    ledger.add(f.truly_best(), record);
    tree.take(f.truly_best());
    CertificateReport report;
    const std::map<Variant, RatesOfTime> finalists{
        {f.truly_best(), {at(own_rates.value_or(median)), interval_of(record.slots).median}}};
    certify(
        tree, ledger, 1000, report,
        {.rates = &rates, .low = &rates_low, .high = &rates_high, .known = nullptr, .finalists = &finalists});
    return report;
}

CertificateReport certified(const ToyProblem& f, double low, double median, double high) {
    return certified(f, f.model, {low, low}, {median, median}, {high, high});
}

/// The toy, whose wide variants compute for a little longer than the others read.
class ComputingModel final : public WorkModel {
public:
    explicit ComputingModel(const Space& space) : toy_(space) {}
    Work work(const PartialVariant& v) const override {
        Work w = toy_.work(v);
        const double share = w.heaviest.ops.value / w.total.ops.value;
        if (v.free_at(0)) w.traffic.reads = Bytes(1e6);
        if (v[0] == 0) {
            w.traffic.reads = Bytes(1e6);
            w.total.ops = Operations(1.05 * 4e-4 * 1.6e10);
        }
        w.heaviest.ops = Operations(share * w.total.ops.value);
        w.heaviest_traffic.reads = Bytes(share * w.traffic.reads.value);
        return w;
    }
    Traits traits(const PartialVariant& v) const override { return toy_.traits(v); }

private:
    toy::Model toy_;
};

}  // namespace

TEST_CASE("gaps are by the winner's median, and have an interval: of its time, or of the paired rounds") {
    const ToyProblem f;
    // Others on two threads have the winner's bound; the margin is 3 %.
    const CertificateReport c = certified(f, 0.88, 0.9, 0.92);
    const auto interval = [](double over) { return over / 0.97 - 1.0; };
    CHECK(c.gap == Approx(interval(1.4)));
    CHECK(c.gap_low == Approx(interval(1.2)));
    CHECK(c.gap_high == Approx(interval(1.6)));
    // The times spread by a third, and rate times time by 4 %. Rates of the same rounds need no margin.
    CHECK(c.replacement.gap == Approx(1.4 * 0.9 - 1.0));
    CHECK(c.replacement.gap_low == Approx(1.4 * 0.88 - 1.0));
    CHECK(c.replacement.gap_high == Approx(1.4 * 0.92 - 1.0));
    // Where the rates that are known of the machine allow less than those of the rounds, its time alone.
    const CertificateReport known = certified(f, 1.1, 1.2, 1.3);
    CHECK(known.replacement.gap == Approx(interval(1.4)));
    CHECK(known.replacement.gap_low == Approx(interval(1.2)));
    CHECK(known.replacement.gap_high == Approx(interval(1.6)));
    // Such a rate may be less than the machine's by less than the margin: the gap is by it all the same.
    const CertificateReport near = certified(f, 0.98, 1.0, 1.02);
    CHECK(near.replacement.gap == Approx(1.4 - 1.0));
    CHECK(near.replacement.gap_low == Approx(1.4 * 0.98 - 1.0));
    CHECK(near.replacement.gap_high == Approx(1.4 * 1.02 - 1.0));
    // Without such rounds the winner's own interval is what there is.
    toy::Evaluator evaluator = f.evaluator();
    evaluator.noise = 0.1;
    SearchInput input = f.input();
    input.fresh = held(f.machine, 0.95);
    const SearchResult r = search(input, evaluator, few(), nullptr);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK((1.0 + tier.gap_low) / (1.0 + tier.gap) == Approx(r.seconds.low / r.seconds.median));
    CHECK((1.0 + tier.gap_high) / (1.0 + tier.gap) == Approx(r.seconds.high / r.seconds.median));
}

TEST_CASE(
    "the ends of the second tier's gap are over all that is left, and not of the median's least alone") {
    const ToyProblem f;
    const ComputingModel model(f.space);
    // By the medians the narrow ones are allowed least. Where the cores were at their fastest it is the wide
    // ones, which the machine's own ceiling holds at 1.05 of the winner's bound, less its margin.
    const CertificateReport c = certified(f, model, {0.88, 0.85}, {0.9, 0.9}, {0.92, 1.1});
    CHECK(c.replacement.gap == Approx(1.4 * 0.9 - 1.0));
    CHECK(c.replacement.gap_low == Approx(1.4 * 0.88 - 1.0));
    CHECK(c.replacement.gap_high == Approx(1.4 / (0.97 * 1.05) - 1.0));
}

TEST_CASE("a second tier that was beaten by more than it is ahead of the proof leaves the proof's number") {
    const ToyProblem f;
    const Share rates{0.9, 0.9};
    // It takes 1.4 of its bound, where its own rounds allow no less than 1.75.
    const CertificateReport little = certified(f, f.model, rates, rates, rates, Share{0.8 / 1.4, 0.8 / 1.4});
    CHECK(little.replacement.beaten == 1);
    CHECK(little.replacement.largest == Approx(1.25));
    CHECK(little.replacement.gap == Approx(little.gap));  // else 1.4 · 0.9 · 1.25 − 1
    CHECK(little.replacement.gap_low == little.gap_low);
    CHECK(little.replacement.gap_high == little.gap_high);
    // Ahead of the proof by more than it was beaten by.
    const Share fast{0.7, 0.7};
    const CertificateReport ahead = certified(f, f.model, fast, fast, fast, Share{1.0 / 1.47, 1.0 / 1.47});
    CHECK(ahead.replacement.largest == Approx(1.05));
    CHECK(ahead.replacement.gap == Approx(1.4 * 0.7 * 1.05 - 1.0));
    CHECK(ahead.replacement.gap < ahead.gap);
}

TEST_CASE("a search stops by the upper end of its gap, so that what it was asked for is proven") {
    const ToyProblem f;
    // The best takes 1.1 of its bound, and up to a tenth more by noise: 1.05 × 1.1 / 0.97 − 1 is 19 % by its
    // median, and 25 % by the upper end of its eight slots.
    const auto stopped_by = [&](double epsilon) {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.noise = 0.1;
        SearchOptions options = unlimited();
        options.audit = 0;
        options.epsilon = epsilon;
        SearchInput input = f.input();
        for (Ceiling& c : input.machine.ceilings) c.p95 = c.median = 0.0;  // published: a margin of 3 %
        return search(input, evaluator, options, nullptr).certificate.stopped_by;
    };
    CHECK(stopped_by(0.22) != "epsilon");
    CHECK(stopped_by(0.26) == "epsilon");
}

namespace {

/// The toy, which finds what it moves in a cache where that holds it.
class WarmModel final : public WorkModel {
public:
    explicit WarmModel(const Space& space) : toy_(space) {}
    Work work(const PartialVariant& v) const override {
        Work w = toy_.work(v);
        w.traffic.state = w.heaviest_traffic.state = State::warm;
        return w;
    }
    Traits traits(const PartialVariant& v) const override { return toy_.traits(v); }

private:
    toy::Model toy_;
};

/// With walks that probes beside a rotation can take, and a memory of half of what it gives.
SearchInput halved(const ToyProblem& f, const WarmModel& model) {
    SearchInput input = f.input();
    input.model = &model;
    for (Ceiling& c : input.machine.ceilings) {
        if (c.resource != Resource::bandwidth) continue;
        c.when.huge_pages = true;
        c.max = c.p95 = c.median = 0.5 * c.max;
    }
    return input;
}

/// What the toy's memory gives in truth.
double whole_beside(const Ceiling& asked, double) {
    return asked.resource == Resource::bandwidth ? 1e10 * asked.when.threads : asked.max;
}

}  // namespace

TEST_CASE(
    "a memory that gives half while it is probed, and all in the finals, is not beaten by its own times") {
    const ToyProblem f;
    const WarmModel model(f.space);
    SearchInput input = halved(f, model);
    // A cache so fast that what any cache might keep is no bound; and the data itself.
    for (Ceiling& c : input.machine.ceilings) {
        const bool cached = c.resource == Resource::bandwidth && c.when.footprint.value < 1e6;
        if (cached) c.max = c.p95 = c.median = 8.0 * c.max;
        if (c.when.footprint.value == 1e6) c.when.footprint = Bytes(8e6);
    }
    input.fresh = input.machine.ceilings;
    const auto result = [&](bool shows_windows) {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.rate_beside = whole_beside;
        evaluator.shows_windows = shows_windows;
        SearchOptions options = few();
        options.reprobe = true;
        return search(input, evaluator, options, nullptr);
    };
    const SearchResult r = result(true);
    REQUIRE(r.best);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK(tier.meanwhile);
    CHECK(tier.timed > 3);  // the finalists
    CHECK(tier.beaten == 0);
    CHECK(tier.largest <= 1.0);
    double walked = 0.0;
    for (const Ceiling& c : r.machine.ceilings)
        walked = c.when.footprint.value == 8e6 ? std::max(walked, c.max) : walked;
    CHECK(walked == Approx(2e10));
    CHECK(result(false).certificate.replacement.beaten > 0);
}

TEST_CASE("a search that had proven enough goes on where the finals show that the machine gives more") {
    const ToyProblem f;
    const WarmModel model(f.space);
    const SearchInput input = halved(f, model);
    const auto result = [&](bool shows_windows) {
        // Twice what the whole machine needs, which is a little more than the half of it allows.
        toy::Evaluator evaluator(f.space, [&](const Variant& v) { return 2.0 * f.honest(v); });
        evaluator.rate_beside = whole_beside;
        evaluator.shows_windows = shows_windows;
        SearchOptions options = unlimited();
        options.epsilon = 0.25;
        options.audit = 0;
        return search(input, evaluator, options, nullptr);
    };
    const SearchResult before = result(false), after = result(true);
    CHECK(before.certificate.stopped_by == "epsilon");
    CHECK(before.certificate.gap_high <= 0.25);
    CHECK(after.certificate.stopped_by != "epsilon");
    CHECK(after.certificate.gap > 0.25);
    CHECK(after.observations.size() > before.observations.size());
    // What it says it ended by is so: whatever is not excluded was tried.
    CHECK(after.certificate.stopped_by == "exhausted");
    CHECK(after.certificate.unmeasured + after.certificate.set_aside == 0);
}
