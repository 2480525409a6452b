#include "tuner/search/enumerate/opportunities.h"

namespace rooftune {
namespace {

class Alternatives {
public:
    Alternatives(const Space& space, const Variant& from, int parameter,
                 std::function<bool(const Variant&)> visit)
        : space_(space), from_(from), parameter_(parameter), visit_(std::move(visit)) {}

    /// Whether a valid variant lies below. Stops early once `visit` has returned false.
    bool below(const PartialVariant& partial) {
        const int p = space_.first_free(partial);
        if (p < 0) {
            stopped_ = stopped_ || !visit_(partial);
            return true;
        }
        std::vector<PartialVariant> children;
        space_.children(partial, children);
        // The variant's own value where that completes; the freed parameter takes every other one.
        for (const PartialVariant& child : children) {
            if (p != parameter_ && child[p] == from_[p] && below(child)) return true;
        }
        bool any = false;
        for (const PartialVariant& child : children) {
            if (stopped_) return true;
            if (child[p] != from_[p]) any = below(child) || any;
        }
        return any;
    }

private:
    const Space& space_;
    const Variant& from_;
    int parameter_;
    std::function<bool(const Variant&)> visit_;
    bool stopped_ = false;
};

}  // namespace

std::vector<Move> moves_from(const BoundSource& source, const Variant& variant, const Judge& judge,
                             std::uint64_t most) {
    std::vector<Move> moves;
    for (int p = 0; p < source.space->size(); ++p) {
        if (!variant.fixed(p)) continue;
        Move move;
        move.parameter = p;
        PartialVariant before = variant;
        for (int q = p; q < source.space->size(); ++q) before.free(q);
        const auto visit = [&](const Variant& alternative) {
            if (move.alternatives == most) {
                move.all_seen = false;
                return false;
            }
            ++move.alternatives;
            const double lower = source.lower(alternative);
            switch (judge(alternative, lower)) {
                case Standing::timed:
                    ++move.timed;
                    break;
                case Standing::excluded:
                    ++move.excluded;
                    break;
                case Standing::failed:
                    ++move.failed;
                    break;
                case Standing::open:
                    if (++move.open == 1 || lower < move.lower.value) {
                        move.best = alternative;
                        move.lower = Seconds(lower);
                    }
            }
            return true;
        };
        Alternatives(*source.space, variant, p, visit).below(before);
        if (move.alternatives > 0) moves.push_back(move);
    }
    return moves;
}

}  // namespace rooftune
