// What `rooftune track report` shows: kernels with their histories, what these say, and what a fresh
// comparison said of a suspect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/measure/comparison.h"
#include "tuner/track/history.h"

namespace rooftune::track {

inline constexpr std::string_view kReportSchema = "rooftune/track-report/1";

struct KernelReport {
    Series series;
    Summary summary;
    double delta = 0.0;          ///< the machine's threshold, a fraction
    std::size_t shown_from = 0;  ///< first entry that was asked for
    /// A fresh A/B of the newest suspect, A being the variant before it.
    std::optional<Comparison> confirmed;

    /// Suspects among what is shown.
    std::vector<Suspect> suspects() const;
};

struct TrackReport {
    std::string machine;     ///< fingerprint of this machine
    std::string release;     ///< revision that was named; empty: none
    std::string baseline{};  ///< name of a baseline that the latest entries are compared with; empty: none
    std::vector<KernelReport> kernels;
};

/// What entries are shown since: a revision, and a date for the series that were not recorded at it.
struct Since {
    std::string revision{}, date{};  ///< empty revision: the date alone
};

/// What `named` means in these histories: a revision that one of them has, a date ("2026-05-31", shorter or
/// longer), or the beginning of a recorded hash; nothing where it is none of them.
std::optional<Since> since_of(std::span<const Series> all, const std::string& named);

/// Where the entries since then begin; the number of entries where there are none.
std::size_t begin_of(const Series& series, const Since& since);

/// 1 where a fresh comparison said REGRESSED, else 3 where it was INVALID, else 0.
int exit_status(const TrackReport& report);

Json to_json(const TrackReport& report);

}  // namespace rooftune::track
