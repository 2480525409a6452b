#include "tests/support/cache_model.h"

#include <algorithm>
#include <set>

namespace rooftune::test {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
constexpr std::size_t kMostScanned = 64;  ///< ways; a set of more is a list
constexpr std::size_t kCombined = 8;      ///< lines that non-temporal stores fill at once

}  // namespace

OptimalCache::OptimalCache(const Stream& stream, int granule) : granule_(granule) {
    struct Last {
        std::int64_t access = -1, write = -1;
    };
    std::unordered_map<std::int64_t, Last> last;
    std::int64_t now = 0;
    for (const Access& a : stream) {
        for (std::int64_t g = a.address / granule; g <= (a.address + a.bytes - 1) / granule; ++g, ++now) {
            Last& before = last[g];
            if (a.write) {
                if (before.write >= 0) values_.push_back({before.write, now});
                before.write = now;
            } else if (before.access >= 0) {
                rereads_.push_back({before.access, now});
            } else {
                first_reads_.push_back({-1, now});
            }
            before.access = now;
        }
    }
    for (const auto& [g, before] : last) {
        if (before.write >= 0) values_.push_back({before.write, kNever});
    }
    const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
    std::sort(rereads_.begin(), rereads_.end(), earlier);
    std::sort(values_.begin(), values_.end(), earlier);
}

double OptimalCache::dropped(const std::vector<Interval>& intervals, std::int64_t places) {
    std::multiset<std::int64_t> ends;
    double count = 0.0;
    for (const Interval& i : intervals) {
        // What ends at an access leaves its place to what begins there.
        while (!ends.empty() && *ends.begin() <= i.begin) ends.erase(ends.begin());
        ends.insert(i.end);
        if (static_cast<std::int64_t>(ends.size()) > places) {
            ends.erase(std::prev(ends.end()));
            count += 1.0;
        }
    }
    return count;
}

Exchanged OptimalCache::least(std::int64_t capacity, bool warm) const {
    const std::int64_t places = capacity / granule_;
    Exchanged least;
    if (warm) {
        std::vector<Interval> reads = first_reads_;
        reads.insert(reads.end(), rereads_.begin(), rereads_.end());
        least.reads = dropped(reads, places);
    } else {
        least.reads = static_cast<double>(first_reads_.size()) + dropped(rereads_, places);
    }
    least.writes = dropped(values_, places);
    least.reads *= granule_;
    least.writes *= granule_;
    return least;
}

LruCache::LruCache(const CacheShape& shape, LruCache* beyond)
    : line_bytes_(static_cast<std::int64_t>(shape.line.value)), beyond_(beyond) {
    const auto lines =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(shape.capacity.value) / line_bytes_);
    const std::int64_t ways = shape.ways > 0 ? std::min<std::int64_t>(shape.ways, lines) : lines;
    ways_ = static_cast<std::size_t>(ways);
    sets_ = std::max<std::int64_t>(1, lines / ways);
    listed_ = sets_ == 1 && ways_ > kMostScanned;
    if (!listed_) lines_.resize(static_cast<std::size_t>(sets_) * ways_);
}

void LruCache::leave(const Line& line) {
    if (line.tag < 0 || !line.dirty) return;
    ++written_lines_;
    if (beyond_) beyond_->touch(line.tag, true, true);
}

void LruCache::touch(std::int64_t line, bool write, bool whole) {
    const auto fetch = [&] {
        if (whole) return;
        ++read_lines_;
        if (beyond_) beyond_->touch(line, false, false);
    };
    if (listed_) {
        const auto it = at_.find(line);
        if (it != at_.end()) {
            it->second->dirty |= write;
            order_.splice(order_.begin(), order_, it->second);
            return;
        }
        fetch();
        if (order_.size() == ways_) {
            leave(order_.back());
            at_.erase(order_.back().tag);
            order_.pop_back();
        }
        order_.push_front({line, write});
        at_[line] = order_.begin();
        return;
    }
    Line* const set = lines_.data() + static_cast<std::size_t>(line % sets_) * ways_;
    Line* const end = set + ways_;
    Line* const found = std::find_if(set, end, [&](const Line& l) { return l.tag == line; });
    if (found != end) {
        found->dirty |= write;
        std::rotate(set, found, found + 1);
        return;
    }
    fetch();
    leave(end[-1]);
    std::rotate(set, end - 1, end);
    *set = {line, write};
}

void LruCache::stream_past(std::int64_t line) {
    if (std::find(combining_.begin(), combining_.end(), line) != combining_.end()) return;
    combining_.push_front(line);
    if (combining_.size() > kCombined) combining_.pop_back();
    ++written_lines_;
    // A copy that lies here is dropped: the store is newer.
    if (listed_) {
        const auto it = at_.find(line);
        if (it == at_.end()) return;
        order_.erase(it->second);
        at_.erase(it);
        return;
    }
    Line* const set = lines_.data() + static_cast<std::size_t>(line % sets_) * ways_;
    Line* const found = std::find_if(set, set + ways_, [&](const Line& l) { return l.tag == line; });
    if (found == set + ways_) return;
    std::rotate(found, found + 1, set + ways_);
    set[ways_ - 1] = {};
}

void LruCache::access(const Access& a) {
    for (std::int64_t line = a.address / line_bytes_; line <= (a.address + a.bytes - 1) / line_bytes_;
         ++line) {
        if (a.nontemporal) {
            stream_past(line);
        } else {
            touch(line, a.write, false);
        }
    }
}

Exchanged LruCache::exchanged() const {
    const auto bytes = static_cast<double>(line_bytes_);
    return {bytes * static_cast<double>(read_lines_), bytes * static_cast<double>(written_lines_)};
}

}  // namespace rooftune::test
