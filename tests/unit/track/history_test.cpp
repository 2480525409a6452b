// What histories say: ratios, the best, gains, suspects, and who moved.
#include "tuner/track/history.h"

#include <cmath>

#include "tests/support/catch.h"
#include "tests/unit/track/track_examples.h"
#include "tuner/track/track_report.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Series series(const std::vector<Entry>& entries) {
    return series_of(entries).front();
}

Series steps_of(const std::vector<double>& seconds, double roof = 0.8) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < seconds.size(); ++i)
        entries.push_back(entry_of(static_cast<int>(i), seconds[i], roof));
    return series(entries);
}

}  // namespace

TEST_CASE("entries become series by kernel and machine, in the order of their revisions") {
    Entry elsewhere = entry_of(1, 1.0);
    elsewhere.machine = "another-machine";
    Entry threads = entry_of(1, 1.0);
    threads.threads = 1;
    const std::vector<Series> all =
        series_of({entry_of(2, 1.0), entry_of(0, 3.0), elsewhere, entry_of(1, 2.0), threads});
    REQUIRE(all.size() == 3);
    CHECK(all[0].entries.size() == 1);  // 1 thread
    CHECK(all[1].machine == "another-machine");
    REQUIRE(all[2].entries.size() == 3);
    CHECK(all[2].entries[0].seconds.median == 3.0);
    CHECK(all[2].entries[2].seconds.median == 1.0);
    CHECK(series_of({}).empty());
}

TEST_CASE("of one date, what was recorded later comes later") {
    Entry again = entry_of(0, 2.0);
    again.at = "2025-01-01T00:00:00Z";
    const Series s = series({entry_of(0, 1.0), again});
    CHECK(s.entries[1].seconds.median == 2.0);
}

TEST_CASE("ratios of two times carry both intervals") {
    const TimeRatio r = time_ratio({2.0, 1.9, 2.1, 1.9, 8}, {1.0, 0.9, 1.2, 0.9, 8});
    CHECK(r.ratio == Approx(2.0));
    CHECK(r.low == Approx(1.9 / 1.2));
    CHECK(r.high == Approx(2.1 / 0.9));
    CHECK(std::isnan(time_ratio({}, {1.0, 1.0, 1.0, 1.0, 8}).ratio));
    CHECK(std::isnan(time_ratio({1.0, 1.0, 1.0, 1.0, 8}, {}).ratio));
    CHECK(std::isnan(time_ratio({1.0, 0.0, 0.0, 1.0, 1}, {1.0, 1.0, 1.0, 1.0, 8}).low));
}

TEST_CASE("nothing measured, one, two") {
    const Summary none = summarise(series({failed_entry(0, "crashed")}), 0.03, "");
    CHECK_FALSE(none.first);
    CHECK_FALSE(none.best);
    CHECK(none.rows.size() == 1);
    CHECK(none.suspects.empty());
    const Summary one = summarise(steps_of({1.0}), 0.03, "");
    CHECK(one.first == 0u);
    CHECK(one.latest == 0u);
    CHECK_FALSE(one.previous);
    CHECK(one.rows[0].to_first == 1.0);
    CHECK(one.suspects.empty());
    const Summary two = summarise(steps_of({1.0, 0.5}), 0.03, "");
    CHECK(two.previous == 0u);
    CHECK(two.best == 1u);
    CHECK(two.rows[1].to_previous.ratio == Approx(0.5));
    CHECK(two.rows[1].stands_out);
    REQUIRE(two.suspects.size() == 1);
    CHECK_FALSE(two.suspects[0].p);
    CHECK(two.suspects[0].time == Approx(0.5));
}

TEST_CASE("entries that failed are shown and never compared with") {
    const Summary s =
        summarise(series({entry_of(0, 1.0), failed_entry(1, "wrong"), entry_of(2, 1.0)}), 0.03, "");
    CHECK(std::isnan(s.rows[1].to_first));
    CHECK(std::isnan(s.rows[1].to_previous.ratio));
    CHECK(s.rows[2].to_previous.ratio == Approx(1.0));
    CHECK(s.previous == 0u);
    CHECK(s.best == 0u);
    CHECK(s.suspects.empty());
}

