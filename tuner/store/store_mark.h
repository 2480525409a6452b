// How far a store had come, kept in a file beside it (rooftune.db.mark). A write-ahead log that is cut at the
// end of a commit, or a store that is replaced by an older copy of itself, looks whole: only something
// outside it knows that there was more.
//
// The mark is raised after each commit and not forced to the device, so it may lag behind the store after a
// power cut, and never runs ahead of it. Without the file nothing is claimed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rooftune {

/// Largest ids that were committed, table by table; 0 for none.
struct StoreMark {
    std::int64_t origin = 0;  ///< checksum of the store's first job: tells stores apart
    std::int64_t jobs = 0, runs = 0, records = 0, history = 0;
    std::int64_t ended = 0;  ///< the last run whose end was committed
    bool operator==(const StoreMark&) const = default;
};

/// The larger of each; an origin that is known stays.
StoreMark raised(const StoreMark& a, const StoreMark& b);

/// One line of fixed length, so that it is written over in place.
std::string mark_text(const StoreMark& mark);
/// Nothing for a text that is not one, torn or of another version.
std::optional<StoreMark> mark_from(std::string_view text);

/// What a mark knows of that is not there; all zero when nothing is missing.
struct MissingRows {
    std::int64_t jobs = 0, runs = 0, records = 0, history = 0;
    bool end_of_run = false;  ///< the end and the result of run `ended`
    bool any() const { return jobs > 0 || runs > 0 || records > 0 || history > 0 || end_of_run; }
};

/// `there` is what the store holds now (`ended` counts when that run has an end). A mark of another store
/// tells nothing.
MissingRows missing_rows(const StoreMark& mark, const StoreMark& there);

/// "3 records and 1 run"
std::string phrase(const MissingRows& missing);

/// The file of a mark. What fails on it (a full disk, a read-only folder) is not worth a message: the mark
/// is evidence, nothing depends on it.
class MarkFile {
public:
    explicit MarkFile(std::string path) : path_(std::move(path)) {}

    std::optional<StoreMark> read() const;
    /// Raises what is there, in turn with other processes.
    void raise(const StoreMark& mark) const;
    /// Replaces what is there: the store was made anew, repaired or pruned.
    void set(const StoreMark& mark) const;

private:
    void update(const StoreMark& mark, bool replace) const;
    std::string path_;
};

}  // namespace rooftune
