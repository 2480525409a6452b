// What a tune found, as it is printed, written and plotted. The keys of `tune --json` are these
// fields; configs/schema/tune-result.schema.json is their description.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rooftune {

struct TimeInterval {
    double median = 0.0, low = 0.0, high = 0.0, min = 0.0;  ///< seconds
    int slots = 0;
};

struct TermReport {
    std::string kind{};
    double amount = 0.0;
    double rate = 0.0;
    double seconds = 0.0;
    std::string ceiling{};      ///< in words
    std::string opportunity{};  ///< what could move it, in words
    bool demoted = false;
    double beyond = 0.0;  ///< traffic: bytes of the capacity w at which the term is largest
    std::string level{};  ///< traffic: where the ceiling found its bytes: "L2", "DRAM"; empty for others
};

struct BoundReport {
    double seconds_lower = 0.0, seconds_serial = 0.0;
    std::string binding{};  ///< kind of the binding term
    std::vector<TermReport> terms;
};

/// A way for the winner to be faster, and the most that it could give.
struct OpportunityReport {
    /// parameter: another value in this space. bottleneck: the binding resource eased by other means.
    /// precision: smaller elements. partition: even shares. surplus: no operations that the answer does not
    /// need. variant: this variant, run at its bound. ceiling: a condition of the roof that it misses.
    /// traffic: bytes beyond the least.
    std::string kind{};
    /// Parameters (kind parameter), bottlenecks made free (bottleneck), conditions that are missed (ceiling),
    /// causes of traffic (traffic).
    std::vector<std::string> what{};
    double seconds = 0.0;  ///< least time with it
    double at_most = 1.0;  ///< the winner's time over that; infinite where nothing limits it
    bool proven = true;    ///< false: an estimate, by what ranks and never excludes
    std::string then{};    ///< kind of the term that would bind then; empty when none does
    std::string how{};     ///< what to do, in words
    std::map<std::string, std::string> to{};  ///< parameter: what changes in the alternative of least bound
    std::uint64_t open = 0;                   ///< parameter: alternatives that nothing has settled
};

/// An estimate of the time that is above the bound, with its reason.
struct EstimateReport {
    std::string kind{};  ///< now, gathers, streams, traffic, ecm, demoted, serial
    double seconds = 0.0;
    std::string why{};  ///< in words
};

/// Why the winner is as fast as it is: opportunities, the largest first, and what lies between bound and
/// clock.
struct ExplanationReport {
    std::vector<OpportunityReport> opportunities;
    std::vector<EstimateReport> estimates;  ///< the largest first; each alone, they do not add up
    /// Parameters none of whose other values is open: tried without success, or excluded by proof alone.
    std::vector<std::string> settled_by_measuring, settled_by_proof;
};

/// Audited variants that had been ruled out in one way.
struct AuditedClass {
    int measured = 0, wrong = 0;  ///< wrong: a regret
    int drawn = 0,
        drawn_wrong = 0;       ///< of those the ones that were drawn uniformly, which limits are told by
    double upper_limit = 1.0;  ///< 95 % limit of the share of wrong ones in the class
    /// Of each that ran its time over what ruled it out (T_lower, or the ranking estimate), ascending. Later
    /// runs of the family calibrate the estimate by them.
    std::vector<double> ratios{};
};

struct AuditReport {
    int measured = 0, violations = 0, regrets = 0;
    double upper_limit = 1.0;  ///< 95 % limit of the share of regrets in both classes together
    AuditedClass excluded{};
    AuditedClass set_aside{};
};

/// A uniform draw from the variants that one thing left undecided, each measured in turn with the winner so
/// far.
struct SampledClass {
    std::uint64_t population = 0;  ///< variants that were drawn from
    int drawn = 0;                 ///< of them
    int faster = 0;                ///< of those the ones that may be more than 3 % faster
    double upper_limit = 1.0;      ///< 95 % limit of the share of such in the population; 0 of an empty one
    /// Of the drawn the ones that gave no time through no fault of their own. Nobody knows what they are, so
    /// that the limit takes them for faster ones.
    int untimed = 0;
};

/// The third number: how many of those that nothing rules out could matter, by a draw.
struct SampledReport {
    SampledClass unmeasured{};  ///< what the search left neither excluded, set aside nor timed
    SampledClass raced_out{};   ///< what it dropped after a few samples, measured again
    double upper_limit = 1.0;   ///< 95 % limit of the share of both together
    /// Draws that became the incumbent, each in place of the one before: all of these were held against an
    /// earlier winner.
    int regrets = 0;
    int drawn() const { return unmeasured.drawn + raced_out.drawn; }
};

