// The arms of a comparison as they are on this machine: variants in worker processes, and programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/command/common_flags.h"
#include "tuner/engine/tune_job.h"
#include "tuner/measure/control_loop.h"
#include "tuner/measure/rounds.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/variant_turns.h"
#include "tuner/track/measuring_screen.h"

namespace rooftune {

/// What the arms of both kinds share: Ctrl-C, and the screen, which is the caller's.
class ScreenedArms : public track::Arms {
public:
    /// `in_seconds`: what is measured is a time, and no number that a program printed.
    ScreenedArms(MeasuringScreen& screen, bool in_seconds) : screen_(&screen), in_seconds_(in_seconds) {}
    bool interrupted() override;
    void progress(int rounds, const track::RoundTimes& times) override;

protected:
    /// The first round begins.
    void begins() { screen_->rounds_begin(); }

private:
    MeasuringScreen* screen_;
    bool in_seconds_;
};

/// Two variants of one problem, each turn in a worker process of its own. The control probes ceilings in one
/// worker that stays: it is the machine that is watched, not the process.
class VariantArms final : public ScreenedArms {
public:
    using Values = VariantTurns::Values;

    /// `watched` are the ceilings that the control probes, the first being the one that counts for drift;
    /// those that cannot be probed here are left out. `limit` in seconds. The descriptor is the caller's, −1
    /// without one.
    VariantArms(const WorkerSetup& setup, int shared_descriptor, const Values& base, const Values& candidate,
                const std::vector<Ceiling>& watched, double limit, const CommonFlags& common,
                MeasuringScreen& screen);

    Turn take(track::Arm arm) override;
    bool has_control() const override { return !watched_.empty(); }

    /// Ceilings that are probed, and the rates of each in every turn of the control.
    const std::vector<Ceiling>& watched() const { return watched_; }
    const std::vector<std::vector<double>>& rates() const { return rates_; }

private:
    Turn take_control();

    VariantTurns turns_, prober_;
    std::vector<Ceiling> watched_;
    std::vector<std::vector<double>> rates_;
};

/// A program with its arguments, and the folder that it runs in; empty: where this process is.
struct ProgramArm {
    std::vector<std::string> words;
    std::string folder{};
    /// Run before each of its turns, and not timed, in the folder where this process is: empty words for
    /// nothing. And as it was written, for messages.
    std::vector<std::string> prepare{};
    std::string prepare_text{};
};

/// How programs are run and timed.
struct ProgramRules {
    bool reads_time = false;                    ///< the last number that one prints is its time
    std::optional<track::ControlKind> control;  ///< empty: nothing is watched
    double limit = 2.0;                         ///< seconds that one turn may take
};

/// Programs, each turn a process: the baseline, then the others. Timed whole, or by the last number that they
/// print.
class ProgramArms final : public ScreenedArms {
public:
    ProgramArms(std::vector<ProgramArm> programs, const ProgramRules& rules, MeasuringScreen& screen);

    std::size_t count() const override { return programs_.size(); }
    /// Throws InputError where the preparation fails.
    Turn take(track::Arm arm) override;
    bool has_control() const override { return control_.has_value(); }

private:
    std::vector<ProgramArm> programs_;
    ProgramRules rules_;
    std::optional<track::ControlLoop> control_;
    SystemStopwatch stopwatch_;
};

/// Runs what prepares a turn of the program, if anything does. Throws InputError, with how it ended and the
/// end of its output, for one that cannot be started, fails or does not end; after Ctrl-C it returns.
void prepare(const ProgramArm& program);

}  // namespace rooftune
