#include "models/neighbours.h"

namespace rooftune {
namespace {

// Where values that stay forbid nearly all ways to decide those that appear, the search for one is given up.
constexpr int kMostSteps = 10'000;  // a change

/// The ways to complete one change of a variant.
class Completions {
public:
    Completions(const Space& space, const Variant& from, std::size_t most, std::vector<Variant>& out)
        : space_(space), from_(from), out_(out), enough_(out.size() + most) {}

    /// Decides parameter `p` and those after it; all before are decided.
    void add(PartialVariant& at, int p) {
        if (out_.size() >= enough_ || ++steps_ > kMostSteps) return;
        if (p == space_.size()) {
            out_.push_back(at);
            return;
        }
        const auto take = [&](int value) {
            at.fix(p, value);
            if (space_.allowed(at, p)) add(at, p + 1);
        };
        if (!space_.exists(at, p)) {
            take(PartialVariant::kAbsent);
        } else if (from_.fixed(p)) {
            take(from_[p]);
        } else {
            const std::size_t values = space_.parameters()[static_cast<std::size_t>(p)].values.size();
            for (std::size_t v = 0; v < values; ++v) take(static_cast<int>(v));
        }
        at.free(p);
    }

private:
    const Space& space_;
    const Variant& from_;
    std::vector<Variant>& out_;
    std::size_t enough_;
    int steps_ = 0;
};

}  // namespace

std::vector<Variant> neighbours(const Space& space, const Variant& variant, std::size_t most) {
    std::vector<Variant> found;
    PartialVariant before;
    for (int p = 0; p < space.size(); ++p) {
        const std::size_t values = space.parameters()[static_cast<std::size_t>(p)].values.size();
        for (std::size_t v = 0; variant.fixed(p) && v < values; ++v) {
            if (static_cast<int>(v) == variant[p]) continue;
            PartialVariant at = before;
            at.fix(p, static_cast<int>(v));
            if (space.allowed(at, p)) Completions(space, variant, most, found).add(at, p + 1);
        }
        before.fix(p, variant[p]);
    }
    return found;
}

}  // namespace rooftune
