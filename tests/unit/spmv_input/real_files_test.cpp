// The collection of real matrices: sizes and numbers of entries as their publishers give them.
#include <cstdlib>

#include "planted_files.h"

namespace rooftune::spmv::test {

TEST_CASE("real matrices have the sizes that are published", "[matrix market][data]") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    struct Known {
        const char* name;
        std::int64_t rows;
        std::int64_t cols;
        std::int64_t stored;
    };
    constexpr Known kKnown[] = {
        {"memplus", 17758, 17758, 126150},
        {"rajat01", 6833, 6833, 43250},
        {"west0067", 67, 67, 294},
        {"lp_afiro", 27, 51, 102},
        {"LFAT5", 14, 14, 46},
        {"1138_bus", 1138, 1138, 4054},
        {"bcsstk16", 4884, 4884, 290378},
        {"wing", 62032, 62032, 243088},
        {"ibm10", 75196, 69429, 297567},
        {"ship_001_mesh", 34920, 34920, 4644230},
        {"BOYD1_A", 93279, 93261, 652246},
        {"CONT-300_A", 180895, 90597, 539396},
        {"well1850", 1850, 712, 8758},
    };
    for (const Known& known : kKnown) {
        const auto path = std::filesystem::path(data) / "matrices" / (std::string(known.name) + ".mtx.gz");
        INFO(path.string());
        if (!std::filesystem::exists(path)) {
            WARN("skipped: " << path.string() << " is absent");
            continue;
        }
        const Csr matrix = read_matrix_market(path.string()).matrix;
        CHECK(matrix.rows == known.rows);
        CHECK(matrix.cols == known.cols);
        CHECK(matrix.view().stored() == known.stored);
        CHECK(is_well_formed(matrix.view()));
    }
}

}  // namespace rooftune::spmv::test
