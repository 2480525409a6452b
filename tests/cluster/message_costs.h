// What the coordinator's side of a simulated run costs beside its decisions: messages of the size that real
// ones have are read and written, lines go to a journal, and files of winners are drawn. The store is left
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/cluster/simulated_cluster.h"
#include "tuner/cluster/journal.h"
#include "tuner/cluster/message.h"

namespace rooftune::test {

class MessageCosts final : public SimulatedTraffic {
public:
    // What costs are of.
    static constexpr const char *kModel = "a node: `model` read",
                                *kRoofs = "ceilings of its class: `roofs` written",
                                *kRecord = "a variant: `begins` and `record` read",
                                *kTask = "a tune: `task` written, with what neighbours teach",
                                *kEnd = "a tune: `end` read", *kLine = "a tune: its line in the journal",
                                *kStored = "a tune: its result as text, for the store",
                                *kFiles = "a tune: config, header and plot written",
                                *kCompare = "a comparison: `task` written",
                                *kCompared = "a comparison: `end` read",
                                *kComparedLine = "a comparison: its line in the journal",
                                *kSet = "the set as text, each time that it is written";

    struct Cost {
        std::uint64_t count = 0;
        double seconds = 0.0;  ///< of CPU, all together
        double bytes = 0.0;    ///< of the message, all together
    };

    /// `result_file` holds a result as `tune --json` prints it. What is written goes to `folder`; tunes after
    /// the first `kept` leave no line in the journal and no files.
    MessageCosts(const std::string& result_file, const std::string& folder, std::size_t kept);

    void record() override;
    void task(const Assignment& assignment, std::size_t of_class) override;
    void roofs(const Machine& machine) override;
    void model(const Machine& machine) override;
    void end(const Assignment& assignment, std::size_t of_class, const TuneResult* result) override;
    void set(const TunedSet& set) override;

    /// By what they are of, in words.
    const std::map<std::string, Cost>& costs() const { return costs_; }

private:
    class Timed;

    Message heard(const std::string& line);

    std::string folder_;
    std::size_t kept_;
    TuneResult result_;
    Machine machine_;
    ClusterJournal journal_;
    MessageReader reader_{false};
    std::string begins_, record_, tune_end_, compare_end_;
    Json warm_start_;
    std::vector<JournalPlace> places_, results_;  ///< of the lines of tunes, and of their results
    std::uint64_t written_ = 0;
    std::map<std::string, Cost> costs_;
};

}  // namespace rooftune::test