TEST_CASE("gains belong to notes, by the entry before each") {
    const Series all = series({entry_of(0, 4.0), entry_of(1, 2.0, 0.8, "blocking"), entry_of(2, 2.0),
                               entry_of(3, 1.0, 0.8, "packing"), entry_of(4, 1.25, 0.8, "worse")});
    const Summary s = summarise(all, 0.03, "");
    REQUIRE(s.gains.size() == 3);
    CHECK(s.gains[0].factor.ratio == Approx(2.0));
    CHECK(s.gains[0].factor.low == Approx(2.0 * 0.99 / 1.01));
    CHECK(s.gains[1].note == "packing");
    CHECK(s.gains[1].since_first == Approx(4.0));
    CHECK(s.gains[2].factor.ratio == Approx(0.8));
    CHECK(s.best == 3u);
    CHECK(summarise(series({entry_of(0, 4.0, 0.8, "the first has nothing before it")}), 0.03, "")
              .gains.empty());
}

TEST_CASE("between two measurements of the same revision, build and variant nothing was gained") {
    const auto gains_to = [](Entry second) {
        return summarise(series({entry_of(0, 4.0), std::move(second)}), 0.03, "").gains.size();
    };
    const Entry again = entry_of(0, 3.7, 0.8, "packs B once");
    CHECK(gains_to(again) == 0);
    Entry other = again;
    other.revision = entry_of(1, 1.0).revision;
    CHECK(gains_to(other) == 1);
    other = again;
    other.variant["level"] = "another";
    CHECK(gains_to(other) == 1);
    other = again;
    other.build = "another";
    CHECK(gains_to(other) == 1);
    Entry dirty = entry_of(0, 4.0);
    dirty.revision += "-dirty";
    Entry dirty_again = again;
    dirty_again.revision = dirty.revision;
    CHECK(summarise(series({dirty, dirty_again}), 0.03, "").gains.size() == 1);
}

TEST_CASE("a revision is named whole, or by the first letters of a hash; dirty is another revision") {
    const std::string hash = entry_of(0, 1.0).revision;
    Series all = steps_of({1.0, 0.9, 0.8, 0.7, 0.6});
    const auto recorded = [&](const std::string& named) { return recorded_as(std::span(&all, 1), named); };
    CHECK(recorded(hash) == hash);
    CHECK(recorded(hash.substr(0, 7)) == hash);
    CHECK_FALSE(recorded(hash.substr(0, 3)));
    CHECK_FALSE(recorded(""));
    all.entries[0].revision += "-dirty";
    CHECK_FALSE(recorded(hash.substr(0, 7)));
    CHECK(recorded(hash.substr(0, 7) + "-dirty") == hash + "-dirty");
    all.entries[1].revision = "v1.20";
    CHECK_FALSE(recorded("v1.2"));
    CHECK(recorded("v1.20") == "v1.20");
    // A name that is hexadecimal as well, and short of a hash: only what is a hash has short forms.
    all.entries[2].revision = "deadbeef10";
    CHECK_FALSE(recorded("deadbeef"));
    all.entries[2].revision = "deadbeef" + std::string(56, '0');
    CHECK(recorded("deadbeef") == all.entries[2].revision);
    // Whole comes before what begins so.
    all.entries[4].revision = "deadbeef";
    CHECK(recorded("deadbeef") == "deadbeef");
    CHECK(clean_revision("abc-dirty") == "abc");
    CHECK(is_dirty("abc-dirty"));
    CHECK_FALSE(is_dirty("abc"));
    CHECK(summarise(all, 0.03, "v1.20").release == 1u);
    CHECK_FALSE(summarise(all, 0.03, "v1.2").release);
}

TEST_CASE("a planted step is suspected at its place, and blamed on the kernel or the roof") {
    std::vector<Entry> entries;
    for (int i = 0; i < 24; ++i) {
        const double wiggle = 1.0 + 0.002 * ((i * 7) % 5 - 2);
        entries.push_back(entry_of(i, (i < 12 ? 1.0 : 1.2) * wiggle));
    }
    const Summary kernel = summarise(series(entries), 0.03, "");
    REQUIRE(kernel.suspects.size() == 1);
    CHECK(kernel.suspects[0].before == 11);
    CHECK(kernel.suspects[0].at == 12);
    CHECK(kernel.suspects[0].p.value() <= 0.01);
    CHECK(kernel.suspects[0].time == Approx(1.2).epsilon(0.01));
    CHECK(kernel.suspects[0].moved == Moved::kernel);
    CHECK(kernel.suspects[0].fraction_before == Approx(0.8).epsilon(0.01));
    CHECK_FALSE(kernel.suspects[0].variant_changed);
    // The roof fell as far as the time rose: the kernel reaches the same fraction.
    for (int i = 12; i < 24; ++i) entries[static_cast<std::size_t>(i)].roof_now_seconds *= 1.2;
    CHECK(summarise(series(entries), 0.03, "").suspects.at(0).moved == Moved::roof);
    for (int i = 12; i < 24; ++i) entries[static_cast<std::size_t>(i)].roof_now_seconds *= 1.2;
    CHECK(summarise(series(entries), 0.03, "").suspects.at(0).moved == Moved::both);
    for (Entry& e : entries) e.roof_now_seconds = 0.0;
    const Suspect blind = summarise(series(entries), 0.03, "").suspects.at(0);
    CHECK(blind.moved == Moved::kernel);
    CHECK(std::isnan(blind.roof));
    // A step below the threshold is none.
    CHECK(summarise(series(entries), 0.25, "").suspects.empty());
}

