// `rooftune track selftest`: what can a comparison detect on this machine? Known slow-downs are put into one
// arm, and the same judge as ever is asked.
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/execute.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_output.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/formats/result_json.h"
#include "tuner/measure/order_interval.h"
#include "tuner/store/machine_lock.h"
#include "tuner/track/compare_arms.h"
#include "tuner/track/compare_configs.h"
#include "tuner/track/compare_programs.h"
#include "tuner/track/selftest.h"
#include "tuner/track/selftest_arm.h"
#include "tuner/track/track_commands.h"
#include "tuner/track/track_selftest_text.h"

namespace rooftune {
namespace {

using track::Effect;
using track::Known;
using track::SelftestReport;

struct SelftestArguments {
    CommonFlags common;
    int runs = 6;
    double limit = 120.0;  ///< seconds, of all
    double delta = 0.0;    ///< 0: by the machine's history
};

constexpr const char* kControls[] = {"compute", "memory"};
constexpr int kKinds = static_cast<int>(std::size(kControls) * std::size(track::kEffects));
// A turn of an arm takes 50 ms or so.
constexpr double kTurnLimit = 20.0;

class Selftest {
public:
    explicit Selftest(const SelftestArguments& arguments) : a_(arguments) {
        report_.machine = new_machine().id;
        CompareRules rules;
        if (a_.delta > 0.0) rules.delta = a_.delta;
        report_.delta = delta_for(a_.common, rules, report_.machine);
        report_.asked = a_.runs;
    }

    SelftestReport run() {
        announce();
        const double start = clock_.now();
        // Kind by kind within a run: whenever it ends, each has had its share.
        for (int run = 0; run < a_.runs; ++run) {
            for (const char* control : kControls) {
                for (const Effect effect : track::kEffects) {
                    if (interrupted() || clock_.now() - start > a_.limit ||
                        !compare(control, effect, static_cast<std::uint64_t>(run))) {
                        report_.cut_short = true;
                        report_.seconds = clock_.now() - start;
                        return report_;
                    }
                }
            }
        }
        report_.seconds = clock_.now() - start;
        return report_;
    }

private:
    void notice(const std::string& text) const { notices(a_.common.quiet)(text); }

    // How long it will take, by a turn of each arm; and whether arms can be started at all.
    void announce() {
        double turns = 0.0;
        for (const char* control : kControls) {
            const Execution run = execute(selftest_arm(control, 1.0), kTurnLimit);
            if (interrupted()) return;
            if (!run.detail.empty())
                throw EnvironmentError(std::string("the arm of the self-test for ") + control +
                                       " does not run: " + run.detail);
            turns += run.seconds;
        }
        const double round = 4.0 * turns / static_cast<double>(std::size(kControls));
        const double least = round * track::kLooks.front().rounds * kKinds * a_.runs;
        notice(selftest_plan(kKinds * a_.runs, least, a_.limit));
    }

    bool compare(const std::string& control, Effect effect, std::uint64_t run) {
        const MachineLock lock([] { return !interrupted(); });
        if (!lock.held()) return false;
        const double work = 1.0 + track::injected(effect, report_.delta);
        screen_.next("a program of known length");
        ProgramArms arms({ProgramArm{selftest_arm(control, 1.0)}, ProgramArm{selftest_arm(control, work)}},
                         {.reads_time = true, .control = track::control_from(control), .limit = kTurnLimit},
                         screen_);
        const std::uint64_t seed = a_.common.seed + 1000003 * (run + 1) + report_.comparisons.size();
        const track::Compared compared = track::compare(arms, {seed, report_.delta});
        if (compared.interrupted) return false;
        report_.comparisons.push_back({control, effect, compared.judgement, compared.dropped});
        track::Comparison told;
        told.kernel = "self-test, " + control;
        told.judgement = compared.judgement;
        remember_noise(a_.common, report_.machine, told, [this](const std::string& text) { notice(text); });
        return true;
    }

    SelftestArguments a_;
    MeasuringScreen screen_{"comparing", "pair", 1, a_.common.quiet};
    SelftestReport report_;
    SystemStopwatch clock_;
};

int selftest(const SelftestArguments& a) {
    const OnProcessors stay(chosen_cpus(a.common));
    const SelftestReport report = Selftest(a).run();
    if (a.common.json) {
        print(json_text(to_json(report)));
    } else {
        print_page(selftest_text(report));
    }
    return exit_status(report);
}

}  // namespace

void add_track_selftest(Command& track) {
    auto a = std::make_shared<SelftestArguments>();
    Command app = track.command(
        "selftest", "What can this machine detect? Comparisons with known slow-downs, and without any");
    app.footer(
        "Compares a loop of products and a sum over memory with themselves, and with the same with twice the "
        "threshold\n"
        "and 10 % more work, as `rooftune compare` does. The noise that is seen counts for the machine's "
        "threshold.\n"
        "Exit status: 0 a slow-down of 10 % is detected reliably; 1 it is not; 3 it could not be measured.");
    add_program_flags(app, a->common);
    app.option("--runs", a->runs, "Comparisons of each kind").range(1, 10000).shows_default();
    app.option("--limit", a->limit, "Seconds after which no further comparison is begun")
        .positive()
        .shows_default();
    add_delta(app, a->delta);
    app.runs([a] { return selftest(*a); });
}

}  // namespace rooftune
