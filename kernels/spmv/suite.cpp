#include "kernels/spmv/suite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "kernels/sparse/hash.h"
#include "kernels/sparse/row_builder.h"

namespace rooftune::spmv {
namespace {

/// Two nodes that are coupled, the lower first; a node is a block of unknowns.
struct SuiteEdge {
    std::uint32_t low = 0, high = 0;
    std::uint32_t kept = 0;  ///< of the places of its block, row by row
};

double symmetric_value(std::uint64_t seed, std::int64_t row, std::int64_t col) {
    return place_value(seed, static_cast<std::uint64_t>(std::min(row, col)),
                       static_cast<std::uint64_t>(std::max(row, col)));
}

/// Nodes of `block` unknowns, the last one of what is left.
struct SuiteNodes {
    std::int64_t rows;
    std::int64_t block;
    std::int64_t count() const { return (rows + block - 1) / block; }
    std::int64_t first(std::int64_t node) const { return std::min(rows, node * block); }
    std::int64_t size(std::int64_t node) const { return first(node + 1) - first(node); }
};

/// Of candidate edges, those wanted first come first; among equals a hash of the place decides. As many are
/// taken as it takes for so many places in both triangles together, the last one as far as it is needed.
class EdgeChoice {
public:
    EdgeChoice(SuiteNodes nodes, std::uint64_t seed) : nodes_(nodes), seed_(seed) {}

    /// Nothing for a pair beyond the matrix, or of a node with itself.
    void offer(std::int64_t a, std::int64_t b, int turn) {
        const std::int64_t low = std::min(a, b), high = std::max(a, b);
        if (low < 0 || high >= nodes_.count() || low == high) return;
        const std::uint64_t order =
            mixed(mixed(seed_, static_cast<std::uint64_t>(low)), static_cast<std::uint64_t>(high));
        offered_.push_back({static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high),
                            (static_cast<std::uint64_t>(turn) << 60) | (order >> 4)});
    }

    std::vector<SuiteEdge> take(std::int64_t places) {
        const auto by_place = [](const Offer& a, const Offer& b) {
            return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.order < b.order;
        };
        std::sort(offered_.begin(), offered_.end(), by_place);
        offered_.erase(
            std::unique(offered_.begin(), offered_.end(),
                        [](const Offer& a, const Offer& b) { return a.low == b.low && a.high == b.high; }),
            offered_.end());
        std::sort(offered_.begin(), offered_.end(), [](const Offer& a, const Offer& b) {
            return a.order != b.order ? a.order < b.order : a.low != b.low ? a.low < b.low : a.high < b.high;
        });
        std::vector<SuiteEdge> edges;
        std::int64_t pairs = places / 2;
        for (const Offer& offer : offered_) {
            if (pairs == 0) break;
            const std::int64_t all = nodes_.size(offer.low) * nodes_.size(offer.high);
            const std::int64_t kept = std::min(all, pairs);
            edges.push_back({offer.low, offer.high, static_cast<std::uint32_t>(kept)});
            pairs -= kept;
        }
        // A pattern that offers too little is a mistake of this file, which its test finds.
        if (pairs > 0) throw std::logic_error("spmv suite: too few places are offered");
        return edges;
    }

private:
    struct Offer {
        std::uint32_t low, high;
        std::uint64_t order;
    };
    SuiteNodes nodes_;
    std::uint64_t seed_;
    std::vector<Offer> offered_;
};

/// The matrix of blocks on the diagonal, where `has_diagonal` says so, and of the edges in both triangles.
Csr symmetric_matrix(const SuiteNodes& nodes, std::vector<SuiteEdge> edges, std::uint64_t seed,
                     const std::function<bool(std::int64_t)>& has_diagonal) {
    const auto count = static_cast<std::size_t>(nodes.count());
    // Edges by each of their ends.
    std::vector<std::size_t> begin(count + 1, 0);
    for (const SuiteEdge& e : edges) {
        ++begin[e.low + std::size_t{1}];
        ++begin[e.high + std::size_t{1}];
    }
    for (std::size_t i = 0; i < count; ++i) begin[i + 1] += begin[i];
    struct End {
        std::uint32_t other;
        std::uint32_t kept;
        bool is_low;  ///< this node's unknowns are the rows of the block
    };
    std::vector<End> ends(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const SuiteEdge& e : edges) {
        ends[next[e.low]++] = {e.high, e.kept, true};
        ends[next[e.high]++] = {e.low, e.kept, false};
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::sort(ends.begin() + static_cast<std::ptrdiff_t>(begin[i]),
                  ends.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]),
                  [](const End& a, const End& b) { return a.other < b.other; });
    }
    // Visits the columns of a row, ascending.
    const auto each = [&](std::int64_t row, const auto& visit) {
        const std::int64_t node = row / nodes.block, at = row - nodes.first(node);
        const auto block_of = [&](std::int64_t other, std::int64_t kept, bool is_low) {
            for (std::int64_t k = 0; k < nodes.size(other); ++k) {
                const std::int64_t place = is_low ? at * nodes.size(other) + k : k * nodes.size(node) + at;
                if (place < kept) visit(nodes.first(other) + k);
            }
        };
        bool diagonal = !has_diagonal(node);
        const auto own = [&] {
            if (!diagonal) block_of(node, nodes.size(node) * nodes.size(node), true);
            diagonal = true;
        };
        for (std::size_t i = begin[static_cast<std::size_t>(node)];
             i < begin[static_cast<std::size_t>(node) + 1]; ++i) {
            if (ends[i].other > node) own();
            block_of(ends[i].other, ends[i].kept, ends[i].is_low);
        }
        own();
    };
    return build_rows(
        nodes.rows, nodes.rows,
        [&](std::int64_t row) {
            std::int64_t length = 0;
            each(row, [&](std::int64_t) { ++length; });
            return length;
        },
        [&](std::int64_t row, std::uint32_t* columns, double* values) {
            each(row, [&](std::int64_t column) {
                *columns++ = static_cast<std::uint32_t>(column);
                *values++ = symmetric_value(seed, row, column);
            });
        });
}

