// Schedules of a matrix product as streams of word addresses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/cache_model.h"

namespace rooftune::product_test {

struct Shape {
    int m, n, k;
    bool reads_c;  ///< C is also an input (beta is not 0)
};

struct Access {
    std::int64_t word;
    bool write;
};

struct Tile {
    int m, n, k;
};

/// Collects the accesses of single products. Each loads its three operands (a sum's first product finds
/// nothing to load, unless C is an input) and stores the sum.
class Stream {
public:
    explicit Stream(const Shape& s) : s_(s), begun_(static_cast<std::size_t>(s.m * s.n), s.reads_c) {}

    std::int64_t a(int i, int p) const { return std::int64_t{i} * s_.k + p; }
    std::int64_t b(int p, int j) const { return kFar + std::int64_t{p} * s_.n + j; }
    std::int64_t c(int i, int j) const { return 2 * kFar + std::int64_t{i} * s_.n + j; }
    /// One of several partial sums of an element.
    std::int64_t part(int q, int i, int j) const { return (3 + q) * kFar + std::int64_t{i} * s_.n + j; }

    void product(int i, int j, int p) {
        read(a(i, p));
        read(b(p, j));
        const auto at = static_cast<std::size_t>(i * s_.n + j);
        if (begun_[at]) read(c(i, j));
        begun_[at] = true;
        write(c(i, j));
    }
    void read(std::int64_t word) { accesses_.push_back({word, false}); }
    void write(std::int64_t word) { accesses_.push_back({word, true}); }
    std::vector<Access> take() { return std::move(accesses_); }

private:
    static constexpr std::int64_t kFar = 1'000'000;
    Shape s_;
    std::vector<bool> begun_;
    std::vector<Access> accesses_;
};

/// Three plain loops, outermost first: "ijk" keeps a sum, "ikj" walks rows, "kij" adds outer products.
inline std::vector<Access> in_order(const Shape& s, const std::string& loops) {
    Stream out(s);
    const std::map<char, int> extent = {{'i', s.m}, {'j', s.n}, {'k', s.k}};
    std::map<char, int> at;
    for (at[loops[0]] = 0; at[loops[0]] < extent.at(loops[0]); ++at[loops[0]]) {
        for (at[loops[1]] = 0; at[loops[1]] < extent.at(loops[1]); ++at[loops[1]]) {
            for (at[loops[2]] = 0; at[loops[2]] < extent.at(loops[2]); ++at[loops[2]])
                out.product(at['i'], at['j'], at['k']);
        }
    }
    return out.take();
}

/// Blocks of C, all of k for each; inside a block outer products. A block of √S words is the best there is.
inline std::vector<Access> tiled(const Shape& s, const Tile& t) {
    Stream out(s);
    for (int i0 = 0; i0 < s.m; i0 += t.m) {
        for (int j0 = 0; j0 < s.n; j0 += t.n) {
            for (int p0 = 0; p0 < s.k; p0 += t.k) {
                for (int p = p0; p < std::min(s.k, p0 + t.k); ++p) {
                    for (int i = i0; i < std::min(s.m, i0 + t.m); ++i) {
                        for (int j = j0; j < std::min(s.n, j0 + t.n); ++j) out.product(i, j, p);
                    }
                }
            }
        }
    }
    return out.take();
}

/// Each block of C in registers over all of k: only A and B are loaded, and C at most once.
inline std::vector<Access> register_tiles(const Shape& s, int rows, int cols) {
    Stream out(s);
    for (int i0 = 0; i0 < s.m; i0 += rows) {
        for (int j0 = 0; j0 < s.n; j0 += cols) {
            const int i1 = std::min(s.m, i0 + rows);
            const int j1 = std::min(s.n, j0 + cols);
            for (int p = 0; p < s.k; ++p) {
                for (int i = i0; i < i1; ++i) out.read(out.a(i, p));
                for (int j = j0; j < j1; ++j) out.read(out.b(p, j));
            }
            for (int i = i0; i < i1; ++i) {
                for (int j = j0; j < j1; ++j) {
                    if (s.reads_c) out.read(out.c(i, j));
                    out.write(out.c(i, j));
                }
            }
        }
    }
    return out.take();
}

/// k in `parts` pieces, each with sums of its own that begin from nothing, added up at the end.
inline std::vector<Access> partial_sums(const Shape& s, int parts) {
    Stream out(s);
    for (int q = 0; q < parts; ++q) {
        const int from = s.k * q / parts;
        const int to = s.k * (q + 1) / parts;
        for (int p = from; p < to; ++p) {
            for (int i = 0; i < s.m; ++i) {
                for (int j = 0; j < s.n; ++j) {
                    out.read(out.a(i, p));
                    out.read(out.b(p, j));
                    if (p > from) out.read(out.part(q, i, j));
                    out.write(out.part(q, i, j));
                }
            }
        }
    }
    for (int i = 0; i < s.m; ++i) {
        for (int j = 0; j < s.n; ++j) {
            for (int q = 0; q < parts; ++q) {
                if (s.k * q / parts < s.k * (q + 1) / parts) out.read(out.part(q, i, j));
            }
            if (s.reads_c) out.read(out.c(i, j));
            out.write(out.c(i, j));
        }
    }
    return out.take();
}

/// The products in any order.
inline std::vector<Access> shuffled(const Shape& s, unsigned seed) {
    std::vector<std::array<int, 3>> products;
    for (int i = 0; i < s.m; ++i) {
        for (int j = 0; j < s.n; ++j) {
            for (int p = 0; p < s.k; ++p) products.push_back({i, j, p});
        }
    }
    std::mt19937 random(seed);
    for (std::size_t i = products.size(); i > 1; --i) std::swap(products[i - 1], products[random() % i]);
    Stream out(s);
    for (const auto& [i, j, p] : products) out.product(i, j, p);
    return out.take();
}

/// As a cache is fed: a word is a byte there.
inline test::Stream bytes_of(const std::vector<Access>& accesses) {
    test::Stream stream;
    for (const Access& a : accesses) stream.push_back({a.word, 1, a.write, false});
    return stream;
}

}  // namespace rooftune::product_test