/// The certificate of those variants alone that share the winner's vector width and thread count: between
/// widths a proof is easy, within one the finer terms have to do it.
struct SliceReport {
    std::map<std::string, std::string> where;  ///< "simd" → "512"; empty when nothing defines a slice
    std::uint64_t space = 0, excluded = 0, set_aside = 0, evaluated = 0, unmeasured = 0;
};

/// How the ranking estimate did on what was timed. Nothing where nothing was timed, and in results of before.
struct EstimateFit {
    int timed = 0;
    double median = 0.0, low = 0.0, high = 0.0;  ///< time over estimate; the lowest and the highest tenth
};

/// The second number: what is left if this machine's caches treat a kernel's data as they treat the probes',
/// at the rates that it gave while the run went on. Measured evidence with an audit of its own, never proven,
/// and never mixed with what is.
struct ReplacementReport {
    /// As CertificateReport::gap; where a variant was faster than this tier allows, by so much more.
    double gap = 0.0;
    /// By the ends of the interval that the finals' rounds give rates and times taken together; without such
    /// rounds by the ends of the winner's interval.
    double gap_low = 0.0, gap_high = 0.0;
    int timed = 0,
        beaten = 0;        ///< variants timed, and those of them that were faster than it allows, margin off
    double largest = 0.0;  ///< of what it allows over the fastest slot
    bool meanwhile = false;  ///< at rates probed in this run; else at those of the machine file
};

struct CertificateReport {
    std::uint64_t space = 0, excluded = 0, set_aside = 0, measured = 0, raced_out = 0, failed = 0,
                  failed_environment = 0, unmeasured = 0;
    /// Nothing left can be faster by more than this: by the winner's median, and by the ends of its interval.
    /// What stops a search is gap_high.
    double gap = 0.0, gap_low = 0.0, gap_high = 0.0;
    double margin = 0.03, epsilon = 0.03;
    /// The ranking estimate of the winner's kind (Calibration::kind_of) times this sets aside: at most 1; 0
    /// where too few were timed to set anything aside.
    double set_aside_factor = 1.0;
    EstimateFit estimate{};
    ReplacementReport replacement{};
    std::string stopped_by;  ///< epsilon, budget, patience, exhausted, interrupted
    int violations = 0;
    AuditReport audit;
    SampledReport sampled;
    // Branch and bound in deed.
    std::uint64_t bounds_evaluated = 0, subtrees_cut = 0;
    std::map<std::string, std::uint64_t> excluded_by;  ///< variants excluded, by binding term
    SliceReport slice;
};

/// A parameter of which more values came on offer, because the best had the greatest.
struct GrowthReport {
    std::string parameter{};
    std::string from{}, to{};  ///< the greatest value on offer at first and in the end
};

/// An ordered parameter of which the winner has the greatest value that was on offer: what is beyond, nobody
/// tried.
struct EdgeReport {
    std::string parameter{};
    std::string value{};
    std::string reason{};  ///< why there is no greater one, in words that follow "because"
};

/// A point on the roofline plot: a variant, where it is known.
struct PlotPoint {
    std::string label;
    double intensity = 0.0;  ///< flop/byte
    double flops_per_second = 0.0;
    std::string kind;  ///< winner, naive, default, measured, excluded (at its bound)
    // What older results lack:
    double low = 0.0, high = 0.0;  ///< flop/s: interval of the median; 0 where it was not measured in full
    double bound = 0.0;            ///< flop/s at its own T_lower; 0 when unknown
    std::string binding{};         ///< kind of the term that binds it; empty when unknown
};

/// The search as it went: where it stood after so many evaluations.
struct ConvergencePoint {
    int evaluations = 0;
    double best_seconds = 0.0;  ///< of the incumbent: median
    double excluded = 0.0;      ///< share of the space that was proven no faster
};

/// A ceiling that bound, as it was known at the end of the tune: highest rate ever, and what the machine's
/// noise makes of it.
struct CeilingReport {
    std::string of{};       ///< problem (what any variant could reach) or winner
    std::string ceiling{};  ///< in words
    std::string unit{};     ///< "byte/s"
    double max = 0.0, p95 = 0.0, median = 0.0;
    std::string seen{};  ///< UTC, ISO 8601: its last probe
};

