// One target under libFuzzer, which sees what code an input reaches and goes on from there (clang++,
// tests/fuzz/run --guided). ROOFTUNE_FUZZ names the target ("list" prints their names); half of the changes
// are those of mutate.h, which knows the formats. What a reader throws beside messages for users ends the
// process, which is a finding.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "tests/fuzz/targets.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using namespace rooftune::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

const Target& target() {
    static const test::TemporaryFolder folder;
    static const std::vector<Target> all = all_targets(ROOFTUNE_SOURCE_DIR, folder.path());
    static const Target* const chosen = [] {
        const char* name = std::getenv("ROOFTUNE_FUZZ");
        if (name && std::strcmp(name, "list") == 0) {
            for (const Target& t : all) std::cout << t.name << '\n';
            std::exit(0);
        }
        for (const Target& t : all) {
            if (name && t.name == name) return &t;
        }
        std::cerr << "fuzz_guided: ROOFTUNE_FUZZ names no target; there are:";
        for (const Target& t : all) std::cerr << ' ' << t.name;
        std::cerr << '\n';
        std::exit(2);
    }();
    return *chosen;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    static_cast<void>(target());
    // The target's own seeds, for a folder that libFuzzer is given as its corpus.
    if (const char* folder = std::getenv("ROOFTUNE_FUZZ_SEEDS")) {
        int number = 0;
        for (const std::string& seed : target().material.seeds)
            std::ofstream(std::filesystem::path(folder) / ("seed" + std::to_string(number++)),
                          std::ios::binary)
                << seed;
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    told_of(target(), {reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    std::mt19937_64 random(seed);
    const std::string changed =
        mutated({reinterpret_cast<const char*>(data), size}, target().material, random, most);
    std::memcpy(data, changed.data(), std::min(changed.size(), most));
    return std::min(changed.size(), most);
}
