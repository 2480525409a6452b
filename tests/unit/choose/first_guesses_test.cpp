// What a family would measure first, as variants of a space.
#include <string>
#include <vector>

#include "kernels/spmv/family.h"
#include "models/space.h"
#include "tests/support/catch.h"
#include "tests/unit/spmv/matrices.h"
#include "tuner/choose/closest_variant.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;

TEST_CASE("first guesses are of large matrices alone, and variants of their space as they are spelt") {
    const auto guesses = [](const Csr& matrix, const std::vector<int>& widths, DType dtype) {
        const auto family = make_spmv_family();
        const auto problem = problem_of(matrix, dtype, "large");
        const Target target = target_of(widths, 2);
        const Space space = family->space(*problem, target);
        std::vector<std::string> found;
        for (auto values : family->first_guesses(*problem, target)) {
            // What a condition of the space leaves out of such a variant is not in its spelling.
            const auto closest = closest_variant(space, values);
            REQUIRE(closest);
            // A row of 28 entries has no two vectors of 16.
            for (const auto& [name, value] : space.to_map(closest->variant)) {
                if (name != "unroll") CHECK(values.at(name) == value);
            }
            found.push_back(space.to_text(closest->variant));
        }
        return found;
    };
    const auto band = [](int rows, bool ragged) {
        std::vector<std::vector<std::uint32_t>> all(static_cast<std::size_t>(rows));
        for (std::size_t r = 0; r < all.size(); ++r) {
            const std::size_t length = ragged && r % 64 == 0 ? 80 : 28;
            for (std::size_t c = 0; c < length; ++c)
                all[r].push_back(static_cast<std::uint32_t>(std::min(r, all.size() - 100) + c));
        }
        return from_rows(static_cast<std::uint32_t>(rows), all);
    };
    CHECK(guesses(band(10'000, false), {128, 256}, DType::f64).empty());
    const Csr large = band(80'000, false);
    for (const DType dtype : {DType::f32, DType::f64}) {
        const auto found = guesses(large, {128, 256, 512}, dtype);
        REQUIRE(found.size() == 2);
        CHECK_THAT(found[0], Catch::StartsWith("format=sell,chunk=32,sigma=1,index=16"));
        CHECK_THAT(found[1], Catch::StartsWith("format=csr,index=16"));
        CHECK_THAT(found[1], Catch::Contains("simd=512"));
    }
    CHECK_THAT(guesses(large, {}, DType::f64)[0], Catch::Contains("simd=scalar"));
    CHECK_THAT(guesses(band(80'000, true), {256}, DType::f64)[0], Catch::Contains("sigma=4096"));
}
