#include "kernels/spmv/generators.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/whole_number.h"
#include "kernels/sparse/limits.h"
#include "kernels/spmv/grids.h"
#include "kernels/spmv/random_matrices.h"
#include "kernels/spmv/sparse.h"
#include "kernels/spmv/suite.h"

namespace rooftune::spmv {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

struct Parameter {
    std::string name;
    std::int64_t least;
    std::string fallback;  ///< a number, the name of another parameter, or empty when needed
};

/// What a matrix will take, known before it is made. Doubles: sizes as given may overflow.
struct Estimate {
    double rows;
    double cols;
    double stored;
    double working = 0.0;  ///< bytes beside the result while it is made
};

struct Generator {
    std::string name;
    std::vector<Parameter> parameters;
    bool is_grid;
    /// Why these sizes do not go together, or empty.
    std::function<std::string(const Sizes&)> objection;
    std::function<Estimate(const Sizes&)> estimate;
    std::function<Csr(const Sizes&)> make;
};

double real(const Sizes& sizes, const std::string& name) {
    return static_cast<double>(sizes.at(name));
}

Generator grid_generator(std::string name, std::vector<std::string> axes, std::int64_t least,
                         double unknowns_a_node, std::function<double(double, double, double)> stored,
                         std::function<Csr(const Grid&)> make) {
    std::vector<Parameter> parameters;
    for (const std::string& axis : axes) parameters.push_back({axis, least, axis == "nx" ? "" : "nx"});
    const bool flat = axes.size() == 2;
    return {std::move(name),
            std::move(parameters),
            true,
            [](const Sizes&) { return std::string(); },
            [=](const Sizes& s) {
                const double nz = flat ? 1.0 : real(s, "nz");
                const double unknowns = unknowns_a_node * real(s, "nx") * real(s, "ny") * nz;
                return Estimate{unknowns, unknowns, stored(real(s, "nx"), real(s, "ny"), nz)};
            },
            [=](const Sizes& s) {
                return make({s.at("nx"), s.at("ny"), flat ? 1 : s.at("nz")});
            }};
}

Generator poisson_generator(std::string name, std::vector<std::string> axes, Reach reach, double diagonal) {
    return grid_generator(
        std::move(name), std::move(axes), 1, 1.0,
        [reach](double nx, double ny, double nz) { return poisson_stored(nx, ny, nz, reach); },
        [reach, diagonal](const Grid& grid) { return poisson(grid, reach, diagonal); });
}

std::uint64_t seed_of(const Sizes& sizes) {
    return static_cast<std::uint64_t>(sizes.at("seed"));
}

Generator banded_generator() {
    return {"banded",
            {{"n", 1, ""}, {"band", 0, ""}, {"seed", 0, "1"}},
            false,
            [](const Sizes& s) {
                return s.at("band") < s.at("n")
                           ? std::string()
                           : "band counts places beside the diagonal and must be below n";
            },
            [](const Sizes& s) {
                return Estimate{real(s, "n"), real(s, "n"), banded_stored(real(s, "n"), real(s, "band"))};
            },
            [](const Sizes& s) { return banded(s.at("n"), s.at("band"), seed_of(s)); }};
}

Generator random_generator() {
    return {"random",
            {{"rows", 1, ""}, {"cols", 1, "rows"}, {"per_row", 1, ""}, {"seed", 0, "1"}},
            false,
            [](const Sizes& s) {
                return s.at("per_row") <= s.at("cols") ? std::string()
                                                       : "per_row entries do not fit into cols columns";
            },
            [](const Sizes& s) {
                return Estimate{real(s, "rows"), real(s, "cols"), real(s, "rows") * real(s, "per_row")};
            },
            [](const Sizes& s) {
                return uniform_random(s.at("rows"), s.at("cols"), s.at("per_row"), seed_of(s));
            }};
}

Generator rmat_generator() {
    return {"rmat",
            {{"scale", 1, ""}, {"edge_factor", 1, "16"}, {"seed", 0, "1"}},
            false,
            [](const Sizes&) { return std::string(); },
            [](const Sizes& s) {
                const double n = std::exp2(real(s, "scale"));
                const double edges = n * real(s, "edge_factor");
                // An edge waits as a pair and as a column; a row has its start and its count twice.
                return Estimate{n, n, edges, 12.0 * edges + 16.0 * n};
            },
            [](const Sizes& s) {
                return rmat(static_cast<int>(s.at("scale")), s.at("edge_factor"), seed_of(s));
            }};
}

Generator suite_generator(const SuiteMatrix& which) {
    return {"suite:" + which.name,
            {{"seed", 0, "1"}},
            false,
            [](const Sizes&) { return std::string(); },
            [which](const Sizes&) {
                const auto stored = static_cast<double>(which.stored);
                // Edges as they are offered, chosen and sorted: as many as there are entries at most, of 16
                // bytes each.
                return Estimate{static_cast<double>(which.rows), static_cast<double>(which.cols), stored,
                                32.0 * stored};
            },
            [which](const Sizes& s) { return suite_matrix(which, seed_of(s)); }};
}

std::vector<Generator> with_suite(std::vector<Generator> all) {
    for (const SuiteMatrix& which : suite()) all.push_back(suite_generator(which));
    return all;
}

const std::vector<Generator>& generators() {
    static const std::vector<Generator> all = with_suite({
        poisson_generator("poisson5", {"nx", "ny"}, Reach::star, 4.0),
        poisson_generator("poisson7", {"nx", "ny", "nz"}, Reach::star, 6.0),
        poisson_generator("poisson27", {"nx", "ny", "nz"}, Reach::box, 26.0),
        grid_generator("elasticity3", {"nx", "ny", "nz"}, 2, 3.0, elasticity_stored, elasticity),
        banded_generator(),
        random_generator(),
        rmat_generator(),
    });
    return all;
}

std::vector<std::string> parameter_names(const Generator& generator) {
    std::vector<std::string> names;
    for (const Parameter& parameter : generator.parameters) names.push_back(parameter.name);
    return names;
}

const Generator& find(const std::string& name) {
    for (const Generator& generator : generators()) {
        if (generator.name == name) return generator;
    }
    throw InputError("spmv: unknown generator gen=" + name + "; " + suggestion(name, generator_names()));
}

void refuse_other_keys(const Generator& generator, const ProblemSpec& spec) {
    const std::vector<std::string> known = parameter_names(generator);
    for (const auto& [key, value] : spec) {
        if (key == "gen" || key == "dtype" || key == "seed") continue;
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        throw InputError("spmv gen=" + generator.name + ": it takes no key '" + key + "'; " +
                         suggestion(key, known));
    }
}

std::int64_t parse_size(const Generator& generator, const Parameter& parameter, const std::string& text) {
    std::int64_t size = 0;
    const std::errc fault =
        read_whole_number(std::string_view(text).substr(text.starts_with('+') ? 1 : 0), size);
    if (fault == std::errc() && size >= parameter.least) return size;
    const std::string least = std::to_string(parameter.least);
    std::string what = "is too small; give " + least + " or more";
    if (fault == std::errc::result_out_of_range) what = "does not fit 64 bits; give a smaller number";
    if (fault == std::errc::invalid_argument)
        what = "is not an integer; give a whole number of at least " + least;
    throw InputError("spmv gen=" + generator.name + ": " + parameter.name + "=" + text + " " + what);
}

Sizes sizes_of(const Generator& generator, const ProblemSpec& spec) {
    Sizes sizes;
    for (const Parameter& parameter : generator.parameters) {
        const auto given = spec.find(parameter.name);
        if (given != spec.end()) {
            sizes[parameter.name] = parse_size(generator, parameter, given->second);
        } else if (const auto other = sizes.find(parameter.fallback); other != sizes.end()) {
            sizes[parameter.name] = other->second;
        } else if (!parameter.fallback.empty()) {
            sizes[parameter.name] = parse_size(generator, parameter, parameter.fallback);
        } else {
            throw InputError("spmv gen=" + generator.name + ": the key '" + parameter.name +
                             "' is missing; its keys: " + listed(parameter_names(generator)));
        }
    }
    return sizes;
}

/// "poisson27 120x120x120", "banded n=1000,band=5"
std::string title_of(const Generator& generator, const Sizes& sizes) {
    std::string title = generator.name;
    char separator = ' ';
    for (const Parameter& parameter : generator.parameters) {
        if (parameter.name == "seed") continue;
        title += separator;
        if (!generator.is_grid) title += parameter.name + "=";
        title += std::to_string(sizes.at(parameter.name));
        separator = generator.is_grid ? 'x' : ',';
    }
    return title;
}

}  // namespace

