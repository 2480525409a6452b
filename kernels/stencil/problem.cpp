#include "kernels/stencil/problem.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/whole_number.h"

namespace rooftune::stencil {
namespace {

/// Beyond this a product of three sizes and an element's bytes could leave 64 bits; nobody has the memory.
constexpr std::int64_t kLongest = std::int64_t{1} << 40;

std::string readable(double bytes) {
    constexpr double kMiB = 1024.0 * 1024.0;
    char text[64];
    std::snprintf(text, sizeof text, bytes >= 1024.0 * kMiB ? "%.3g GiB" : "%.3g MiB",
                  bytes >= 1024.0 * kMiB ? bytes / kMiB / 1024.0 : bytes / kMiB);
    return text;
}

void check_keys(const ProblemSpec& spec) {
    std::vector<std::string> known;
    for (const ProblemKey& key : StencilProblem::keys()) known.push_back(key.name);
    for (const auto& [key, value] : spec) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw InputError("stencil: unknown key '" + key + "'; " + suggestion(key, known));
        if (value.empty()) {
            throw InputError("stencil: the key '" + key + "' has no value; give one, as in " + key +
                             "=VALUE, or leave it out");
        }
    }
}

std::int64_t size_from(const std::string& key, const std::string& text, std::int64_t most) {
    std::int64_t value = 0;
    const std::errc error = read_whole_number(text, value);
    if (error == std::errc::invalid_argument || (error == std::errc() && value < 1)) {
        throw InputError("stencil: '" + key + "' is '" + text + "'; give a whole number from 1 on, as in " +
                         key + "=64");
    }
    if (error == std::errc::result_out_of_range || value > most) {
        throw InputError("stencil: '" + key + "' is " + text + ", and at most " + std::to_string(most) +
                         " is possible; take a smaller one");
    }
    return value;
}

std::string one_of(const ProblemSpec& spec, const std::string& key, const std::vector<std::string>& values) {
    const auto at = spec.find(key);
    if (at == spec.end()) return values.front();
    if (std::find(values.begin(), values.end(), at->second) != values.end()) return at->second;
    throw InputError("stencil: '" + key + "' is '" + at->second + "'; " + suggestion(at->second, values));
}

int points_from(const ProblemSpec& spec) {
    const auto at = spec.find("points");
    if (at != spec.end() && (at->second == "5" || at->second == "9")) {
        throw InputError("stencil: 'points' is '" + at->second +
                         "', which is a stencil in two dimensions; grids here have three, with 7 points (a "
                         "point and its faces) or 27 (edges and corners too)");
    }
    return one_of(spec, "points", {"7", "27"}) == "27" ? 27 : 7;
}

/// Bytes of the arrays, and of what tuning has beside them: the answers of three seeds with what computes one
/// of them. A double, so that absurd sizes do not overflow.
double needed_bytes(const Grid& g, bool to_tune) {
    const double x = static_cast<double>(g.nx) + 2.0;
    const double layer = x * (static_cast<double>(g.ny) + 2.0) * (static_cast<double>(g.nz) + 2.0);
    // Several steps may be one pass, which needs no third array; variants of several passes do.
    const double arrays = to_tune && g.steps > 1 ? 3.0 : 2.0;
    return layer * (arrays * static_cast<double>(g.element()) + (to_tune ? 5.0 * 8.0 : 0.0));
}

}  // namespace

std::vector<ProblemKey> StencilProblem::keys() {
    return {
        {"points", "7 (a point and its faces) or 27 (edges and corners too)", "7"},
        {"nx", "points along x, the unit-stride direction", ""},
        {"ny", "points along y", ""},
        {"nz", "points along z", ""},
        {"dtype", "element type: f64 or f32", "f64"},
        {"steps", "time steps; seconds are for all of them", "1"},
        {"boundary", "dirichlet (given values around the grid) or periodic", "dirichlet"},
    };
}

