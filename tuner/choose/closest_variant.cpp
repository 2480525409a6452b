#include "tuner/choose/closest_variant.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rooftune {
namespace {

constexpr double kUnlike = 100.0;
constexpr int kMostSteps = 20'000;

struct Pieces {
    std::string skeleton;  ///< the text with '#' for each number
    std::vector<double> numbers;
};

Pieces pieces_of(std::string_view text) {
    Pieces pieces;
    const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    for (std::size_t i = 0; i < text.size();) {
        if (!digit(i)) {
            pieces.skeleton += text[i++];
            continue;
        }
        double number = 0.0, place = 1.0;
        for (; digit(i); ++i) number = 10.0 * number + (text[i] - '0');
        if (i < text.size() && text[i] == '.' && digit(i + 1)) {
            for (++i; digit(i); ++i) number += (place *= 0.1) * (text[i] - '0');
        }
        pieces.skeleton += '#';
        pieces.numbers.push_back(number);
    }
    return pieces;
}

double in_powers_of_two(double a, double b) {
    return std::fabs(std::log2((1.0 + a) / (1.0 + b)));
}

// A value of the space may be a name with a number behind it, "whole" for all 150 columns: then the number is
// compared with a plain number that is wanted.
double value_distance_to(const ParameterValue& value, const std::string& wanted) {
    const double by_text = value_distance(value.text, wanted);
    if (by_text < kUnlike) return by_text;
    const Pieces pieces = pieces_of(wanted);
    const bool plain = pieces.skeleton == "#";
    return plain && value.kind == ValueKind::integer
               ? in_powers_of_two(static_cast<double>(value.number), pieces.numbers.front())
               : kUnlike;
}

class Search {
public:
    Search(const Space& space, const std::map<std::string, std::string>& wanted)
        : space_(space), wanted_(wanted) {}

    bool complete(PartialVariant& partial) {
        if (space_.complete(partial)) return true;
        if (++steps_ > kMostSteps) return false;
        std::vector<PartialVariant> children;
        space_.children(partial, children);
        std::vector<std::pair<double, PartialVariant>> by_distance;
        for (const PartialVariant& child : children) by_distance.emplace_back(far(partial, child), child);
        std::stable_sort(by_distance.begin(), by_distance.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [unused, child] : by_distance) {
            if (complete(child)) {
                partial = child;
                return true;
            }
        }
        return false;
    }

    int changed(const Variant& variant) const {
        const std::map<std::string, std::string> found = space_.to_map(variant);
        int count = 0;
        for (const auto& [name, text] : found) {
            const auto at = wanted_.find(name);
            count += at == wanted_.end() || at->second != text;
        }
        for (const auto& [name, text] : wanted_) count += !found.contains(name);
        return count;
    }

private:
    // Of what the child decides that its parent does not.
    double far(const PartialVariant& parent, const PartialVariant& child) const {
        double sum = 0.0;
        for (int p = 0; p < space_.size(); ++p) {
            if (!parent.free_at(p) || !child.fixed(p)) continue;
            const auto at = wanted_.find(space_.parameters()[static_cast<std::size_t>(p)].name);
            if (at != wanted_.end()) sum += value_distance_to(*space_.value(child, p), at->second);
        }
        return sum;
    }

    const Space& space_;
    const std::map<std::string, std::string>& wanted_;
    int steps_ = 0;
};

}  // namespace

double value_distance(std::string_view a, std::string_view b) {
    if (a == b) return 0.0;
    const Pieces left = pieces_of(a), right = pieces_of(b);
    if (left.skeleton != right.skeleton || left.numbers.empty()) return kUnlike;
    double sum = 0.0;
    for (std::size_t i = 0; i < left.numbers.size(); ++i)
        sum += in_powers_of_two(left.numbers[i], right.numbers[i]);
    return sum;
}

std::optional<ClosestVariant> closest_variant(const Space& space,
                                              const std::map<std::string, std::string>& wanted) {
    std::string why;
    if (const auto same = space.from_map(wanted, why)) return ClosestVariant{*same, 0};
    Search search(space, wanted);
    PartialVariant variant;
    if (!search.complete(variant)) return std::nullopt;
    return ClosestVariant{variant, search.changed(variant)};
}

}  // namespace rooftune
