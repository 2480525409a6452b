// Lines of a text file with their numbers, for strict readers: every fault leaves with file and line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/sparse/text_source.h"

namespace rooftune::sparse {

class LineReader {
public:
    /// Matrix Market lines hold at most 1024 characters; comments in real files are longer at times.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 16;
    /// Text that a file may hold beyond 1024 bytes for each entry: stops gzip bombs made of comments,
    /// blank lines or spaces.
    static constexpr std::int64_t kLargestFiller = std::int64_t{1} << 28;

    /// Throws InputError when the file cannot be opened (TextSource::open).
    explicit LineReader(std::string file, std::int64_t largest_filler = kLargestFiller);

    /// The next line without its line end (LF or CRLF); false at the end of the file. The view is
    /// valid until the next call. Throws InputError on damaged gzip data, a line longer than
    /// kLongestLine, and more filler than allowed.
    bool next(std::string_view& line);

    /// Lines that follow, whole and with their line ends, as many as the buffer holds: nothing where only a
    /// last line without an end is left, or none. The buffer grows with each call up to kLongestAhead, so
    /// that small files stay cheap. Valid until the next call. Never throws for what the file holds: next()
    /// does, at its line.
    std::string_view ahead();
    static constexpr std::size_t kLongestAhead = std::size_t{1} << 24;  // bytes
    /// Passes over all that ahead() returned, so many lines.
    void pass(std::string_view ahead, std::int64_t lines);

    /// Number of the line handed out last, from 1.
    std::int64_t number() const { return number_; }
    /// True when the line handed out last was ended by the end of the file, not by a line end.
    bool unterminated() const { return unterminated_; }
    /// Tells the filler limit that this many entries have been read; the limit is checked with the next line.
    void entries_read(std::int64_t entries) { entries_ = entries; }
    /// Whether so many bytes more, with so many entries in them, stay below the filler limit.
    bool has_room_for(std::size_t bytes, std::int64_t entries) const;
    const std::string& file() const { return file_; }

    /// Throws InputError "FILE:LINE: what".
    [[noreturn]] void fail(std::int64_t line, const std::string& what) const;
    [[noreturn]] void fail(const std::string& what) const { fail(number_, what); }

private:
    bool fill();
    bool refill();
    void hand_out(std::size_t bytes, std::int64_t lines);

    std::string file_;
    std::unique_ptr<TextSource> source_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::int64_t number_ = 0;
    std::int64_t largest_filler_;
    std::int64_t text_ = 0;  // bytes handed out
    std::int64_t entries_ = 0;
    bool unterminated_ = false;
    bool at_end_ = false;
    std::string fault_;  ///< of the source, met while it was read ahead
};

}  // namespace rooftune::sparse
