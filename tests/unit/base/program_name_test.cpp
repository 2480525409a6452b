// What a program is called in headings, and values in a list.
#include "tests/support/catch.h"
#include "tuner/base/command_words.h"

using namespace rooftune;

TEST_CASE("a program is called by its file's name, without the values that stand in its command") {
    CHECK(program_name("./a.out {UNROLL} --n {n}") == "a.out");
    CHECK(program_name("/opt/bench/run --tile={tile}") == "run");
    CHECK(program_name("python3 -m bench {n}") == "python3");
    CHECK(program_name("python3 tools/bench.py {n}") == "bench.py");
    CHECK(program_name("/bin/sh /opt/bench/run.sh {n}") == "run.sh");
    CHECK(program_name("/bin/sh -c 'exit {n}'") == "sh");
    CHECK(program_name("'./my program' {n}") == "my");  // up to its first blank
    CHECK(program_name("build/{MODE}/bench {n}") == "bench");
    CHECK(program_name("./bench_{tile}_{mode} x.bin") == "bench");
    CHECK(program_name("./{which} data.bin") == "the program");
    CHECK(program_name("{bin} --n 100") == "the program");
    CHECK(program_name("./bench data.bin") == "bench");
    CHECK(program_name("timeout 0.5 ./bench") == "bench");
    CHECK(program_name("sleep 0.5") == "sleep");
    CHECK(program_name("env LD_LIBRARY_PATH=./lib ./bench") == "bench");
    CHECK(program_name("python3.11 x.py") == "x.py");
    CHECK(program_name("sleep {n}") == "sleep");
    CHECK(program_name("taskset -c 0 ./bench") == "bench");
    CHECK(program_name("{which} {n}") == "the program");
    CHECK(program_name("") == "the program");
}

TEST_CASE("a value with blanks reads as one in a list") {
    CHECK(listed_value("-O2") == "-O2");
    CHECK(listed_value("-O3 -funroll-loops") == "\"-O3 -funroll-loops\"");
    CHECK(listed_value("") == "");
}
