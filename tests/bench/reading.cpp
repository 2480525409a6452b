// How fast a Matrix Market file is read, and with how much memory.
//
//   reading FILE              reads it three times; a row of a Markdown table
//   reading --make FILE N     writes the 27-point matrix of N × N × N points, each value with 17 digits
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/grids.h"
#include "tuner/base/clock.h"

namespace rooftune {
namespace {

void make(const char* path, std::int64_t n) {
    const sparse::Csr matrix = spmv::poisson({n, n, n}, spmv::Reach::box, 26.0);
    std::FILE* file = std::fopen(path, "w");
    if (!file) throw InputError(std::string(path) + ": cannot be written");
    std::fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %zu\n",
                 static_cast<long long>(matrix.rows), static_cast<long long>(matrix.cols),
                 matrix.column.size());
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const auto end = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row) + 1]);
        for (auto k = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]); k < end;
             ++k) {
            const std::uint32_t col = matrix.column[k];
            char value[32];
            *std::to_chars(value, value + sizeof value,
                           sparse::place_value(1, static_cast<std::uint32_t>(row), col),
                           std::chars_format::scientific, 16)
                 .ptr = '\0';
            std::fprintf(file, "%lld %u %s\n", static_cast<long long>(row) + 1, col + 1, value);
        }
    }
    if (std::fclose(file) != 0) throw InputError(std::string(path) + ": cannot be written");
}

void read(const char* path) {
    double least = 0.0, kept = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double start = monotonic_seconds();
        const sparse::MatrixMarketFile file = sparse::read_matrix_market(path);
        const double took = monotonic_seconds() - start;
        least = i == 0 ? took : std::min(least, took);
        kept = 12.0 * static_cast<double>(file.matrix.column.size()) +
               8.0 * static_cast<double>(file.matrix.row_begin.size());
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const double most = 1024.0 * static_cast<double>(used.ru_maxrss);
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    std::printf("| %s | %u | %.0f | %.2f | %.0f | %.0f | %.2f |\n",
                std::filesystem::path(path).filename().c_str(), static_cast<unsigned>(usable_cpus().size()),
                bytes / 1e6, least, bytes / 1e6 / least, kept / 1e6, most / kept);
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    try {
        if (argc == 4 && std::strcmp(argv[1], "--make") == 0) {
            rooftune::make(argv[2], std::atoll(argv[3]));
        } else if (argc == 2) {
            rooftune::read(argv[1]);
        } else {
            std::fprintf(stderr, "reading: FILE, or --make FILE N\n");
            return 2;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "reading: %s\n", error.what());
        return 2;
    }
    return 0;
}
