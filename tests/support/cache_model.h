// Caches to feed address streams to. The optimal one says what no cache can do without, so a lower bound on
// traffic may never be above it; the one with least-recently-used replacement is what estimates are compared
// with.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "models/traffic_parts.h"

namespace rooftune::test {

/// `bytes` bytes from `address` on, read or written.
struct Access {
    std::int64_t address = 0;
    int bytes = 8;
    bool write = false;
    bool nontemporal = false;
};
using Stream = std::vector<Access>;

/// Bytes exchanged with what lies beyond a cache.
struct Exchanged {
    double reads = 0.0;
    double writes = 0.0;
};

/// A fully associative cache that knows the future (Belady 1966), may let anything pass by, and never brings
/// in what is only overwritten. Reads and writes are each the least that any policy reaches, on their own:
/// one cache need not reach both at once, so their sum is a lower limit too, and a bound must be below all
/// three.
///
/// Both are the same question. A read costs nothing when its granule was kept since the access before it; a
/// value costs no write when it was kept, dirty, until it is overwritten or the stream ends. So each saving
/// is an interval of time that takes a place; as many of them as can lie side by side are kept by dropping,
/// whenever there is one too many, the one that ends last.
class OptimalCache {
public:
    /// Accesses are cut into granules of `granule` bytes: the elements' own size, or a line. A line that is
    /// written in part counts as written whole (it need not be fetched): never more than is exchanged.
    OptimalCache(const Stream& stream, int granule);

    /// With `capacity` bytes. Warm: whatever is best may lie there at the start.
    Exchanged least(std::int64_t capacity, bool warm) const;

private:
    struct Interval {
        std::int64_t begin, end;
    };
    static double dropped(const std::vector<Interval>& intervals, std::int64_t places);

    int granule_;
    std::vector<Interval> rereads_;      ///< from an access to the next one, a read
    std::vector<Interval> first_reads_;  ///< from before the start
    std::vector<Interval> values_;       ///< from a write to the next one, or past the end
};

/// Least recently used, set-associative, write-back, write-allocate. Non-temporal stores pass it by and are
/// combined to whole lines as long as not too many lines are under way at once.
class LruCache {
public:
    /// What misses and what is written back goes on to `beyond`, if any.
    explicit LruCache(const CacheShape& shape, LruCache* beyond = nullptr);

    void access(const Access& access);
    void run(const Stream& stream) {
        for (const Access& a : stream) access(a);
    }
    /// Forgets the counts, not what lies in the cache.
    void count_from_here() { read_lines_ = written_lines_ = 0; }

    /// Lines brought in and written beyond it since the counts began, in bytes. Dirty lines that are still
    /// there have not been written.
    Exchanged exchanged() const;

private:
    struct Line {
        std::int64_t tag = -1;
        bool dirty = false;
    };
    void touch(std::int64_t line, bool write, bool whole);
    void stream_past(std::int64_t line);
    void leave(const Line& line);

    std::int64_t line_bytes_;
    std::int64_t sets_ = 1;
    std::size_t ways_ = 0;
    std::vector<Line> lines_;  ///< of a set side by side, the most recently used first
    // A single set of many lines is kept as a list instead.
    bool listed_ = false;
    std::list<Line> order_;
    std::unordered_map<std::int64_t, std::list<Line>::iterator> at_;
    std::list<std::int64_t> combining_;
    LruCache* beyond_;
    std::int64_t read_lines_ = 0, written_lines_ = 0;
};

}  // namespace rooftune::test
