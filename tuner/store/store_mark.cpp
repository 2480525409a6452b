#include "tuner/store/store_mark.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <vector>

#include "tuner/base/joined.h"
#include "tuner/store/checksum.h"

namespace rooftune {
namespace {

constexpr std::string_view kTitle = "rooftune-store-mark 1";
constexpr std::size_t kMarkBytes = 256;

std::string body_of(const StoreMark& mark) {
    char text[kMarkBytes];
    const int length =
        std::snprintf(text, sizeof text, "%s %020lld %020lld %020lld %020lld %020lld %020lld", kTitle.data(),
                      static_cast<long long>(mark.origin), static_cast<long long>(mark.jobs),
                      static_cast<long long>(mark.runs), static_cast<long long>(mark.records),
                      static_cast<long long>(mark.history), static_cast<long long>(mark.ended));
    return {text, static_cast<std::size_t>(length)};
}

std::string seal_of(std::string_view body) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx",
                  static_cast<unsigned long long>(Checksum().add(body).value()));
    return text;
}

std::optional<std::int64_t> number_from(std::string_view& text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<StoreMark> read_from(int descriptor) {
    char text[kMarkBytes];
    const ssize_t got = ::pread(descriptor, text, sizeof text, 0);
    if (got <= 0) return std::nullopt;
    return mark_from({text, static_cast<std::size_t>(got)});
}

}  // namespace

StoreMark raised(const StoreMark& a, const StoreMark& b) {
    return {b.origin != 0 ? b.origin : a.origin, std::max(a.jobs, b.jobs),       std::max(a.runs, b.runs),
            std::max(a.records, b.records),      std::max(a.history, b.history), std::max(a.ended, b.ended)};
}

std::string mark_text(const StoreMark& mark) {
    const std::string body = body_of(mark);
    return body + " " + seal_of(body) + "\n";
}

std::optional<StoreMark> mark_from(std::string_view text) {
    if (!text.starts_with(kTitle) || !text.ends_with('\n')) return std::nullopt;
    const std::size_t seal = text.rfind(' ');
    if (text.substr(seal + 1, text.size() - seal - 2) != seal_of(text.substr(0, seal))) return std::nullopt;
    std::string_view rest = text.substr(kTitle.size(), seal - kTitle.size());
    StoreMark mark;
    for (std::int64_t* field :
         {&mark.origin, &mark.jobs, &mark.runs, &mark.records, &mark.history, &mark.ended}) {
        const std::optional<std::int64_t> value = number_from(rest);
        if (!value) return std::nullopt;
        *field = *value;
    }
    return rest.empty() ? std::optional(mark) : std::nullopt;
}

MissingRows missing_rows(const StoreMark& mark, const StoreMark& there) {
    if (mark.origin != 0 && there.origin != 0 && mark.origin != there.origin) return {};
    const auto beyond = [](std::int64_t known, std::int64_t now) {
        return std::max<std::int64_t>(0, known - now);
    };
    MissingRows missing{beyond(mark.jobs, there.jobs), beyond(mark.runs, there.runs),
                        beyond(mark.records, there.records), beyond(mark.history, there.history), false};
    // A run that is gone is counted above.
    missing.end_of_run = mark.ended > there.ended && mark.ended <= there.runs;
    return missing;
}

std::string phrase(const MissingRows& missing) {
    std::vector<std::string> parts;
    const auto part = [&](std::int64_t count, const char* one, const char* several) {
        if (count > 0) parts.push_back(std::to_string(count) + " " + (count == 1 ? one : several));
    };
    part(missing.records, "record", "records");
    part(missing.runs, "run", "runs");
    part(missing.jobs, "job", "jobs");
    part(missing.history, "row of history", "rows of history");
    if (missing.end_of_run) parts.emplace_back("the result of a run");
    return joined(parts);
}

std::optional<StoreMark> MarkFile::read() const {
    // O_NONBLOCK: a FIFO that nobody writes to would be waited for.
    const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    const std::optional<StoreMark> mark = read_from(descriptor);
    ::close(descriptor);
    return mark;
}

void MarkFile::raise(const StoreMark& mark) const {
    update(mark, false);
}
void MarkFile::set(const StoreMark& mark) const {
    update(mark, true);
}

void MarkFile::update(const StoreMark& mark, bool replace) const {
    const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) return;
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    const StoreMark old = replace ? StoreMark{} : read_from(descriptor).value_or(StoreMark{});
    const StoreMark fresh = replace ? mark : raised(old, mark);
    const std::string text = mark_text(fresh);
    if (replace || !(fresh == old)) {
        // A write that fails or is torn leaves no mark, and no mark claims nothing.
        if (::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
            static_cast<void>(!::ftruncate(descriptor, static_cast<off_t>(text.size())));
    }
    ::close(descriptor);
}

}  // namespace rooftune
