// The default search: branch and bound over partial variants keyed by T_lower; variants that the
// bound leaves open are measured in the order of a ranking estimate that learns from the run. It
// measures the naive and the default variant first, so that everything which provably cannot beat
// them is never expanded; keeps re-probing the ceilings that bind; ends with finals in a fresh
// process and an audit of what it excluded. The certificate says what it proved.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/family.h"
#include "models/machine.h"
#include "tuner/config/tune_result.h"
#include "tuner/enumerate/bound_tree.h"
#include "tuner/measure/evaluator.h"

namespace rooftune {

struct SearchOptions {
    double epsilon = 0.03;
    int patience = 50;      ///< evaluations without improvement beyond noise
    double seconds = 60.0;  ///< budget with finals and audit; 0 = no limit
    int evaluations = 0;    ///< budget in evaluations with finals and audit; 0 = no limit
    int audit = 60;
    std::uint64_t seed = 1;
    bool bounds = true;       ///< false: exclude nothing
    bool exhaustive = false;  ///< measure every variant, excluded ones too (tests of the certificate)
    bool reprobe = true;      ///< re-probe binding ceilings during the run
};

struct SearchInput {
    const Space* space = nullptr;
    const WorkModel* model = nullptr;
    Machine machine;
    Variant naive;
    Variant fallback;                 ///< the default variant
    std::map<Variant, Record> known;  ///< from the store: not measured again
};

/// What the progress bar shows, after every evaluation.
struct SearchProgress {
    double best_seconds = 0.0;
    std::uint64_t excluded = 0;
    int evaluated = 0;
    double elapsed = 0.0;
    const char* stage = "search";
};

class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    virtual void progress(const SearchProgress& progress) = 0;
    /// Something a person should know now: an alarm, a raised ceiling.
    virtual void notice(const std::string& text) = 0;
};

/// A measurement against its bound.
struct Observation {
    Variant variant;
    Record record;
    double lower = 0.0;  ///< T_lower under the machine at the end of the run, seconds
};

struct SearchResult {
    std::optional<Variant> best;
    Record best_record;  ///< of the finals
    TimeInterval seconds;
    TimeInterval naive_ratio, default_ratio;
    double naive_seconds = 0.0, default_seconds = 0.0;
    Bound bound;                ///< of the best
    Seconds problem_roof{0.0};  ///< T_lower of the empty partial variant
    double roof_now = 1.0;      ///< binding ceiling as probed at the end, over its maximum
    CertificateReport certificate;
    int beat = 0;               ///< verified measurements below their unpadded bound
    double largest_beat = 1.0;  ///< largest T_lower / time among them
    Machine machine;            ///< with what re-probing raised
    std::set<TermKind> demoted;
    std::vector<Observation> observations;
    std::vector<Node> excluded_sample;  ///< some excluded variants with their bounds, for the plot
    std::vector<std::string> trace;     ///< one line a decision; the same for the same seed and times
};

/// `observer` may be null. Throws std::invalid_argument when the space is empty.
SearchResult search(const SearchInput& input, Evaluator& evaluator, const SearchOptions& options,
                    SearchObserver* observer);

}  // namespace rooftune
