#include "kernels/stencil/sweep.h"

#include <emmintrin.h>

#include <algorithm>

namespace rooftune::stencil {
namespace {

constexpr int kMostStreams = 8;
/// Streams take turns after so many bytes of a row: long enough to pay for the call, short enough for
/// all of them to be under way at once.
constexpr std::int64_t kTurnBytes = 1024;
constexpr int kRing = 3;  ///< planes of one step that the next one looks at

std::int64_t wrapped(std::int64_t i, std::int64_t n) {
    while (i < 0) i += n;
    while (i >= n) i -= n;
    return i;
}

/// The x = −1 and x = nx of a row just written: what is given there, or the row's other end.
template <typename T>
void close_row(const Grid& g, const std::byte* centre, std::byte* written) {
    T* row = reinterpret_cast<T*>(written);
    if (g.boundary == Boundary::periodic) {
        row[-1] = row[g.nx - 1];
        row[g.nx] = row[0];
    } else {
        const T* from = reinterpret_cast<const T*>(centre);
        row[-1] = from[-1];
        row[g.nx] = from[g.nx];
    }
}

class Walker {
public:
    Walker(const Pass& pass, std::byte* scratch) : p_(pass), g_(*pass.grid), scratch_(scratch) {
        close_ = g_.dtype == DType::f64 ? &close_row<double> : &close_row<float>;
    }

    void walk(const Block& block) {
        if (p_.depth > 1) {
            walk_fused(block);
        } else {
            walk_once(block);
        }
    }

private:
    /// Row of the array that the pass reads.
    const std::byte* read_row(std::int64_t y, std::int64_t z) const {
        if (g_.boundary == Boundary::periodic) {
            return p_.from + p_.layout->at(wrapped(y, g_.ny), wrapped(z, g_.nz));
        }
        const bool outside = y < 0 || y >= g_.ny || z < 0 || z >= g_.nz;
        return (outside ? p_.given : p_.from) + p_.layout->at(y, z);
    }
    std::byte* write_row(std::int64_t y, std::int64_t z) const { return p_.to + p_.layout->at(y, z); }

    RowArguments arguments() const {
        RowArguments a;
        a.end = g_.nx;
        a.prefetch = p_.prefetch;
        a.coefficients = p_.coefficients;
        return a;
    }

    template <typename ReadRow, typename WriteRow>
    void aim(RowArguments& a, RegisterBlock rows, std::int64_t y, std::int64_t z, ReadRow&& read,
             WriteRow&& write) const {
        int i = 0;
        for (int k = -1; k <= rows.z; ++k) {
            for (int j = -1; j <= rows.y; ++j) a.in[i++] = read(y + j, z + k);
        }
        i = 0;
        for (int k = 0; k < rows.z; ++k) {
            for (int j = 0; j < rows.y; ++j) a.out[i++] = write(y + j, z + k);
        }
    }

    void close(const RowArguments& a, RegisterBlock rows) const {
        int i = 0;
        for (int k = 1; k <= rows.z; ++k) {
            for (int j = 1; j <= rows.y; ++j) {
                close_(g_, static_cast<const std::byte*>(a.in[k * (rows.y + 2) + j]),
                       static_cast<std::byte*>(a.out[i++]));
            }
        }
    }

    void run_bundle(Kernel kernel, RegisterBlock rows, std::int64_t y, std::int64_t z) const {
        RowArguments a = arguments();
        aim(
            a, rows, y, z, [&](std::int64_t v, std::int64_t w) { return read_row(v, w); },
            [&](std::int64_t v, std::int64_t w) { return write_row(v, w); });
        kernel(a);
        if (!p_.last) close(a, rows);
    }

    /// `rows.z` planes from z on: bundles, then the rows left over one by one.
    void walk_planes(const Range& y, std::int64_t z, Kernel kernel, RegisterBlock rows) const {
        const std::int64_t bundled = y.size() / rows.y * rows.y;
        if (p_.streams > 1) {
            walk_streams({y.begin, y.begin + bundled}, z, kernel, rows);
        } else {
            for (std::int64_t v = y.begin; v < y.begin + bundled; v += rows.y) run_bundle(kernel, rows, v, z);
        }
        for (std::int64_t w = z; w < z + rows.z; ++w) {
            for (std::int64_t v = y.begin + bundled; v < y.end; ++v)
                run_bundle(p_.kernels.single, {1, 1}, v, w);
        }
    }

