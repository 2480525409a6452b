// Tunes a product of matrices from within a program, and runs the winner on the program's own data.
//
//   tune_product [RESULTS FOLDER]
//
// Without a folder its results go to $XDG_STATE_HOME/rooftune, or to ~/.local/state/rooftune.
#include <rooftune/rooftune.h>
#include <rooftune/tune.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "show.h"

namespace {

constexpr std::int64_t kSize = 96;

// Ctrl-C ends the tune with what it has. The program's own handler: the library installs none.
volatile std::sig_atomic_t asked_to_stop = 0;

class Listener final : public rooftune::TuneObserver {
public:
    bool stop() override { return asked_to_stop != 0; }
    void progress(const rooftune::TuneProgress& p) override { evaluated = p.evaluated; }
    void notice(const std::string& text) override { std::fprintf(stderr, "note: %s\n", text.c_str()); }
    std::uint64_t evaluated = 0;
};

int tune_and_run(const char* results) {
    const std::string size = std::to_string(kSize);
    rooftune::TuneProblem problem{"matmul", {{"m", size}, {"n", size}, {"k", size}, {"dtype", "f64"}}};
    problem.budget.evaluations = 24;
    problem.budget.seconds = 20.0;
    rooftune::TuneOptions options;
    if (results) options.common.results = results;
    options.audit = 0;
    Listener listener;
    const rooftune::TuneResult found = rooftune::tune(problem, options, &listener);
    if (found.best.empty()) {
        const bool stopped = found.certificate.stopped_by == "interrupted";
        std::fprintf(stderr, "error: %s\n",
                     stopped ? "stopped before anything was measured" : "no variant works here");
        return 1;
    }
    std::printf("%llu evaluations; the winner takes %.3g s, the naive loop %.3g times as long\n",
                static_cast<unsigned long long>(listener.evaluated), found.seconds.median,
                found.naive_ratio.median);

    // What it wrote is what plans read.
    const std::string folder = std::filesystem::path(found.config_file).parent_path().string();
    const rooftune::MatmulShape shape{kSize, kSize, kSize};
    rooftune::MatmulPlan<double> plan =
        rooftune::matmul_plan<double>(load_and_tell(folder.c_str()), shape, {});
    show(plan.choice());
    std::vector<double> a(kSize * kSize, 0.5), b(kSize * kSize, 2.0), c(kSize * kSize, 0.0);
    plan.run(a.data(), b.data(), c.data());
    for (const double x : c) {
        if (std::abs(x - static_cast<double>(kSize)) > 1e-9) {
            std::fprintf(stderr, "error: an element is %g\n", x);
            return 1;
        }
    }
    std::printf("the product is as it must be\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    // Variants are measured in processes of this program.
    if (const auto status = rooftune::serve_worker(argc, argv)) return *status;
    std::signal(SIGINT, [](int) { asked_to_stop = 1; });
    return end_well([&] { return tune_and_run(argc > 1 ? argv[1] : nullptr); });
}
