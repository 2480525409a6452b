// What `rooftune verify` found, as it is printed and written. The keys of its JSON are described by
// configs/schema/verify.schema.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/verify/check.h"
#include "tuner/verify/measured.h"
#include "tuner/verify/verdict.h"

namespace rooftune::verify {

inline constexpr std::string_view kVerifySchema = "rooftune/verify/1";

/// One problem of one file.
struct Verified {
    std::string file;
    bool of_set = false;
    std::string title;    ///< of the problem; empty for a file that cannot be read
    std::string how;      ///< what tells configs of one problem apart: " on OpenCL", ", cold caches"
    std::string variant;  ///< the winner in words
    Validity verdict = Validity::valid;
    std::string reason;  ///< a sentence; empty for VALID
    std::vector<Check> checks;
    std::optional<Measured> measured;
    double seconds_then = 0.0, fraction_then = 0.0;  ///< 0: not known
    std::string again;                               ///< command that tunes it again; empty for UNREADABLE
    std::string same_as;  ///< file that says the same and was verified; empty: none
};

/// The verdict on a claim with these checks; `again` and the times are the claim's.
Verified verified(const Claim& claim, std::string variant, std::vector<Check> checks,
                  std::optional<Measured> measured);

/// A file that is no config any more.
Verified unreadable(const std::string& file, const std::string& why);

struct VerifyReport {
    std::string machine;  ///< fingerprint
    bool quick = false;   ///< nothing was to be measured
    std::vector<Verified> configs;
    std::vector<std::string> not_verified;  ///< files that Ctrl-C left out
    std::vector<std::string> passed_over;   ///< files of folders, with why, that were not asked about
};

/// 1 where a config is WRONG, BEATEN, SLOWER or STALE; else 2 with one that is UNREADABLE; else 3 with one
/// that is NOT HERE or UNDECIDED; else 0.
int exit_status(const VerifyReport& report);

Json to_json(const VerifyReport& report);

}  // namespace rooftune::verify
