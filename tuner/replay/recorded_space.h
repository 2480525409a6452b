// A space that somebody measured whole, or in part: each configuration with its time, or why it has none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/search/strategies/listed_landscape.h"

namespace rooftune {

/// Kernel Tuner and T4 tell times in milliseconds.
inline constexpr double kMillisecond = 1e-3;

/// The value of a parameter in a configuration in which it does not exist.
inline constexpr const char* kAbsentValue = "absent";

struct RecordedParameter {
    std::string name;
    std::vector<std::string> values;  ///< as written, in the order of the file
    bool operator==(const RecordedParameter&) const = default;
};

struct RecordedConfiguration {
    std::vector<int> values;        ///< index of the value of each parameter
    std::optional<double> seconds;  ///< absent: it failed
    std::vector<double> samples{};  ///< seconds, where they were kept
    std::string failure{};          ///< as the file says it; empty where it did not fail
    double cost = 0.0;              ///< seconds that it took to find out: compiling, checking, running
    bool operator==(const RecordedConfiguration&) const = default;
};

/// Which of a space's variants were measured, as far as its file tells.
enum class Drawn {
    unknown,    ///< other people's files do not say
    whole,      ///< all of them
    uniform,    ///< drawn at random, each as likely as the other
    searched,   ///< chosen by bounds or by a strategy, which prefer good ones
    cut_short,  ///< a run through the space that did not come to its end
};

std::string_view to_text(Drawn drawn);

struct RecordedSpace {
    std::string name;  ///< "convolution_kernel on NVIDIA A100-PCIE-40GB"
    Drawn drawn = Drawn::unknown;
    std::vector<RecordedParameter> parameters;
    std::vector<RecordedConfiguration> configurations;  ///< at least one, none twice
    /// Times are of rooftune's records, each variant's latest alone: a tune's winner has another, of its
    /// finals.
    bool of_records = false;

    /// Seconds of the valid ones, ascending; a time that is none (NaN, zero, negative) is a failure.
    std::vector<double> sorted() const;
    /// What an evaluation costs whose cost was not kept, a crash say: as much as the others in the median;
    /// where none was kept, an evaluation is the unit.
    double unknown_cost() const;
    ListedLandscape landscape() const;
};

/// Throws InputError, which names the file, when a configuration is there twice.
void check_distinct(const RecordedSpace& space, const std::string& path);

/// Reads a Kernel Tuner cache (also one that was never closed), T4, KTT's output or what `export --format
/// rooftune` wrote, plain or gzip, or a job of a rooftune.db; which it is follows from the contents. `job`
/// names the store's job (store_jobs.h) and says nothing about the other formats; `notices` gets what the
/// store has to say of its state. Throws InputError: not readable, none of these, a configuration twice, a
/// time that is no positive number, no configuration that works, no such job.
RecordedSpace read_recorded_space(const std::string& path, const std::string& job = {},
                                  std::vector<std::string>* notices = nullptr);

}  // namespace rooftune