    /// The range cut into streams, a bundle of each in turn, and of these a piece in turn.
    void walk_streams(const Range& y, std::int64_t z, Kernel kernel, RegisterBlock rows) const {
        const std::int64_t bundles = y.size() / rows.y;
        const std::int64_t longest = blocks_in(bundles, p_.streams);
        const std::int64_t turn = kTurnBytes / g_.element();
        RowArguments a[kMostStreams];
        for (std::int64_t i = 0; i < longest; ++i) {
            int live = 0;
            for (int s = 0; s < p_.streams && s * longest + i < bundles; ++s) {
                a[live] = arguments();
                aim(
                    a[live], rows, y.begin + (s * longest + i) * rows.y, z,
                    [&](std::int64_t v, std::int64_t w) { return read_row(v, w); },
                    [&](std::int64_t v, std::int64_t w) { return write_row(v, w); });
                ++live;
            }
            for (std::int64_t x = 0; x < g_.nx; x += turn) {
                for (int s = 0; s < live; ++s) {
                    a[s].begin = x;
                    a[s].end = std::min(g_.nx, x + turn);
                    kernel(a[s]);
                }
            }
            if (p_.last) continue;
            for (int s = 0; s < live; ++s) close(a[s], rows);
        }
    }

    void walk_once(const Block& block) const {
        const RegisterBlock rows = p_.kernels.block;
        std::int64_t z = block.z.begin;
        for (; z + rows.z <= block.z.end; z += rows.z) walk_planes(block.y, z, p_.kernels.bundle, rows);
        for (; z < block.z.end; ++z) walk_planes(block.y, z, p_.kernels.single, {1, 1});
    }

    /// What step `k` (of 1 … depth) has to compute in one direction for the last one to be complete.
    Range widened(const Range& range, std::int64_t length, int k) const {
        const std::int64_t by = p_.depth - k;
        if (g_.boundary == Boundary::periodic) return {range.begin - by, range.end + by};
        return {std::max<std::int64_t>(0, range.begin - by), std::min(length, range.end + by)};
    }

    /// Row of step k's result in scratch. Planes of a step lie in a ring, rows from its least one on.
    std::byte* scratch_row(const Block& block, int k, std::int64_t y, std::int64_t z) const {
        const std::int64_t ghost = p_.depth - 1;
        const std::int64_t rows = block.y.size() + 2 * ghost;
        const std::int64_t plane = (k - 1) * kRing + (z + kRing * p_.depth) % kRing;
        return scratch_ + static_cast<std::int64_t>(kCacheLine) +
               (plane * rows + y - block.y.begin + ghost) * p_.layout->row_bytes;
    }

    /// One plane of each step in turn, each one plane behind the step before it: a plane that a step has
    /// written is read by the next while it is in the cache.
    void walk_fused(const Block& block) const {
        const Range first = widened(block.z, g_.nz, 1);
        const std::int64_t behind = p_.depth - 1;
        for (std::int64_t front = first.begin; front < block.z.end + behind; ++front) {
            for (int k = 1; k <= p_.depth; ++k) {
                const std::int64_t z = front - (k - 1);
                const Range planes = widened(block.z, g_.nz, k);
                if (z >= planes.begin && z < planes.end) step_plane(block, k, z);
            }
        }
    }

    void step_plane(const Block& block, int k, std::int64_t z) const {
        const Range y = widened(block.y, g_.ny, k);
        const bool to_scratch = k < p_.depth;
        const auto read = [&](std::int64_t v, std::int64_t w) -> const std::byte* {
            if (k == 1) return read_row(v, w);
            const bool outside =
                g_.boundary == Boundary::dirichlet && (v < 0 || v >= g_.ny || w < 0 || w >= g_.nz);
            if (outside) return p_.given + p_.layout->at(v, w);
            return scratch_row(block, k - 1, v, w);
        };
        const auto write = [&](std::int64_t v, std::int64_t w) {
            return to_scratch ? scratch_row(block, k, v, w) : write_row(v, w);
        };
        const auto run = [&](Kernel kernel, RegisterBlock rows, std::int64_t v) {
            RowArguments a = arguments();
            if (k > 1) a.prefetch = 0;
            aim(a, rows, v, z, read, write);
            kernel(a);
            if (to_scratch || !p_.last) close(a, rows);
        };
        const Kernels& kernels = p_.kernels;
        const int height = kernels.block.y;
        std::int64_t v = y.begin;
        for (; v + height <= y.end; v += height)
            run(to_scratch ? kernels.scratch_bundle : kernels.bundle, {height, 1}, v);
        for (; v < y.end; ++v) run(to_scratch ? kernels.scratch_single : kernels.single, {1, 1}, v);
    }

    const Pass& p_;
    const Grid& g_;
    std::byte* scratch_;
    void (*close_)(const Grid&, const std::byte*, std::byte*);
};

}  // namespace

std::int64_t scratch_bytes(const Grid& grid, const Layout& layout, int depth, std::int64_t block_y) {
    if (depth <= 1) return 0;
    const std::int64_t rows = std::min(block_y, grid.ny) + 2 * (depth - 1);
    return static_cast<std::int64_t>(kCacheLine) + (depth - 1) * kRing * rows * layout.row_bytes;
}

void sweep(const Pass& pass, std::span<const Block> blocks, std::byte* scratch) {
    Walker walker(pass, scratch);
    for (const Block& block : blocks) walker.walk(block);
    if (pass.fence) _mm_sfence();
}

}  // namespace rooftune::stencil
