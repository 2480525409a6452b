// Writes configs as `rooftune tune spmv gen=poisson5,nx=200` would have, one for each number of threads, with
// a winner that is not the default and of its own: plant_configs FOLDER THREADS...
//
// Prints a line a config: the number of threads, and what a plan says that takes it.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "kernels/spmv/family.h"
#include "tests/unit/plans/tuned_folder.h"

namespace {

using namespace rooftune;

struct Winner {
    Variant variant;
    std::string phrase;
};

/// Of this many threads, and no default; no plan of another winner says what one of this says.
Winner winner(const Family& family, const Problem& problem, const Space& space, const Target& target,
              std::set<std::string>& taken) {
    const std::string threads = std::to_string(target.threads);
    const Variant usual = family.default_variant(problem, space, target);
    for (unsigned seed = 1; seed < 100; ++seed) {
        for (const Variant& variant : test::some_variants(space, 0, 8, seed)) {
            const std::map<std::string, std::string> values = space.to_map(variant);
            const std::string phrase = family.phrase(values);
            if (variant != usual && values.at("threads") == threads &&
                phrase != family.phrase(space.to_map(usual)) && taken.insert(phrase).second) {
                return {variant, phrase};
            }
        }
    }
    throw std::runtime_error("no variant for " + threads + " threads");
}

void plant(const std::string& folder, int threads, std::set<std::string>& taken) {
    const auto family = make_spmv_family();
    const auto problem = family->problem({{"gen", "poisson5"}, {"nx", "200"}});
    Target target = test::one_thread();
    target.threads = threads;
    const Space space = family->space(*problem, target);
    const Winner best = winner(*family, *problem, space, target, taken);
    TunedConfig config = test::config_of(*family, *problem, best.variant, space);
    config.result.threads = threads;
    write_tuned_config(folder + "/" + std::to_string(threads) + ".json", config);
    std::printf("%d\t%s: tuned for this problem on %s\n", threads, best.phrase.c_str(),
                config.created.substr(0, 10).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: plant_configs FOLDER THREADS...\n");
        return 2;
    }
    try {
        std::set<std::string> taken;
        for (int i = 2; i < argc; ++i) plant(argv[1], std::atoi(argv[i]), taken);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "plant_configs: %s\n", e.what());
        return 1;
    }
    return 0;
}
