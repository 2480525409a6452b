// What a job over many nodes has come to, on disk: one line a task that ended, in order. A coordinator that
// died is replaced by the next one, which reads it. Results and what they teach stay on disk until they are
// asked for, so that memory does not grow with the job.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tuner/base/descriptor.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

/// Place of a line in the file.
using JournalPlace = std::int64_t;

class ClusterJournal {
public:
    /// Opens the file, or makes it with this first line, which says what job it is of. One of another job is
    /// kept aside as FILE.other. `fresh`: one that is there is dropped. Throws EnvironmentError, also where
    /// another process has it open.
    ClusterJournal(const std::string& file, const Json& job, bool fresh);

    /// Of another job's, where one was found: where it is now.
    const std::string& set_aside() const { return set_aside_; }

    /// The lines that an earlier run left, in order. A last one without its end was being written when it
    /// died, and is cut off.
    void each(const std::function<void(JournalPlace, const Json&)>& line);

    /// Appends and syncs. Throws EnvironmentError where the disk is full; the file is then as it was.
    JournalPlace add(const Json& line);
    /// Two lines at once, of which the second is there only where the first is.
    std::pair<JournalPlace, JournalPlace> add(const Json& first, const Json& second);

    /// A line that is there.
    Json at(JournalPlace place) const;

    /// The job has come to its end.
    void remove();

private:
    void write(const std::string& text);

    std::string file_, set_aside_;
    Descriptor fd_;
    std::int64_t end_ = 0;
};

}  // namespace rooftune
