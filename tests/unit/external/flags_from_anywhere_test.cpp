// Flags of a kernel for a build in another folder.
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tuner/external/variant_build.h"

using namespace rooftune;
using namespace rooftune::external;
using namespace rooftune::test;

TEST_CASE("folders and files among the flags are named by their whole paths, and nothing else changes") {
    const TemporaryFolder folder;
    std::ofstream(folder / "first.h") << "\n";
    std::ofstream(folder / "part.o") << "\n";
    const auto of = [&](const std::vector<std::string>& flags) {
        return flags_from_anywhere(flags, folder.path());
    };
    using Words = std::vector<std::string>;
    CHECK(of({"-Istub", "-I.", "-I", "deep/er", "-isystemsys", "-isystem", "sys"}) ==
          Words{"-I" + folder / "stub", "-I" + folder / "", "-I", folder / "deep/er",
                "-isystem" + folder / "sys", "-isystem", folder / "sys"});
    CHECK(of({"-Llib", "-lm", "part.o", "other.o"}) ==
          Words{"-L" + folder / "lib", "-lm", folder / "part.o", "other.o"});
    CHECK(of({"-include", "first.h", "-include", "elsewhere.h"}) ==
          Words{"-include", folder / "first.h", "-include", "elsewhere.h"});
    const Words untouched{"-O3",    "-march=native", "-DNAME=value", "-I/usr/include",
                          "-I=sys", "-mllvm",        "-x",           "-fopenmp"};
    CHECK(of(untouched) == untouched);
    CHECK(of({}).empty());
}
