// Golden output for programs of users: every mistake that can be made in a description, in a file and by
// flags, and what `check` says of one that is right.
#include <fstream>

#include "tests/support/golden.h"
#include "tests/support/mistakes.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// A description that is right, where one line is left out or another one stands.
std::vector<std::string> description_with(const std::string& wrong, const std::string& in_place_of = "") {
    return changed(
        {"# a program", "size n = 64", "parameter tile 1 2 4", "flops 2*n", "command /bin/echo {n} {tile}"},
        wrong, in_place_of);
}

const std::vector<Mistake> kDescriptionMistakes{
    {"nothing", {}},
    {"no command", description_with("", "command")},
    {"an empty command", description_with("command", "command")},
    {"two commands", description_with("command ./other")},
    {"a word that declares nothing", description_with("comand ./bench")},
    {"a word that only kernels have", description_with("call f(n)")},
    {"an array", description_with("in x f64[n]")},
    {"an unknown name in the command", description_with("command /bin/echo {m} {tile}", "command")},
    {"an unknown name far behind", description_with("command /bin/echo {tile} '--n {n}' {tyle}", "command")},
    {"a brace that is not closed", description_with("command /bin/echo {tile} {n", "command")},
    {"a brace that closes nothing", description_with("command /bin/echo {tile} n}", "command")},
    {"a pipe without a shell", description_with("command /bin/echo {tile} | tail -1", "command")},
    {"an open quote", description_with("command /bin/echo {tile} 'x", "command")},
    {"a parameter that reaches the program nowhere", description_with("parameter unroll 1 2")},
    {"a parameter of a kind for kernels", description_with("parameter unroll 1 2 (macro)")},
    {"an unknown name in the build", description_with("build make {TILE}")},
    {"a program that is not there", description_with("command ./no_such {tile}", "command")},
    {"a program that no folder of programs has",
     description_with("command no_such_program {tile}", "command")},
    {"a program that cannot be executed", description_with("command ./mine.rooftune {tile}", "command")},
    {"a time that is no regular expression", description_with("time t=([0-9]")},
    {"a time without a group", description_with("time 'seconds: [0-9.]+'")},
    {"two files to verify", description_with("verify a.txt b.txt")},
    {"an unknown name in the file to verify", description_with("verify out_{m}.txt")},
    {"a tolerance of nothing", description_with("tolerance 1e-6")},
    {"a size that is no whole number", description_with("size n = 2.5", "size")},
    {"two of one name", description_with("real tile = 1")},
    {"a size that is a key of the problem", description_with("size folder = 1")},
    {"a rule of an unknown parameter", description_with("where til < 4")},
    {"rules that leave nothing", description_with("where tile > n")},
    {"negative work", description_with("flops n - 100*tile", "flops")},
    {"a size of the command line that is not declared", description_with(""), {"m=3"}},
};

const std::vector<std::vector<std::string>> kFlags{
    {"--parameter", "tile=1,2"},
    {"--command", "/bin/echo {tile}"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "--parameter", "tile=4"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=8:4"},
    {"--command", "/bin/echo", "--parameter", "tile=1,2"},
    {"--command", "/bin/echo", "--environment", "TILE=1,2,1"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "--size", "n=x"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "--time", "[0-9]+"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "--flops", "2*m"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "--where", "tile > m"},
    {"--command", "/bin/echo {tile}", "--parameter", "tile=1,2", "mine.cpp"},
    {"--command", "echo hello > file"},
    {"--command", "./no_such_program"},
};

}  // namespace

TEST_CASE("a mistake in a description: file, line, column, what and what to do; status 2") {
    check_golden("own/program_mistakes.txt", told_of(kDescriptionMistakes, "mine.rooftune", "", ""));
}

TEST_CASE("a mistake in a flag that describes a program: the flag, what and what to do; status 2") {
    std::string text;
    for (const std::vector<std::string>& flags : kFlags) {
        std::vector<std::string> words{program(), "check"};
        words.insert(words.end(), flags.begin(), flags.end());
        const Finished f = run(words);
        for (const std::string& flag : flags) text += flag + " ";
        text += "\n  " + f.told();
        INFO(text);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
    }
    check_golden("own/program_flags.txt", replaced(text, std::filesystem::current_path().string(), "FOLDER"));
}

TEST_CASE("the description that new writes is one") {
    const TemporaryFolder folder;
    const std::string file = folder / "dd.rooftune";
    REQUIRE(run({program(), "new", file}).status == 0);
    const Finished f = run({program(), "check", file, "bytes=1e6"});
    INFO(f.out << f.error);
    CHECK(f.status == 0);
    CHECK(f.out.find("bs=512 count=1000000 iflag") != std::string::npos);
    CHECK(f.out.find("7 variants") == std::string::npos);
    CHECK(f.out.find("6 variants") != std::string::npos);
    CHECK(run({program(), "new", file}).status == 2);
}

TEST_CASE("what check says of a program") {
    const TemporaryFolder folder;
    const std::string file = folder / "mine.rooftune";
    std::ofstream(file) << "size n = 1000\nparameter tile 8:64:x2\nparameter MODE fast slow (environment)\n"
                           "where tile <= n\nflops 2*n^3\nreads 8*n\ncommand /bin/echo --tile={tile}\n"
                           "time 'took ([0-9.]+ ms)'\nverify out.txt\nthreads 1\n";
    const Finished f = run({program(), "check", file, "n=1e4", "--results", folder / "results"});
    INFO(f.error);
    CHECK(f.status == 0);
    std::string text = f.out;
    const std::string here = (folder / "").substr(0, (folder / "").size() - 1);
    for (std::size_t at = text.find(here); at != std::string::npos; at = text.find(here))
        text.replace(at, here.size(), "FOLDER");
    // Its folder's name may have any length, and lines break elsewhere.
    for (std::size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
         at = text.find('\n', at + 1)) {
        const bool breaks = text[at - 1] == '\n' || text[at + 1] == '\n' || text[at + 1] == '|';
        if (!breaks) text[at] = ' ';
    }
    check_golden("own/program_check.txt", text);
}
