// What is known of each evaluated variant, and the incumbent.
#pragma once

#include <map>
#include <optional>

#include "models/space.h"
#include "tuner/formats/record.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// The best verified variant so far, with the interval of its time.
struct Incumbent {
    Variant variant;
    TimeInterval seconds;
};

class Ledger {
public:
    /// Adds or replaces the record of a variant. A measured record may take over the incumbency:
    /// its median must be below the incumbent's. Returns true when it improved beyond noise, that is,
    /// its median lies below the old incumbent's whole interval. An incumbent whose new record is a failure
    /// is none any more.
    bool add(const Variant& variant, const Record& record);

    /// Records without making anything the incumbent (what the store knows from other runs).
    void add_known(const Variant& variant, const Record& record);

    /// Sets the incumbent outright (after finals or a regret).
    void crown(const Variant& variant, const TimeInterval& seconds) {
        incumbent_ = Incumbent{variant, seconds};
    }

    bool evaluated(const Variant& variant) const { return records_.contains(variant); }
    const std::map<Variant, Record>& records() const { return records_; }
    const std::optional<Incumbent>& incumbent() const { return incumbent_; }
    /// incumbent.high, or infinity.
    double high() const;

    /// Measured variants by median, best first, at most `count`.
    std::vector<Variant> best(std::size_t count) const;

private:
    std::map<Variant, Record> records_;
    std::optional<Incumbent> incumbent_;
};

}  // namespace rooftune
