// Damaged files: whatever bytes change, a read ends with a sound matrix or with an InputError.
#include <random>

#include "planted_files.h"

namespace rooftune::spmv::test {
namespace {

std::vector<std::string> seeds() {
    return {
        "%%MatrixMarket matrix coordinate real general\n% comment\n5 4 6\n1 1 1.5\n5 4 -2e-3\n\n2 1 3\n3 3 "
        "0\n4 2 7\n4 1 8\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\r\n4 4 5\r\n1 1\r\n2 1\r\n3 3\r\n4 1\r\n4 4\r\n",
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 1\n3 1 -2\n4 3 12\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2.25\n3\n4\n5\n6\n",
    };
}

/// One to four bytes replaced, removed, doubled or moved to the end of the file.
std::string damaged(std::string text, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    static const std::string kLikely = "0123456789 \n\r\t%-+.eEnai\0";
    const std::size_t edits = 1 + below(4);
    for (std::size_t edit = 0; edit < edits && !text.empty(); ++edit) {
        const std::size_t at = below(text.size());
        switch (below(6)) {
            case 0:
                text[at] = static_cast<char>(random());
                break;
            case 1:
                text[at] = kLikely[below(kLikely.size())];
                break;
            case 2:
                text.erase(at, 1);
                break;
            case 3:
                text.insert(at, 1, text[at]);
                break;
            case 4:
                text.resize(at);
                break;
            default:
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
        }
    }
    return text;
}

/// True when the file was taken. Any exception but InputError ends the test.
bool survives(const PlantedFiles& files, const std::string& bytes) {
    // Made once: the default asks the system for its free memory, which takes longer than a read.
    static const MatrixMarketOptions options = [] {
        MatrixMarketOptions limited;
        limited.available_bytes = 0x1p20;
        return limited;
    }();
    const std::string path = files.write("fuzz.mtx", bytes);
    try {
        const MatrixMarketFile file = read_matrix_market(path, options);
        REQUIRE(is_well_formed(file.matrix.view()));
        return true;
    } catch (const InputError& error) {
        REQUIRE(std::string(error.what()).starts_with(path + ":"));
        return false;
    }
}

}  // namespace

TEST_CASE("damaged text is refused or read soundly", "[matrix market][fuzz]") {
    const PlantedFiles files;
    std::mt19937_64 random(20240601);
    int taken = 0;
    int refused = 0;
    for (int round = 0; round < 1500; ++round) {
        for (const std::string& seed : seeds()) ++(survives(files, damaged(seed, random)) ? taken : refused);
    }
    // Both branches were exercised; the split itself depends on the seeds only.
    CHECK(taken > 100);
    CHECK(refused > 1000);
}

TEST_CASE("damaged gzip data are refused or read soundly", "[matrix market][fuzz]") {
    const PlantedFiles files;
    std::mt19937_64 random(20240602);
    int refused = 0;
    for (int round = 0; round < 500; ++round) {
        for (const std::string& seed : seeds()) refused += !survives(files, damaged(gzipped(seed), random));
    }
    CHECK(refused > 1000);
}

}  // namespace rooftune::spmv::test