/// Offers candidates of node i: first those that are wanted most.
using Offering = std::function<void(EdgeChoice&, std::int64_t node, std::int64_t nodes)>;

Csr by_edges(const SuiteMatrix& which, std::int64_t block, std::uint64_t seed, const Offering& offer) {
    const SuiteNodes nodes{which.rows, block};
    std::int64_t on_diagonal = 0;
    for (std::int64_t node = 0; node < nodes.count(); ++node)
        on_diagonal += nodes.size(node) * nodes.size(node);
    EdgeChoice choice(nodes, seed);
    for (std::int64_t node = 0; node < nodes.count(); ++node) offer(choice, node, nodes.count());
    return symmetric_matrix(nodes, choice.take(which.stored - on_diagonal), seed,
                            [](std::int64_t) { return true; });
}

// A bar or a ball of bricks: the 13 neighbours ahead in a grid of so many nodes across, numbered along the
// bar last.
Offering bricks(std::int64_t nx, std::int64_t ny) {
    return [nx, ny](EdgeChoice& choice, std::int64_t node, std::int64_t) {
        for (std::int64_t z = -1; z <= 1; ++z) {
            for (std::int64_t y = -1; y <= 1; ++y) {
                for (std::int64_t x = -1; x <= 1; ++x) {
                    const std::int64_t ahead = (z * ny + y) * nx + x;
                    if (ahead > 0) choice.offer(node, node + ahead, ahead == 1 ? 0 : 1);
                }
            }
        }
    };
}

// A chain that is folded: neighbours along it, and pieces of it that lie beside each other.
void offer_protein(EdgeChoice& choice, std::int64_t node, std::int64_t nodes) {
    constexpr std::int64_t kPiece = 16, kContacts = 2;
    for (std::int64_t d = 1; d <= 10; ++d) choice.offer(node, node + d, 0);
    const std::int64_t piece = node / kPiece, pieces = (nodes + kPiece - 1) / kPiece;
    for (std::int64_t c = 0; c < kContacts; ++c) {
        const auto far = static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(piece * kContacts + c)) %
                                                   static_cast<std::uint64_t>(pieces));
        for (std::int64_t k = 0; k < kPiece; ++k) choice.offer(node, far * kPiece + k, 1);
    }
}

// A shell: its band, and where it closes two strips far from the diagonal.
void offer_shell(EdgeChoice& choice, std::int64_t node, std::int64_t nodes) {
    choice.offer(node, node + 1, 0);
    choice.offer(node, node + 2, 0);
    for (const std::int64_t d : {std::int64_t{3}, nodes / 5, nodes / 5 + 1}) choice.offer(node, node + d, 1);
}

// A hull: a band that is widest in the middle.
void offer_lens(EdgeChoice& choice, std::int64_t node, std::int64_t nodes) {
    const double along = static_cast<double>(node) / static_cast<double>(nodes);
    const auto width =
        static_cast<std::int64_t>(4.0 * along * (1.0 - along) * 0.03 * static_cast<double>(nodes));
    choice.offer(node, node + 1, 0);
    choice.offer(node, node + 2, 0);
    for (std::int64_t k = 1; k <= 5; ++k) choice.offer(node, node + 2 + std::max(k, width * k / 5), 1);
}

