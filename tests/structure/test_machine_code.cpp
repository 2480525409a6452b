// Whether kernels do what their parameters say, where only the machine code shows it. A prefetch has no
// effect that a program could see, and g++ had deleted all of the stencil's.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <tuple>
#include <utility>

#include "kernels/probe/joint.h"
#include "tests/structure/machine_code.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

constexpr const char* kListing =
    "librooftune.a:\n"
    "\n"
    "rows.o:     file format elf64-x86-64\n"
    "0000000000000000 <void run_vector<double, 4>(Arguments const&)>:\n"
    "   0:\tpush   %rbp\n"
    "   4:\tprefetcht0 (%rax)\n"
    "   9:\tret\n"
    "\n"
    "0000000000000010 <void run_vector<float, 8>(Arguments const&)>:\n"
    "  10:\tmov    %rdi,%r9\n"
    "  14:\tcall   10 <prefetch_of_somebody_else>\n"
    "0000000000000020 <void run_vector<float, 8>(Arguments const&) [clone .cold]>:\n"
    "  20:\tud2\n"
    "0000000000000022 <void run_vector<float, 8>(Arguments const&) [clone .constprop.0]>:\n"
    "  22:\tprefetchw (%rax)\n"
    "  24:\tprefetcht0 (%rax)\n"
    "0000000000000030 <helper()>:\n"
    "  30:\tprefetcht0 (%rax)\n"
    "  34:\tret\n";

std::string listing_of(const std::string& archive) {
    const std::string command = "objdump -d -C --no-show-raw-insn '" + archive + "' 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
    std::string text;
    std::array<char, 65536> part;
    for (std::size_t n; pipe && (n = fread(part.data(), 1, part.size(), pipe.get())) > 0;)
        text.append(part.data(), n);
    return text;
}

std::string names_of(const std::vector<FunctionSeen>& seen, const std::function<bool(int)>& wrong) {
    std::string names;
    for (const FunctionSeen& function : seen) {
        if (wrong(function.matches)) names += function.name + "\n";
    }
    return names;
}

}  // namespace

TEST_CASE("instructions are counted by function, whatever is called or stands around it") {
    const std::vector<FunctionSeen> seen = look_for(kListing, {"run_vector<"}, is_prefetch);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].matches == 1);
    CHECK(seen[1].matches == 0);
    CHECK(seen[1].name.find("run_vector<float, 8>") != std::string::npos);
    // A copy for constant arguments is a kernel, and what was moved out of one is not.
    CHECK(seen[2].name.find(".constprop") != std::string::npos);
    CHECK(seen[2].matches == 2);
    CHECK(look_for(kListing, {"run_vector<", "float"}, is_prefetch).size() == 2);
    CHECK(look_for(kListing, {"no_such"}, is_prefetch).empty());
    CHECK(look_for(kListing, {"helper"}, is_prefetch).front().matches == 1);
}

TEST_CASE("gathers are told from other loads") {
    for (const char* gather :
         {"vgatherqpd %ymm2,(%rax,%ymm1,8),%ymm0", "vgatherdps (%rax,%zmm1,4),%zmm0{%k1}"})
        CHECK(is_gather(gather));
    for (const char* other : {"vmovupd (%rax),%ymm0", "vmovhpd (%rax,%rdx,8),%xmm0,%xmm1", "ret"})
        CHECK_FALSE(is_gather(other));
}

TEST_CASE("loads of 64 bits into general registers are told from stores, moves and arithmetic") {
    for (const char* load : {"mov    0x50(%rsi),%rax", "mov    (%rdi,%rcx,8),%r9"})
        CHECK(is_scalar_load(load));
    for (const char* other :
         {"mov    %rax,0x50(%rsp)", "mov    %rax,%rcx", "mov    (%rdi),%r9d", "mov    0x50(%rsp),%rax",
          "add    (%rdi),%rax", "vmovdqu (%rax),%xmm0", "mov    $0x1,%eax"})
        CHECK_FALSE(is_scalar_load(other));
}

