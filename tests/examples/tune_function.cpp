// Tunes a function of the program's own, in its own process: a transposition by tiles, whose size and order
// of loops are the parameters. It is called as the program would call it, and checked by the program.
//
//   tune_function [RESULTS FOLDER]
#include <rooftune/kernel.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "show.h"

namespace {

constexpr std::int64_t kSize = 1024;
using Matrix = std::vector<double>;

void transpose(const Matrix& a, Matrix& b, std::int64_t tile, bool by_rows) {
    for (std::int64_t i0 = 0; i0 < kSize; i0 += tile) {
        for (std::int64_t j0 = 0; j0 < kSize; j0 += tile) {
            const std::int64_t i1 = std::min(i0 + tile, kSize), j1 = std::min(j0 + tile, kSize);
            if (by_rows) {
                for (std::int64_t i = i0; i < i1; ++i)
                    for (std::int64_t j = j0; j < j1; ++j) b[j * kSize + i] = a[i * kSize + j];
            } else {
                for (std::int64_t j = j0; j < j1; ++j)
                    for (std::int64_t i = i0; i < i1; ++i) b[j * kSize + i] = a[i * kSize + j];
            }
        }
    }
}

int tune_and_run(const char* results) {
    Matrix a(kSize * kSize), b(kSize * kSize);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);

    rooftune::Kernel kernel("transpose");
    kernel.size("n", kSize);
    // The first values are the plain loop, with which the others are compared.
    kernel.parameter("TILE", {std::to_string(kSize), "4:128:x2"});
    kernel.parameter("LOOPS", {"rows", "columns"});
    kernel.where("TILE <= n");
    kernel.threads("1");
    kernel.reads("8*n*n").writes("8*n*n");
    // An answer that an earlier variant left must not be taken for this one's.
    kernel.prepare([&](const rooftune::Values&) { std::fill(b.begin(), b.end(), -1.0); });
    kernel.run(
        [&](const rooftune::Values& v) { transpose(a, b, v.integer("TILE"), v.text("LOOPS") == "rows"); });
    kernel.check([&] {
        for (std::int64_t i = 0; i < kSize; ++i)
            for (std::int64_t j = 0; j < kSize; ++j)
                if (b[j * kSize + i] != a[i * kSize + j]) return false;
        return true;
    });

    const auto tell = [](const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); };
    const rooftune::TunedKernel tuned = rooftune::tune(
        kernel, {.budget = std::chrono::seconds(5), .results = results ? results : "", .notice = tell});
    std::fputs(tuned.summary.c_str(), stdout);
    if (!tuned.found()) return 1;

    // From here on the program calls the winner.
    transpose(a, b, tuned.values.integer("TILE"), tuned.values.text("LOOPS") == "rows");
    std::printf("with tiles of %s by %s a run takes %.3g s, the first variant %.3g times as long\n",
                tuned.values.text("TILE").c_str(), tuned.values.text("LOOPS").c_str(), tuned.seconds.median,
                tuned.first_ratio.median);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return tune_and_run(argc > 1 ? argv[1] : nullptr); });
}
