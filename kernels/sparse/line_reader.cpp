#include "kernels/sparse/line_reader.h"

#include <cstring>
#include <utility>

#include "kernels/runtime/error.h"

namespace rooftune::sparse {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
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

bool LineReader::refill() {
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    try {
        const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
        at_end_ = got == 0;
        end_ += got;
        text_ += static_cast<std::int64_t>(got);
    } catch (const SourceFault& fault) {
        fail(number_ + 1, fault.what());
    }
    if (text_ > largest_filler_ + kEntryLine * entries_ + static_cast<std::int64_t>(kBufferBytes)) {
        fail(number_ + 1,
             "more than " + std::to_string(largest_filler_ >> 20) +
                 " MiB of text that is not entries (comments, blank lines, spaces): not a sensible "
                 "Matrix Market file, perhaps a compression bomb; remove the filling");
    }
    return !at_end_;
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
    begin_ = newline ? stop + 1 : stop;
    unterminated_ = newline == nullptr;
    ++number_;
    return true;
}

}  // namespace rooftune::sparse