/// The tuned config that was there when a tune began.
struct ConfigBefore {
    std::string fate{};  ///< replaced or kept; empty: there was none, or an older result does not say
    double gap = 0.0;    ///< of its certificate
    std::optional<double> gap_high{};  ///< the upper end of its interval; none: not known
};

/// The hard key: what the winner cannot run without. Zero: not known, as in older results.
struct NeedsReport {
    int vector_bits = 0;  ///< width of its vectors; of scalar code the element's own bits
    int threads = 0;
};

/// A line of the plot: a roof or ceiling.
struct PlotCeiling {
    std::string label;
    bool bandwidth = false;  ///< true: byte/s, drawn with slope 1; false: flop/s
    double rate = 0.0;
};

/// TuneResult::verified_by of a kernel that declares neither a reference nor its answer.
inline constexpr std::string_view kVerifiedByItself =
    "against the kernel itself, compiled plainly, for want of a reference";

struct TuneResult {
    std::string family;
    std::map<std::string, std::string> problem;
    std::string title;
    std::vector<std::pair<std::string, double>> facts;
    std::string digest;
    /// Problem::pattern_digest(): problems that have it in common take the same time. Empty in older results,
    /// and where `digest` is all there is.
    std::string pattern;
    std::string dtype, state;
    int threads = 1;
    std::string machine_id, machine_name;
    std::string backend = "cpu";
    std::string device;  ///< name of the OpenCL device; empty on the CPU
    int space_version = 0;
    std::string strategy = "bounds";  ///< what decided the order of measuring

    std::map<std::string, std::string> best;             ///< empty when no variant works
    std::map<std::string, std::string> naive, fallback;  ///< naive and default variants
    TimeInterval seconds;
    double flops_nominal = 0.0;
    double fraction_of_variant_bound = 0.0, fraction_of_problem_roof = 0.0, fraction_of_roof_now = 0.0;
    double speedup_over_naive = 0.0, speedup_over_default = 0.0;
    TimeInterval naive_ratio, default_ratio;  ///< time over the winner's, interleaved; min unused
    /// Their own times in the rounds of those ratios; 0 where there were none, and in older results. What is
    /// shown is reference_time() (tuner/formats/reference_time.h).
    TimeInterval naive_seconds, default_seconds;
    /// The second best of the finals and its time over the winner's; empty in older results, and where the
    /// winner met nobody.
    std::map<std::string, std::string> runner_up;
    TimeInterval runner_up_ratio, runner_up_seconds;
    NeedsReport needs;
    std::vector<CeilingReport> binding_ceilings;  ///< empty in older results
    std::vector<GrowthReport> grown;              ///< empty in older results, and where nothing grew
    std::vector<EdgeReport> edges;                ///< empty in older results, and where the winner is on none
    double verified_error = 0.0;
    std::string verified_by;  ///< where there is no reference: what answers were held against instead
    double prepare_seconds = 0.0;
    BoundReport bound;  ///< of the winner
    ExplanationReport explanation;
    double problem_roof_seconds = 0.0;
    CertificateReport certificate;

    std::vector<PlotPoint> points;
    std::vector<PlotCeiling> ceilings;
    std::vector<ConvergencePoint> convergence;  ///< in order, where something changed; empty in older results

    std::string config_file, header_file, plot_file;  ///< absolute; empty when not written
    ConfigBefore config_before;
    int resumed = 0;  ///< variants taken from the store
    double elapsed_seconds = 0.0;
    double budget_seconds =
        0.0;  ///< that the tune was given; 0 in older results, and where it had none of time
    double finals_seconds = 0.0;  ///< of the elapsed ones; 0 in older results
    double setup_seconds = 0.0;   ///< before: loading the problem, probing what it needs; 0 in older results
    double waited_seconds = 0.0;  ///< for others that measured on this machine; not of the elapsed ones
    /// By request nothing was left out for its bound: what is counted as excluded could have been. False in
    /// older results.
    bool no_bounds = false;
    /// What to do next, as the summary says it; only in what `tune --json` prints.
    std::vector<std::string> next;
    /// What spoke against the ceilings at the end of the run, in sentences (tuner/ceilings/doubts.h); empty
    /// in older results, and where nothing did.
    std::vector<std::string> model_doubts;
    /// Why variants failed, one sentence for each kind of failure with how many, and the first of them; empty
    /// in older results, and where none did.
    std::vector<std::string> failures;
    /// What a user declared of the work and a measurement showed to be wrong; empty where nothing was.
    std::vector<std::string> accused;
};

}  // namespace rooftune