// A channel: a band, and arcs that leave it.
void offer_arcs(EdgeChoice& choice, std::int64_t node, std::int64_t nodes) {
    for (std::int64_t d = 1; d <= 3; ++d) choice.offer(node, node + d, 0);
    const double along = static_cast<double>(node) / static_cast<double>(nodes);
    const auto arc =
        static_cast<std::int64_t>(0.4 * std::sin(3.14159265358979 * along) * static_cast<double>(nodes));
    for (std::int64_t d = 0; d <= 2; ++d) choice.offer(node, node + 20 + arc + d, 1);
}

/// Numbers for one row, without state that rows would share.
class Draws {
public:
    Draws(std::uint64_t seed, std::int64_t row) : key_(mixed(seed, static_cast<std::uint64_t>(row))) {}
    double unit() { return unit_interval(mixed(key_ + count_++)); }
    std::int64_t below(std::int64_t n) {
        return std::min(n - 1, static_cast<std::int64_t>(unit() * static_cast<double>(n)));
    }
    /// A distance whose sign is drawn: short ones are frequent, the mean is `mean`.
    std::int64_t away(double mean) {
        const double length = -mean * std::log(1.0 - unit());
        return (unit() < 0.5 ? -1 : 1) * (1 + static_cast<std::int64_t>(length));
    }

private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

// Rows that couple with others anywhere, most of them near; one in six is empty.
Csr scattered(const SuiteMatrix& which, std::uint64_t seed) {
    const auto is_empty = [&](std::int64_t row) {
        return mixed(seed + 1, static_cast<std::uint64_t>(row)) % 6 == 0;
    };
    std::int64_t on_diagonal = 0;
    for (std::int64_t row = 0; row < which.rows; ++row) on_diagonal += !is_empty(row);
    // What is left for both triangles is even: one row goes without its diagonal where it must.
    std::int64_t without = -1;
    if ((which.stored - on_diagonal) % 2 != 0) {
        for (without = 0; is_empty(without);) ++without;
        --on_diagonal;
    }
    const SuiteNodes nodes{which.rows, 1};
    EdgeChoice choice(nodes, seed);
    for (std::int64_t row = 0; row < which.rows; ++row) {
        if (is_empty(row)) continue;
        Draws draws(seed + 2, row);
        for (int k = 0; k < 24; ++k) {
            const bool near = k < 14;
            const std::int64_t other = near ? row + draws.away(400.0) : draws.below(which.rows);
            if (other >= 0 && other < which.rows && !is_empty(other)) choice.offer(row, other, near ? 0 : 1);
        }
    }
    return symmetric_matrix(nodes, choice.take(which.stored - on_diagonal), seed,
                            [&](std::int64_t row) { return !is_empty(row) && row != without; });
}

// A circuit: wires between near nodes, a few far ones, and rails that thousands hang on.
void offer_circuit(EdgeChoice& choice, std::int64_t node, std::int64_t nodes) {
    Draws draws(17, node);
    choice.offer(node, node + 1, draws.unit() < 0.5 ? 0 : 2);
    choice.offer(node, node + draws.away(30.0), 0);
    choice.offer(node, node + draws.away(3000.0), 1);
    if (draws.unit() < 0.2) choice.offer(node, draws.below(nodes), 0);
    if (draws.unit() < 0.02) choice.offer(node, draws.below(40) * (nodes / 40), 0);
    choice.offer(node, node + draws.away(300.0), 2);
}

/// Rows of lengths in proportion to weights, together exactly which.stored, with columns as they are drawn.
Csr by_rows(const SuiteMatrix& which, std::uint64_t seed,
            const std::function<double(Draws&, std::int64_t)>& weight,
            const std::function<std::int64_t(Draws&, std::int64_t)>& column) {
    std::vector<double> until(static_cast<std::size_t>(which.rows) + 1, 0.0);
    for (std::int64_t row = 0; row < which.rows; ++row) {
        Draws draws(seed + 1, row);
        until[static_cast<std::size_t>(row) + 1] = until[static_cast<std::size_t>(row)] + weight(draws, row);
    }
    const auto ends_at = [&](std::int64_t row) {
        return std::llround(until[static_cast<std::size_t>(row)] / until.back() *
                            static_cast<double>(which.stored));
    };
    return build_rows(
        which.rows, which.cols, [&](std::int64_t row) { return ends_at(row + 1) - ends_at(row); },
        [&](std::int64_t row, std::uint32_t* columns, double* values) {
            const auto wanted = static_cast<std::size_t>(ends_at(row + 1) - ends_at(row));
            Draws draws(seed + 2, row);
            std::vector<std::uint32_t> drawn;
            // Where a row's own places are taken it goes on anywhere, so that it ends.
            for (int turn = 0; drawn.size() < wanted; ++turn) {
                while (drawn.size() < wanted) {
                    const std::int64_t at = turn < 8 ? column(draws, row) : draws.below(which.cols);
                    drawn.push_back(
                        static_cast<std::uint32_t>(std::clamp<std::int64_t>(at, 0, which.cols - 1)));
                }
                std::sort(drawn.begin(), drawn.end());
                drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
            }
            for (std::size_t i = 0; i < wanted; ++i) {
                columns[i] = drawn[i];
                values[i] = place_value(seed, static_cast<std::uint64_t>(row), drawn[i]);
            }
        });
}

Csr dense(const SuiteMatrix& which, std::uint64_t seed) {
    return build_rows(
        which.rows, which.cols, [&](std::int64_t) { return which.cols; },
        [&](std::int64_t row, std::uint32_t* columns, double* values) {
            for (std::int64_t column = 0; column < which.cols; ++column) {
                *columns++ = static_cast<std::uint32_t>(column);
                *values++ =
                    place_value(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
            }
        });
}

// Quarks hopping on a periodic lattice of 8^4 sites, 4 spins and 3 colours at each: along three axes each
// spin meets itself and a partner at both neighbours, along the fourth half of the spins go ahead and half go
// back.
Csr lattice(const SuiteMatrix& which, std::uint64_t seed) {
    constexpr std::int64_t kSide = 8, kSpins = 4, kColours = 3, kRow = 39;
    return build_rows(
        which.rows, which.cols, [](std::int64_t) { return kRow; },
        [&](std::int64_t row, std::uint32_t* columns, double* values) {
            const std::int64_t site = row / (kSpins * kColours), spin = row / kColours % kSpins;
            std::array<std::uint32_t, kRow> found{};
            std::size_t count = 0;
            const auto meet = [&](std::int64_t axis, std::int64_t step, std::int64_t other_spin) {
                std::int64_t stride = 1;
                for (std::int64_t a = 0; a < axis; ++a) stride *= kSide;
                const std::int64_t at = site / stride % kSide, to = (at + step + kSide) % kSide;
                const std::int64_t first = ((site + (to - at) * stride) * kSpins + other_spin) * kColours;
                for (std::int64_t colour = 0; colour < kColours; ++colour)
                    found[count++] = static_cast<std::uint32_t>(first + colour);
            };
            for (std::int64_t axis = 0; axis < 3; ++axis) {
                for (const std::int64_t step : {-1, 1}) {
                    meet(axis, step, spin);
                    meet(axis, step, axis == 2 ? (spin + 2) % kSpins : kSpins - 1 - spin);
                }
            }
            meet(3, spin < 2 ? 1 : -1, spin);
            std::sort(found.begin(), found.end());
            for (const std::uint32_t column : found) {
                *columns++ = column;
                *values++ = place_value(seed, static_cast<std::uint64_t>(row), column);
            }
        });
}

// States (i, j) with i + j < 1025, numbered by i, then j: each comes from itself and three neighbours, as far
// as there are.
Csr triangle(const SuiteMatrix& which, std::uint64_t seed) {
    constexpr std::int64_t kSide = 1025;
    const auto start_of = [](std::int64_t i) { return i * kSide - i * (i - 1) / 2; };
    const auto neighbours = [&](std::int64_t row, std::array<std::int64_t, 4>& columns) {
        // The i whose states begin at or before the row.
        auto i = static_cast<std::int64_t>(
            kSide + 0.5 - std::sqrt((kSide + 0.5) * (kSide + 0.5) - 2.0 * static_cast<double>(row)));
        while (start_of(i) > row) --i;
        while (start_of(i + 1) <= row) ++i;
        const std::int64_t j = row - start_of(i);
        std::size_t count = 0;
        if (i > 0) {
            columns[count++] = start_of(i - 1) + j;
            columns[count++] = start_of(i - 1) + j + 1;
        }
        if (j > 0) columns[count++] = row - 1;
        columns[count++] = row;
        return count;
    };
    return build_rows(
        which.rows, which.cols,
        [&](std::int64_t row) {
            std::array<std::int64_t, 4> columns{};
            return static_cast<std::int64_t>(neighbours(row, columns));
        },
        [&](std::int64_t row, std::uint32_t* columns, double* values) {
            std::array<std::int64_t, 4> found{};
            const std::size_t count = neighbours(row, found);
            for (std::size_t i = 0; i < count; ++i) {
                columns[i] = static_cast<std::uint32_t>(found[i]);
                values[i] =
                    place_value(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(found[i]));
            }
        });
}

// An economy by regions: itself, neighbours in its region, and the same place in a few others.
Csr economy(const SuiteMatrix& which, std::uint64_t seed) {
    constexpr std::int64_t kRegion = 500;
    return by_rows(
        which, seed, [](Draws& draws, std::int64_t) { return 0.4 + 1.2 * draws.unit(); },
        [](Draws& draws, std::int64_t row) {
            const double kind = draws.unit();
            if (kind < 0.25) return row;
            if (kind < 0.75) return row + draws.away(8.0);
            return row + kRegion * draws.away(1.0);
        });
}

// Pages: most have a link or two, few have thousands; they go to their own site, and to pages that all others
// know.
Csr web(const SuiteMatrix& which, std::uint64_t seed) {
    return by_rows(
        which, seed,
        [](Draws& draws, std::int64_t) { return 0.5 + std::min(3000.0, std::pow(1.0 - draws.unit(), -0.7)); },
        [&](Draws& draws, std::int64_t row) {
            if (draws.unit() < 0.7) return row + draws.away(40.0);
            const double share = draws.unit();
            return static_cast<std::int64_t>(share * share * share * static_cast<double>(which.cols));
        });
}

// Stretches of railway, each part of many rosters: few rows, very long, of lengths that differ by a hundred.
Csr rosters(const SuiteMatrix& which, std::uint64_t seed) {
    return by_rows(
        which, seed,
        [](Draws& draws, std::int64_t) {
            return std::min(21.0, 0.05 + 0.45 * std::pow(1.0 - draws.unit(), -0.6));
        },
        [&](Draws& draws, std::int64_t) { return draws.below(which.cols); });
}

using Maker = std::function<Csr(const SuiteMatrix&, std::uint64_t)>;

Maker edges_of(std::int64_t block, Offering offer) {
    return [block, offer = std::move(offer)](const SuiteMatrix& which, std::uint64_t seed) {
        return by_edges(which, block, seed, offer);
    };
}

struct Made {
    SuiteMatrix what;
    Maker make;
};

const std::vector<Made>& all_made() {
    static const std::vector<Made> all{
        {{"dense2", 2000, 2000, 4'000'000, false}, dense},
        {{"pdb1HYS", 36'417, 36'417, 4'344'765, true}, edges_of(3, offer_protein)},
        {{"consph", 83'334, 83'334, 6'010'480, true}, edges_of(3, bricks(53, 53))},
        {{"cant", 62'451, 62'451, 4'007'383, true}, edges_of(3, bricks(9, 9))},
        {{"pwtk", 217'918, 217'918, 11'634'424, true}, edges_of(6, offer_shell)},
        {{"rma10", 46'835, 46'835, 2'374'001, true}, edges_of(5, offer_arcs)},
        {{"qcd5_4", 49'152, 49'152, 1'916'928, false}, lattice},
        {{"shipsec1", 140'874, 140'874, 7'813'404, true}, edges_of(6, offer_lens)},
        {{"mac_econ_fwd500", 206'500, 206'500, 1'273'389, false}, economy},
        {{"mc2depi", 525'825, 525'825, 2'100'225, false}, triangle},
        {{"cop20k_A", 121'192, 121'192, 2'624'331, true}, scattered},
        {{"scircuit", 170'998, 170'998, 958'936, true}, edges_of(1, offer_circuit)},
        {{"webbase-1M", 1'000'005, 1'000'005, 3'105'536, false}, web},
        {{"rail4284", 4'284, 1'092'610, 11'279'748, false}, rosters},
    };
    return all;
}

}  // namespace

std::span<const SuiteMatrix> suite() {
    static const std::vector<SuiteMatrix> all = [] {
        std::vector<SuiteMatrix> list;
        for (const Made& made : all_made()) list.push_back(made.what);
        return list;
    }();
    return all;
}

Csr suite_matrix(const SuiteMatrix& which, std::uint64_t seed) {
    for (const Made& made : all_made()) {
        if (made.what.name == which.name) return made.make(made.what, seed);
    }
    throw std::logic_error("spmv suite: no matrix " + which.name);
}

}  // namespace rooftune::spmv
