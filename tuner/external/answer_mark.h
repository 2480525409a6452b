// Whether a run wrote its answer: a file that an earlier run left looks the same.
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace rooftune::external {

class AnswerMark {
public:
    /// Gives a file a time of its last change, in seconds since 1970. 0, or an errno.
    using SetTime = std::function<int(const std::string& path, time_t time)>;

    AnswerMark();
    /// With another way to do so, for tests.
    explicit AnswerMark(SetTime set_time) : set_time_(std::move(set_time)) {}

    /// Before a run. The file of an earlier one stays, since it may be one that its user needs, named by
    /// mistake: it gets a time by which it is known. Where its file system keeps none of them, what it holds
    /// is remembered, at most `most` bytes. Throws EnvironmentError where the file cannot be touched.
    void mark(const std::string& path, std::size_t most);

    /// After a run: whether there is a file, and another one than mark() found.
    bool is_written(const std::string& path) const;

private:
    /// A file whose time cannot be chosen.
    struct Remembered {
        std::array<std::int64_t, 6> facts{};  ///< times, size and place; each may change when it is written
        std::string text;
        bool operator==(const Remembered&) const = default;
    };
    static Remembered remembered(const std::string& path, std::size_t most);

    SetTime set_time_;
    std::size_t most_ = 0;
    std::optional<time_t> marked_;
    std::optional<Remembered> before_;
};

}  // namespace rooftune::external
