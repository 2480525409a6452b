// What is known of each evaluated variant, and the incumbent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/space.h"
#include "tuner/formats/record.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// The best verified variant so far, with the interval of its time.
struct Incumbent {
    Variant variant;
    TimeInterval seconds;
    double pace = 1.0;  ///< of the machine meanwhile (Record::pace)

    /// Its median as it would be at a pace of 1.
    double paced() const { return seconds.median / pace; }
};

/// Variants by how their measurement ended; failures of the environment are among the failed.
struct OutcomeCounts {
    std::uint64_t measured = 0, raced_out = 0, failed = 0, failed_environment = 0;
};

class Ledger {
public:
    /// Adds or replaces the record of a variant. A measured record may take over the incumbency:
    /// its median must be below the incumbent's, both by their paces, and where it was measured in turn with
    /// a companion its pairs must leave no doubt. Returns true when it improved beyond noise: beyond doubt,
    /// or, without a companion, with a median below the old incumbent's whole interval. An incumbent whose
    /// new record is a failure is none any more.
    ///
    /// Among equals somebody is always a little faster by luck. While any such pair made an incumbent, whose
    /// lucky time then set the pace of the next race, a search of 500 evaluations among variants of 43 to 50
    /// µs walked from the fastest to the slowest of them, each step a hair "faster" than the last.
    bool add(const Variant& variant, const Record& record);
    /// Whether add() would make it the incumbent.
    bool would_lead(const Variant& variant, const Record& record) const;

    /// Records without making anything the incumbent (what the store knows from other runs).
    void add_known(const Variant& variant, const Record& record);

    /// Sets the incumbent outright (after finals or a regret).
    void crown(const Variant& variant, const TimeInterval& seconds, double pace = 1.0) {
        incumbent_ = Incumbent{variant, seconds, pace};
    }

    bool evaluated(const Variant& variant) const { return records_.contains(variant); }
    const std::map<Variant, Record>& records() const { return records_; }
    /// The same variants in the order in which they became known.
    const std::vector<Variant>& in_order() const { return in_order_; }
    const std::optional<Incumbent>& incumbent() const { return incumbent_; }
    /// incumbent.high as it was measured, or infinity: what a proof may be held against.
    double high() const;
    /// The same at a pace of 1: what an estimate is held against, which has learnt from such times.
    double paced_high() const;

    /// Of all that is known, what earlier runs found too: three of the six classes of the certificate.
    OutcomeCounts counts() const;

    /// Measured variants by median and pace, best first, at most `count`.
    std::vector<Variant> best(std::size_t count) const;

private:
    std::map<Variant, Record> records_;
    std::vector<Variant> in_order_;
    std::optional<Incumbent> incumbent_;
};

}  // namespace rooftune