TEST_CASE("a suspect is confirmed by an A/B of the variants, or by a bisection, or not at all") {
    Series all = steps_of({1.0, 2.0});
    Suspect s = summarise(all, 0.03, "").suspects.at(0);
    CHECK_THAT(confirmation_of(all, s).command,
               Contains("track bisect " + all.entries[0].revision + " " + all.entries[1].revision));
    // What became faster is no bisection's business.
    s.time = 0.5;
    CHECK_THAT(confirmation_of(all, s).command, Contains("compare --command-a"));
    CHECK_THAT(confirmation_of(all, s).why, Contains(all.entries[0].revision + " (OLD)"));
    s.time = 2.0;
    all.entries[1].revision += "-dirty";
    CHECK(confirmation_of(all, s).command.empty());
    CHECK_THAT(confirmation_of(all, s).why, Contains("clean checkout"));
    all.entries[1].revision = all.entries[0].revision;
    CHECK(confirmation_of(all, s).command.empty());
    CHECK_THAT(confirmation_of(all, s).why, Contains("machine"));
    all.entries[1].variant["mr"] = "8";
    s = summarise(all, 0.03, "").suspects.at(0);
    CHECK(s.variant_changed);
    CHECK_THAT(confirmation_of(all, s).command, Contains("--confirm"));
    // Names are quoted for the shell that they are pasted into.
    all.entries[0].title = "spmv it's; rm";
    CHECK_THAT(confirmation_of(all, s).command, Contains("--kernel 'spmv it'\\''s; rm'"));
    all.entries[0].variant = all.entries[1].variant;
    all.entries[0].revision = "release one";
    all.entries[1].revision = "v2";
    s = summarise(all, 0.03, "").suspects.at(0);
    CHECK_THAT(confirmation_of(all, s).command, Contains("bisect 'release one' v2 "));
    // Where the roof moved as far as the time, nobody is to blame.
    all.entries[1].roof_now_seconds = 2.0 * all.entries[0].roof_now_seconds;
    s = summarise(all, 0.03, "").suspects.at(0);
    CHECK(s.moved == Moved::roof);
    CHECK(confirmation_of(all, s).command.empty());
}

TEST_CASE("since a revision, since a date, and since what is neither") {
    std::vector<Series> all = {steps_of({1.0, 1.0, 1.0}), steps_of({1.0, 1.0, 1.0})};
    const auto begin = [&](const std::string& named, std::size_t series = 0) -> std::optional<std::size_t> {
        const auto since = since_of(all, named);
        return since ? std::optional(begin_of(all[series], *since)) : std::nullopt;
    };
    CHECK(begin(all[0].entries[1].revision) == 1u);
    CHECK(begin(all[0].entries[2].revision.substr(0, 9)) == 2u);
    CHECK(begin("2026-01-02") == 1u);
    CHECK(begin("2026") == 0u);
    CHECK(begin("2026-01-02T12:00:01Z") == 2u);
    CHECK(begin("2027") == 3u);
    CHECK_FALSE(begin("yesterday"));
    CHECK_FALSE(begin("2026-1-2"));
    CHECK_FALSE(begin(""));
    CHECK(begin_of(all[0], Since{}) == 0);
    // A kernel that was not recorded at the revision is shown from its date on.
    all[0].entries[1].revision = "r5";
    CHECK(begin("r5", 0) == 1u);
    CHECK(begin("r5", 1) == 1u);
    all[0].entries[1].revision_date = "2026-01-02T13:00:00Z";
    CHECK(begin("r5", 1) == 2u);
    CHECK_FALSE(begin("r"));
    // A year is a year although a hash begins so, unless it is the name of a revision.
    all[0].entries[2].revision.replace(0, 4, "2025");
    CHECK(begin("2025") == 0u);
    all[0].entries[2].revision = "2025";
    CHECK(begin("2025") == 2u);
}