TEST_CASE("loads of 128 bits are told from stores, wider loads and moves") {
    for (const char* load : {"vmovdqu 0x50(%rsp),%xmm0", "movups (%rax),%xmm3", "vmovdqu64 (%rax),%xmm16"})
        CHECK(is_load_of_128_bits(load));
    for (const char* other : {"vmovdqu (%rax),%ymm0", "movups %xmm3,(%rax)", "vmovdqa %xmm1,%xmm0",
                              "movq   (%rax),%rbx", "vmovdqu64 (%rax),%zmm1"})
        CHECK_FALSE(is_load_of_128_bits(other));
}

TEST_CASE("arithmetic on whole vectors is told from scalar arithmetic, and from moves") {
    for (const char* packed : {"vfmadd231pd (%rax),%ymm0,%ymm1", "addps  %xmm1,%xmm0",
                               "vmulpd %ymm0,%ymm1,%ymm2", "vfnmadd132ps %zmm0,%zmm1,%zmm2"})
        CHECK(is_packed_arithmetic(packed));
    for (const char* other : {"vfmadd231sd (%rax),%xmm0,%xmm1", "addss  %xmm1,%xmm0", "movaps %xmm1,%xmm0",
                              "vxorps %xmm0,%xmm0,%xmm0", "add    $0x8,%rax", "vmovupd (%rax),%ymm0", "ret"})
        CHECK_FALSE(is_packed_arithmetic(other));
}

#if defined(__x86_64__)
TEST_CASE("here: every kernel that has a prefetch distance prefetches") {
    struct Kernels {
        std::string archive;
        std::vector<std::string> marks;
        std::size_t at_least;
        int prefetches;  ///< a product's tile has one for the lines of C, and others for what it goes through
    };
    const std::vector<Kernels> all = {
        {ROOFTUNE_STENCIL_ARCHIVE, {"::run_vector<"}, 200, 1},
        {ROOFTUNE_STENCIL_ARCHIVE, {"::run_scalar<"}, 20, 1},
        {ROOFTUNE_SPMV_ARCHIVE, {"::run_vector<"}, 300, 1},
        {ROOFTUNE_SPMV_ARCHIVE, {"::run_scalar<"}, 100, 1},
        {ROOFTUNE_MATMUL_ARCHIVE, {"::vector_tile<"}, 200, 2},
        {ROOFTUNE_MATMUL_ARCHIVE, {"::scalar_tile<"}, 20, 1},
        // The probes' walks: of those without it a ceiling would be too low.
        {ROOFTUNE_PROBE_ARCHIVE, {"::walk<", ", true>("}, 100, 1},
    };
    for (const Kernels& some : all) {
        INFO(some.archive + " " + some.marks.front());
        const std::string listing = listing_of(some.archive);
        if (listing.empty()) {
            WARN("skipped: objdump (binutils) lists nothing of " + some.archive);
            continue;
        }
        const std::vector<FunctionSeen> seen = look_for(listing, some.marks, is_prefetch);
        CHECK(seen.size() >= some.at_least);
        CHECK(names_of(seen, [&](int matches) { return matches < some.prefetches; }) == "");
    }
}

TEST_CASE("here: scalar code has no arithmetic on vectors") {
    for (const auto& [archive, mark] : {std::pair{ROOFTUNE_STENCIL_ARCHIVE, "::run_scalar<"},
                                        {ROOFTUNE_SPMV_ARCHIVE, "::run_scalar<"},
                                        {ROOFTUNE_SPMV_ARCHIVE, "::rows_of_csr<"},
                                        {ROOFTUNE_MATMUL_ARCHIVE, "::scalar_tile<"}}) {
        INFO(std::string(archive) + " " + mark);
        const std::string listing = listing_of(archive);
        if (listing.empty()) {
            WARN(std::string("skipped: objdump (binutils) lists nothing of ") + archive);
            continue;
        }
        const std::vector<FunctionSeen> seen = look_for(listing, {mark}, is_packed_arithmetic);
        CHECK_FALSE(seen.empty());
        CHECK(names_of(seen, [](int matches) { return matches > 0; }) == "");
        // The same question finds what is vectorised.
        if (std::string(mark) != "::run_scalar<") continue;
        const std::vector<FunctionSeen> vectors = look_for(listing, {"::run_vector<"}, is_packed_arithmetic);
        CHECK(
            std::any_of(vectors.begin(), vectors.end(), [](const FunctionSeen& f) { return f.matches > 0; }));
    }
}

