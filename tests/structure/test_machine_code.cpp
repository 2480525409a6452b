// Whether kernels do what their parameters say, where only the machine code shows it. A prefetch has no
// effect that a program could see, and g++ had deleted all of the stencil's.
#include <array>
#include <cstdio>
#include <memory>

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

}  // namespace

TEST_CASE("a kernel without the instruction is found, whatever is called or stands around it") {
    const FunctionsSeen seen = look_for(kListing, "run_vector<", "prefetch");
    CHECK(seen.kernels == 2);
    REQUIRE(seen.without.size() == 1);
    CHECK(seen.without.front().find("run_vector<float, 8>") != std::string::npos);
    CHECK(look_for(kListing, "no_such", "prefetch").kernels == 0);
    CHECK(look_for(kListing, "helper", "prefetch").without.empty());
}

#if defined(__x86_64__)
TEST_CASE("here: every kernel that has a prefetch distance prefetches") {
    struct Kernels {
        std::string archive, mark;
        std::size_t at_least;
    };
    const std::vector<Kernels> all = {
        {ROOFTUNE_STENCIL_ARCHIVE, "::run_vector<", 200}, {ROOFTUNE_STENCIL_ARCHIVE, "::run_scalar<", 20},
        {ROOFTUNE_SPMV_ARCHIVE, "::run_vector<", 300},    {ROOFTUNE_SPMV_ARCHIVE, "::run_scalar<", 100},
        {ROOFTUNE_MATMUL_ARCHIVE, "::vector_tile<", 200}, {ROOFTUNE_MATMUL_ARCHIVE, "::scalar_tile<", 20},
    };
    for (const Kernels& some : all) {
        INFO(some.archive + " " + some.mark);
        const std::string listing = listing_of(some.archive);
        if (listing.empty()) {
            WARN("skipped: objdump (binutils) lists nothing of " + some.archive);
            continue;
        }
        const FunctionsSeen seen = look_for(listing, some.mark, "prefetch");
        CHECK(seen.kernels >= some.at_least);
        std::string names;
        for (const std::string& name : seen.without) names += name + "\n";
        INFO(names);
        CHECK(seen.without.empty());
    }
}
#endif

}  // namespace rooftune::structure
