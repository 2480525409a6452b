#include <algorithm>

#include "kernels/matmul/tiles.h"
#include "tests/support/address_streams.h"

namespace rooftune::test {
namespace {

using namespace rooftune::matmul;

constexpr std::int64_t kApart = std::int64_t{1} << 36;
constexpr int kPackedA = 3, kPackedB = 200, kEdgeB = 400;  ///< numbers of buffers; A, B and C are 0, 1, 2

/// The loops of one variant, with the names of engine.cpp.
class Walk {
public:
    Walk(const MatmulProblem& problem, const Choice& choice)
        : p_(problem), c_(choice), e_(static_cast<std::int64_t>(size_of(problem.dtype()))) {
        const std::int64_t most_columns = ceil_div(ceil_div(p_.n(), c_.nr), c_.grid.columns) * c_.nr;
        kc_ = std::min(c_.kc, p_.k());
        nc_ = std::min(c_.nc, most_columns);
        // As in the engine, one buffer does where there is one block.
        parities_ = kc_ == p_.k() && nc_ == most_columns ? 1 : 2;
        b_elements_ = ceil_div(nc_ * kc_ * e_, 4096) * 4096 / e_;
    }

    Run run() {
        const int threads = c_.grid.rows * c_.grid.columns;
        Run run;
        std::int64_t blocks = 0;
        for (int column = 0; column < c_.grid.columns; ++column) {
            const Range columns = columns_of(p_.n(), c_.nr, c_.grid, column);
            blocks = std::max(blocks, ceil_div(columns.size(), nc_) * ceil_div(p_.k(), kc_));
        }
        run.phases.assign(static_cast<std::size_t>(2 * blocks),
                          std::vector<Stream>(static_cast<std::size_t>(threads)));
        for (int t = 0; t < threads; ++t) thread(t, run);
        return run;
    }

private:
    std::int64_t a(std::int64_t i, std::int64_t p) const {
        return (p_.transpose_a() ? p * p_.lda() + i : i * p_.lda() + p) * e_;
    }
    std::int64_t b(std::int64_t p, std::int64_t j) const {
        return kApart + (p_.transpose_b() ? j * p_.ldb() + p : p * p_.ldb() + j) * e_;
    }
    std::int64_t c(std::int64_t i, std::int64_t j) const { return 2 * kApart + (i * p_.ldc() + j) * e_; }

    void read(std::int64_t address) { now_->push_back({address, static_cast<int>(e_), false, false}); }
    void write(std::int64_t address) { now_->push_back({address, static_cast<int>(e_), true, false}); }

    void thread(int thread, Run& run) {
        const int member = thread % c_.grid.rows;
        const int column = thread / c_.grid.rows;
        const Range rows = rows_of(p_.m(), c_.grid, member);
        const Range columns = columns_of(p_.n(), c_.nr, c_.grid, column);
        int parity = 0;
        std::size_t phase = 0;
        const auto at = [&](std::size_t number) {
            now_ = &run.phases[number][static_cast<std::size_t>(thread)];
        };
        for (std::int64_t j = columns.begin; j < columns.end; j += nc_) {
            for (std::int64_t p = 0; p < p_.k(); p += kc_, phase += 2) {
                columns_ = {j, std::min(j + nc_, columns.end)};
                depth_ = {p, std::min(p + kc_, p_.k())};
                packed_b_ = (kPackedB + column) * kApart + parity * b_elements_ * e_;
                edge_b_ = (kEdgeB + thread) * kApart;
                at(phase);
                if (c_.pack_b) {
                    pack_b(member);
                    parity = (parity + 1) % parities_;
                }
                at(phase + 1);
                if (const std::int64_t left = columns_.size() % c_.nr; !c_.pack_b && left > 0)
                    pack_rows_of_b(columns_.end - left, left, depth_, edge_b_);
                for (std::int64_t i = rows.begin; i < rows.end; i += c_.mc) {
                    rows_ = {i, std::min(i + c_.mc, rows.end)};
                    packed_a_ = (kPackedA + thread) * kApart;
                    pack_a();
                    multiply();
                }
            }
        }
    }

    /// Steps `steps` of columns j … j+count−1 to a strip of nr.
    void pack_rows_of_b(std::int64_t j, std::int64_t count, const Range& steps, std::int64_t to) {
        for (std::int64_t p = steps.begin; p < steps.end; ++p) {
            for (std::int64_t q = 0; q < c_.nr; ++q) {
                if (q < count) read(b(p, j + q));
                write(to + ((p - depth_.begin) * c_.nr + q) * e_);
            }
        }
    }

    void pack_b(int member) {
        const Range strips = part(ceil_div(columns_.size(), c_.nr), c_.grid.rows, member);
        const std::int64_t slice = p_.transpose_b() ? depth_.size() : 8;
        for (std::int64_t p = depth_.begin; p < depth_.end; p += slice) {
            const Range steps{p, std::min(p + slice, depth_.end)};
            for (std::int64_t s = strips.begin; s < strips.end; ++s) {
                const std::int64_t j = columns_.begin + s * c_.nr;
                pack_rows_of_b(j, std::min(c_.nr, columns_.end - j), steps,
                               packed_b_ + s * depth_.size() * c_.nr * e_);
            }
        }
    }

