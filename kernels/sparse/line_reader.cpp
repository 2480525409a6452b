#include "kernels/sparse/line_reader.h"

#include <cstring>
#include <utility>

#include "kernels/runtime/error.h"

namespace rooftune::sparse {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;  // at first
static_assert(kBufferBytes > 2 * LineReader::kLongestLine);

/// Bytes a line of an entry may take by the format.
constexpr std::int64_t kEntryLine = 1024;

}  // namespace

LineReader::LineReader(std::string file, std::int64_t largest_filler)
    : file_(std::move(file)), buffer_(kBufferBytes), largest_filler_(largest_filler) {
    try {
        source_ = TextSource::open(file_);
    } catch (const SourceFault& fault) {
        throw InputError(file_ + ": " + fault.what());
    }
}

void LineReader::fail(std::int64_t line, const std::string& what) const {
    throw InputError(file_ + ":" + std::to_string(line) + ": " + what);
}

// More of the file, behind what is left of the buffer; false at its end. There must be room.
bool LineReader::fill() {
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    at_end_ = got == 0;
    end_ += got;
    return !at_end_;
}

bool LineReader::refill() {
    if (!fault_.empty()) fail(number_ + 1, fault_);
    try {
        return fill();
    } catch (const SourceFault& fault) {
        fail(number_ + 1, fault.what());
    }
}

void LineReader::hand_out(std::size_t bytes, std::int64_t lines) {
    begin_ += bytes;
    text_ += static_cast<std::int64_t>(bytes);
    number_ += lines;
}

bool LineReader::next(std::string_view& line) {
    const char* newline = nullptr;
    for (std::size_t searched = 0;;) {
        const char* from = buffer_.data() + begin_ + searched;
        newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
        searched = end_ - begin_;
        const std::size_t length =
            newline ? static_cast<std::size_t>(newline - (buffer_.data() + begin_)) : searched;
        if (length > kLongestLine) {
            fail(number_ + 1, "the line is longer than " + std::to_string(kLongestLine) +
                                  " bytes (the format allows 1024); is this a Matrix Market file?");
        }
        if (newline || !refill()) break;
    }
    if (!newline && begin_ == end_) return false;
    const std::size_t stop = newline ? static_cast<std::size_t>(newline - buffer_.data()) : end_;
    line = std::string_view(buffer_.data() + begin_, stop - begin_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    hand_out((newline ? stop + 1 : stop) - begin_, 1);
    unterminated_ = newline == nullptr;
    if (!has_room_for(0, 1)) {
        fail("more than " + std::to_string(largest_filler_ >> 20) +
             " MiB of text that is not entries (comments, blank lines, spaces): not a sensible Matrix Market "
             "file, perhaps a compression bomb; remove the filling");
    }
    return true;
}

std::string_view LineReader::ahead() {
    if (buffer_.size() < kLongestAhead) buffer_.resize(2 * buffer_.size());
    try {
        while (fault_.empty() && end_ - begin_ < buffer_.size() && fill()) {
        }
    } catch (const SourceFault& fault) {
        // Told at its line, behind what came before it. Not asked again: the source may have lost something.
        fault_ = fault.what();
    }
    const std::string_view all(buffer_.data() + begin_, end_ - begin_);
    return all.substr(0, all.rfind('\n') + 1);  // npos + 1 is 0
}

bool LineReader::has_room_for(std::size_t bytes, std::int64_t entries) const {
    return text_ + static_cast<std::int64_t>(bytes) <= largest_filler_ + kEntryLine * (entries_ + entries);
}

void LineReader::pass(std::string_view ahead, std::int64_t lines) {
    hand_out(ahead.size(), lines);
    unterminated_ = false;
}

}  // namespace rooftune::sparse