const std::vector<std::string>& generator_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Generator& generator : generators()) all.push_back(generator.name);
        return all;
    }();
    return names;
}

std::vector<ProblemKey> generator_keys() {
    static const std::map<std::string, std::string> kMeaning{
        {"nx", "grid points along x"},
        {"ny", "grid points along y (default: nx)"},
        {"nz", "grid points along z (default: nx)"},
        {"n", "rows and columns"},
        {"band", "places beside the diagonal on each side that are filled"},
        {"rows", "rows"},
        {"cols", "columns (default: rows)"},
        {"per_row", "entries in each row"},
        {"scale", "rows and columns are 2^scale"},
        {"edge_factor", "edges drawn for each row (default: 16)"},
    };
    std::vector<ProblemKey> keys;
    for (const Generator& generator : generators()) {
        for (const Parameter& parameter : generator.parameters) {
            if (parameter.name == "seed") continue;
            const auto same = [&](const ProblemKey& key) { return key.name == parameter.name; };
            auto key = std::find_if(keys.begin(), keys.end(), same);
            if (key == keys.end())
                key = keys.insert(key, {parameter.name, kMeaning.at(parameter.name) + "; for", ""});
            key->help += " " + generator.name;
        }
    }
    return keys;
}

Generated generate(const ProblemSpec& spec, double available_bytes) {
    const auto name = spec.find("gen");
    if (name == spec.end())
        throw InputError("spmv: the key 'gen' is missing; one of " + listed(generator_names()));
    const Generator& generator = find(name->second);
    refuse_other_keys(generator, spec);
    const Sizes sizes = sizes_of(generator, spec);
    std::string given;
    for (const Parameter& parameter : generator.parameters) {
        given += (given.empty() ? "" : ",") + parameter.name + "=" + std::to_string(sizes.at(parameter.name));
    }
    const auto refuse = [&](const std::string& fault) {
        if (!fault.empty()) throw InputError("spmv gen=" + generator.name + "," + given + ": " + fault);
    };
    refuse(generator.objection(sizes));
    const Estimate estimate = generator.estimate(sizes);
    refuse(size_fault(estimate.rows, estimate.cols, estimate.stored, estimate.working, available_bytes));

    Generated result;
    result.matrix = generator.make(sizes);
    result.spec["gen"] = generator.name;
    for (const auto& [key, value] : sizes) result.spec[key] = std::to_string(value);
    result.title = title_of(generator, sizes);
    return result;
}

}  // namespace rooftune::spmv