TEST_CASE("here: vectors of x are gathered by one instruction where a kernel says so, and else one by one") {
    const std::string listing = listing_of(ROOFTUNE_SPMV_ARCHIVE);
    if (listing.empty()) {
        WARN("skipped: objdump (binutils) lists nothing");
        return;
    }
    for (const char* format : {"::CsrRow<", "::SellChunk<"}) {
        for (const auto& [set, way, gathers] : {std::tuple{"N_SSE4::", ", true>", false},
                                                {"N_AVX2::", ", true>", false},
                                                {"N_AVX3::", ", true>", true},
                                                {"N_AVX3::", ", false>", false}}) {
            INFO(std::string(set) + " " + format + way);
            const std::vector<FunctionSeen> seen =
                look_for(listing, {std::string(set) + "run_vector<", format, way}, is_gather);
            CHECK(seen.size() >= 10);
            CHECK(names_of(seen, [&, g = gathers](int matches) { return (matches > 0) != g; }) == "");
        }
    }
}

TEST_CASE("here: walks load and gather besides as often as their ceilings say") {
    const std::string listing = listing_of(ROOFTUNE_PROBE_ARCHIVE);
    if (listing.empty()) {
        WARN("skipped: objdump (binutils) lists nothing");
        return;
    }
    // A round has sixteen vectors: the lines of so many bits each.
    for (const auto& [set, lines] : {std::pair{"N_SSE4::", 4}, {"N_AVX2::", 8}, {"N_AVX3::", 16}}) {
        const auto walks_with = [&](const LoadsBesides& b, const auto& is_wanted) {
            std::string name = "LoadsBesides{" + std::to_string(b.vectors) + ", " +
                               std::to_string(b.crossing) + ", " + std::to_string(b.scalars) + ", " +
                               std::to_string(b.gathered);
            while (name.ends_with(", 0")) name.resize(name.size() - 3);  // names leave out zeros at the end
            return look_for(listing, {set, "::walk_besides<", name + "}>("}, is_wanted);
        };
        for (const LoadsBesides& besides : probe::kJointVectors) {
            INFO(std::string(set) + " " + std::to_string(besides.vectors) + " vectors, " +
                 std::to_string(besides.crossing) + " across lines");
            const auto seen = walks_with(besides, is_load_of_128_bits);
            CHECK(seen.size() >= 12);
            // SSE4 has as narrow loads for the walk itself.
            const int own = set == std::string("N_SSE4::") ? 16 : 0;
            CHECK(names_of(seen, [&, n = lines](int matches) {
                      return matches < n * besides.vectors + own;
                  }) == "");
        }
        for (const LoadsBesides& besides : probe::kJointIndexed) {
            INFO(std::string(set) + " " + std::to_string(besides.gathered) + " elements, " +
                 std::to_string(besides.scalars) + " scalars");
            const bool gathers = besides.gathered > 0;
            const auto seen = gathers ? walks_with(besides, is_gather) : walks_with(besides, is_scalar_load);
            CHECK(seen.size() == (gathers && set == std::string("N_SSE4::") ? 0 : 4));
            CHECK(names_of(seen, [&, n = lines](int matches) {
                      return gathers ? matches != 2 * besides.gathered : matches < n * besides.scalars;
                  }) == "");
        }
        const auto ahead = look_for(listing, {set, "::walk_besides<", ", true, "}, is_prefetch);
        CHECK(ahead.size() >= 30);
        CHECK(names_of(ahead, [&, n = lines](int matches) { return matches < n; }) == "");
    }
}
#endif

}  // namespace rooftune::structure