    std::int64_t height_of(std::int64_t rows) const {
        if (rows == c_.tile.mr) return rows;
        return height_for(tiles_of(p_.dtype(), c_.width_bits), c_.tile, static_cast<int>(rows));
    }

    void pack_a() {
        for (std::int64_t i = rows_.begin; i < rows_.end; i += c_.tile.mr) {
            const std::int64_t count = std::min<std::int64_t>(c_.tile.mr, rows_.end - i);
            if (count == c_.tile.mr && !c_.pack_a) continue;
            const std::int64_t width = height_of(count);
            const std::int64_t to = packed_a_ + (c_.pack_a ? (i - rows_.begin) * depth_.size() * e_ : 0);
            for (std::int64_t p = depth_.begin; p < depth_.end; ++p) {
                for (std::int64_t r = 0; r < width; ++r) {
                    if (r < count) read(a(i + r, p));
                    write(to + ((p - depth_.begin) * width + r) * e_);
                }
            }
        }
    }

    void multiply() {
        const std::int64_t down = ceil_div(rows_.size(), c_.tile.mr);
        const std::int64_t across = ceil_div(columns_.size(), c_.nr);
        for (std::int64_t outer = 0; outer < (c_.a_outer ? down : across); ++outer) {
            for (std::int64_t inner = 0; inner < (c_.a_outer ? across : down); ++inner)
                tile(c_.a_outer ? outer : inner, c_.a_outer ? inner : outer);
        }
    }

    void tile(std::int64_t s, std::int64_t q) {
        const std::int64_t i = rows_.begin + s * c_.tile.mr;
        const std::int64_t j = columns_.begin + q * c_.nr;
        const std::int64_t rows = std::min<std::int64_t>(c_.tile.mr, rows_.end - i);
        const std::int64_t columns = std::min(c_.nr, columns_.end - j);
        const bool tall = rows == c_.tile.mr;
        const bool wide = columns == c_.nr;
        const std::int64_t height = height_of(rows);
        const std::int64_t strip_a = packed_a_ + (c_.pack_a ? s * c_.tile.mr * depth_.size() * e_ : 0);
        for (std::int64_t p = depth_.begin; p < depth_.end; ++p) {
            const std::int64_t step = p - depth_.begin;
            for (std::int64_t r = 0; r < height; ++r)
                read(c_.pack_a || !tall ? strip_a + (step * height + r) * e_ : a(i + r, p));
            for (std::int64_t w = 0; w < c_.nr; ++w) {
                if (c_.pack_b) {
                    read(packed_b_ + ((q * depth_.size() + step) * c_.nr + w) * e_);
                } else {
                    read(wide ? b(p, j + w) : edge_b_ + (step * c_.nr + w) * e_);
                }
            }
        }
        const bool reads_c = depth_.begin > 0 || p_.beta() != 0.0;
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t w = 0; w < columns; ++w) {
                if (reads_c) read(c(i + r, j + w));
                write(c(i + r, j + w));
            }
        }
    }

    const MatmulProblem& p_;
    const Choice& c_;
    std::int64_t e_;
    std::int64_t kc_ = 1, nc_ = 1, b_elements_ = 0;
    int parities_ = 1;
    Range rows_, columns_, depth_;
    std::int64_t packed_a_ = 0, packed_b_ = 0, edge_b_ = 0;
    Stream* now_ = nullptr;
};

Stream naive_rows_of(const MatmulProblem& p, const Range& rows) {
    const auto e = static_cast<std::int64_t>(size_of(p.dtype()));
    Stream s;
    const auto touch = [&](int array, std::int64_t element, bool write) {
        s.push_back({array * kApart + element * e, static_cast<int>(e), write, false});
    };
    const auto of_a = [&](std::int64_t i, std::int64_t q) {
        touch(0, p.transpose_a() ? q * p.lda() + i : i * p.lda() + q, false);
    };
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t j = 0; j < p.n(); ++j) {
            if (p.beta() != 0.0) touch(2, i * p.n() + j, false);
            touch(2, i * p.n() + j, true);
        }
        if (p.transpose_b()) {
            for (std::int64_t j = 0; j < p.n(); ++j) {
                for (std::int64_t q = 0; q < p.k(); ++q) {
                    of_a(i, q);
                    touch(1, j * p.k() + q, false);
                }
                touch(2, i * p.n() + j, false);
                touch(2, i * p.n() + j, true);
            }
        } else {
            for (std::int64_t q = 0; q < p.k(); ++q) {
                of_a(i, q);
                for (std::int64_t j = 0; j < p.n(); ++j) {
                    touch(1, q * p.n() + j, false);
                    touch(2, i * p.n() + j, false);
                    touch(2, i * p.n() + j, true);
                }
            }
        }
    }
    return s;
}

}  // namespace

Run matmul_run(const MatmulProblem& problem, const Choice& choice) {
    if (!choice.naive) return Walk(problem, choice).run();
    Run run;
    run.phases.emplace_back();
    for (int t = 0; t < choice.threads; ++t)
        run.phases.back().push_back(naive_rows_of(problem, part(problem.m(), choice.threads, t)));
    return run;
}

}  // namespace rooftune::test