std::unique_ptr<StencilProblem> StencilProblem::load(const ProblemSpec& spec, double available,
                                                     bool to_tune) {
    check_keys(spec);
    Grid g;
    // First, since whoever has another stencil in mind has no third size to give.
    g.points = points_from(spec);
    for (const auto& [key, to] : {std::pair{"nx", &g.nx}, std::pair{"ny", &g.ny}, std::pair{"nz", &g.nz}}) {
        const auto at = spec.find(key);
        if (at == spec.end()) {
            throw InputError(std::string("stencil: '") + key +
                             "' is missing; give the grid's size, as in nx=384,ny=384,nz=384");
        }
        *to = size_from(key, at->second, kLongest);
    }
    if (const auto at = spec.find("steps"); at != spec.end())
        g.steps = size_from("steps", at->second, 1'000'000);
    g.dtype = *real_dtype_from(one_of(spec, "dtype", {"f64", "f32"}));
    g.boundary = one_of(spec, "boundary", {"dirichlet", "periodic"}) == "periodic" ? Boundary::periodic
                                                                                   : Boundary::dirichlet;
    if (const double needed = needed_bytes(g, to_tune); needed > available) {
        throw InputError("stencil: a grid of " + spec.at("nx") + " x " + spec.at("ny") + " x " +
                         spec.at("nz") + " needs about " + readable(needed) + " of memory" +
                         (to_tune ? " to tune" : "") + " and " + readable(std::max(0.0, available)) +
                         " are free; take a smaller grid or a machine with more memory");
    }
    return std::make_unique<StencilProblem>(g);
}

ProblemSpec StencilProblem::spec() const {
    return {{"points", std::to_string(grid_.points)},
            {"nx", std::to_string(grid_.nx)},
            {"ny", std::to_string(grid_.ny)},
            {"nz", std::to_string(grid_.nz)},
            {"dtype", std::string(to_text(grid_.dtype))},
            {"steps", std::to_string(grid_.steps)},
            {"boundary", grid_.boundary == Boundary::periodic ? "periodic" : "dirichlet"}};
}

std::string StencilProblem::title() const {
    std::string text = std::to_string(grid_.points) + "-point " + std::to_string(grid_.nx) + "x" +
                       std::to_string(grid_.ny) + "x" + std::to_string(grid_.nz);
    if (grid_.boundary == Boundary::periodic) text += " periodic";
    if (grid_.steps > 1) text += ", " + std::to_string(grid_.steps) + " steps";
    return text + " " + std::string(to_text(grid_.dtype));
}

// FNV-1a of the canonical keys: a problem is nothing but these.
std::string StencilProblem::digest() const {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](const std::string& text) {
        for (const char c : text + "\n") {
            hash ^= static_cast<unsigned char>(c);
            hash *= 0x100000001b3U;
        }
    };
    for (const auto& [key, value] : spec()) {
        add(key);
        add(value);
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::vector<std::pair<std::string, double>> StencilProblem::facts() const {
    const auto volume = static_cast<double>(grid_.volume());
    return {{"nx", static_cast<double>(grid_.nx)},
            {"ny", static_cast<double>(grid_.ny)},
            {"nz", static_cast<double>(grid_.nz)},
            {"points", volume},
            {"steps", static_cast<double>(grid_.steps)},
            {"flops_a_point", static_cast<double>(flops_a_point(grid_.points))},
            {"halo_elements", static_cast<double>(halo_elements(grid_))},
            {"array_bytes", volume * static_cast<double>(grid_.element())}};
}

std::vector<std::pair<std::string, double>> StencilProblem::features() const {
    const auto log2_of = [](std::int64_t n) { return std::log2(static_cast<double>(n)); };
    return {{"log2(nx)", log2_of(grid_.nx)},
            {"log2(ny)", log2_of(grid_.ny)},
            {"log2(nz)", log2_of(grid_.nz)},
            {"log2(steps)", log2_of(grid_.steps)},
            {"2*(points==27)", grid_.points == 27 ? 2.0 : 0.0},
            {"boundary==periodic", grid_.boundary == Boundary::periodic ? 1.0 : 0.0}};
}

double StencilProblem::flops_nominal() const {
    return static_cast<double>(flops_a_point(grid_.points)) * static_cast<double>(grid_.volume()) *
           static_cast<double>(grid_.steps);
}

}  // namespace rooftune::stencil
