// Parameters of commands: their values, what takes their place, and what is refused.
#include "tuner/track/parameter_scan.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/track/program_sets.h"

using namespace rooftune;
using namespace rooftune::track;
using Catch::Contains;
using Values = std::vector<std::string>;

namespace {

template <typename Action>
std::string scan_complaint(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string refused(const std::string& parameter) {
    return scan_complaint([&] { parameter_from(parameter); });
}

std::string refused(const ProgramWish& wish) {
    return scan_complaint([&] { program_sets(wish); });
}

ProgramWish commands(const Values& texts, const Values& parameters = {}) {
    ProgramWish wish;
    wish.commands = texts;
    wish.parameters = parameters;
    return wish;
}

}  // namespace

TEST_CASE("ranges have both ends, lists have what they name") {
    CHECK(parameter_from("n=1:4").values == Values{"1", "2", "3", "4"});
    CHECK(parameter_from("n=1:10:3").values == Values{"1", "4", "7", "10"});
    CHECK(parameter_from("n=1:9:3").values == Values{"1", "4", "7"});
    CHECK(parameter_from("n=3:-3:-2").values == Values{"3", "1", "-1", "-3"});
    CHECK(parameter_from("n=0.5:1.25:0.25").values == Values{"0.50", "0.75", "1.00", "1.25"});
    CHECK(parameter_from("n=-0.1:0.1:0.1").values == Values{"-0.1", "0.0", "0.1"});
    CHECK(parameter_from("n=1:1.75:0.5").values == Values{"1.0", "1.5"});
    CHECK(parameter_from("n=5:5").values == Values{"5"});
    CHECK(parameter_from("n=1,2,4,8").values == Values{"1", "2", "4", "8"});
    CHECK(parameter_from("flags=-O2,-O3 -flto").values == Values{"-O2", "-O3 -flto"});
    CHECK(parameter_from("host=a:1,b:2").values == Values{"a:1", "b:2"});
    CHECK(parameter_from("n=7").values == Values{"7"});
    CHECK(parameter_from("long-name_2=1=2,3").name == "long-name_2");
    CHECK(parameter_from("n=1:64").values.size() == kMostPoints);
}

TEST_CASE("a parameter that is none is refused, with what to write") {
    for (const char* nameless : {"", "n", "=1:3", "2n=1:3", "a b=1"})
        CHECK_THAT(refused(nameless),
                   Contains("--parameter") && Contains("has a name") && Contains("n=1:10"));
    CHECK_THAT(refused("n="), Contains("a value is missing"));
    CHECK_THAT(refused("n=1,,2"), Contains("a value is missing"));
    CHECK_THAT(refused("n=1,2,1"), Contains("the value 1 twice"));
    CHECK_THAT(refused("n=a:b"), Contains("'a' is no number"));
    CHECK_THAT(refused("n=1:"), Contains("'' is no number"));
    CHECK_THAT(refused("n=1:2."), Contains("'2.' is no number"));
    CHECK_THAT(refused("n=1:1e3"), Contains("'1e3' is no number"));
    CHECK_THAT(refused("n=1:nan"), Contains("'nan' is no number"));
    CHECK_THAT(refused("n=1:3:0"), Contains("a step of 0"));
    CHECK_THAT(refused("n=1:1:0"), Contains("a step of 0"));
    CHECK_THAT(refused("n=3:1"), Contains("never arrives at 1") && Contains("negative step"));
    CHECK_THAT(refused("n=1:3:-1"), Contains("never arrives at 3") && Contains("positive step"));
    CHECK_THAT(refused("n=1:65"), Contains("65 values") && Contains("at most 64"));
    CHECK_THAT(refused("n=1:999999999999999"), Contains("999999999999999 values"));
    // One limit, counted with the decimals of the finest, whichever number has them.
    CHECK(parameter_from("n=999999999999998:999999999999999").values.size() == 2);
    CHECK(parameter_from("n=-0.99999999999999:-0.99999999999998:0.00000000000001").values.size() == 2);
    for (const auto& [parameter, number] :
         {std::pair{"n=1:9999999999999999", "9999999999999999"},
          std::pair{"n=1:99999999999999999999", "99999999999999999999"},
          std::pair{"n=0.00000000000001:900000000000000", "900000000000000"},
          std::pair{"n=0:100000000000000:0.1", "100000000000000"},
          std::pair{"n=0.000000000000000:1", "0.000000000000000"},
          std::pair{"n=0:1:0.0000000000000001", "0.0000000000000001"},
          std::pair{"n=-0.1:-900000000000000:-1", "-900000000000000"}}) {
        INFO(parameter);
        CHECK_THAT(refused(parameter),
                   Contains("'" + std::string(number) + "' has too many digits; 15 are the most"));
    }
    CHECK_THAT(refused("n=1:9999999999999999x"), Contains("is no number"));
}

TEST_CASE("several parameters make all combinations, the last varying fastest, within a limit") {
    const auto points = points_of({parameter_from("a=1,2"), parameter_from("b=x,y")});
    REQUIRE(points.size() == 4);
    CHECK(point_text(points[0]) == "a=1, b=x");
    CHECK(point_text(points[1]) == "a=1, b=y");
    CHECK(point_text(points[3]) == "a=2, b=y");
    CHECK(points_of({}).size() == 1);
    CHECK(point_text(points_of({}).front()).empty());
    CHECK_THAT(scan_complaint([] {
                   points_of({parameter_from("a=1:9"), parameter_from("b=1:8")});
               }),
               Contains("72 combinations") && Contains("at most 64"));
    CHECK_THAT(scan_complaint([] {
                   points_of({parameter_from("a=1"), parameter_from("a=2")});
               }),
               Contains("a is given twice"));
}

TEST_CASE("values take the place of names in braces, and of nothing else") {
    const ScanPoint point = {{"n", "4"}, {"m", "{n}"}};
    CHECK(replaced("./a --n {n} {m}", point, "--command") == "./a --n 4 {n}");
    CHECK(replaced("{n}{n}", point, "f") == "44");
    CHECK(replaced("{{n}} {{other}}", point, "f") == "{n} {other}");
    CHECK(replaced("awk '{ print $1 }' {} {1} {n", point, "f") == "awk '{ print $1 }' {} {1} {n");
    CHECK(names_in("a {x} {{y}} {x} {z}") == Values{"x", "z"});
    CHECK_THAT(scan_complaint([&] { replaced("./a {k}", point, "--command"); }),
               Contains("--command './a {k}': {k} is no --parameter; there is n, m") && Contains("{{k}}"));
}

TEST_CASE("programs without parameters are one set, in which braces mean nothing") {
    const auto sets = program_sets(commands({"./a {n}", "./b", "./c"}));
    REQUIRE(sets.size() == 1);
    CHECK(sets[0].arms.size() == 3);
    CHECK(sets[0].arms[0].text == "./a {n}");
    CHECK(sets[0].title.empty());
    CHECK(sets[0].together == 2);
    CHECK(sets[0].pairs_together == 3);
    ProgramWish pair;
    pair.base = "./a";
    pair.candidate = "./b";
    pair.prepare = "sync {n}";
    const auto two = program_sets(pair);
    CHECK(two[0].arms[1].flag == "--command-b");
    CHECK(two[0].arms[1].prepare == "sync {n}");
    CHECK(two[0].together == 1);
}

TEST_CASE("one program with parameters has an arm for each value; several have a set for each") {
    ProgramWish one = commands({"./a {n}"}, {"n=1,2,4"});
    one.prepare = "./drop {n}";
    const auto scan = program_sets(one);
    REQUIRE(scan.size() == 1);
    CHECK(scan[0].title == "a");
    REQUIRE(scan[0].arms.size() == 3);
    CHECK(scan[0].arms[2].text == "./a 4");
    CHECK(scan[0].arms[2].label == "n=4");
    CHECK(scan[0].arms[2].prepare == "./drop 4");
    CHECK(scan[0].together == 2);

    const auto sets = program_sets(commands({"./a", "./b {n} {t}", "./c"}, {"n=1,2", "t=8,9"}));
    REQUIRE(sets.size() == 4);
    CHECK(sets[3].title == "n=2, t=9");
    CHECK(sets[3].arms[0].text == "./a");
    CHECK(sets[3].arms[1].text == "./b 2 9");
    CHECK(sets[3].together == 8);
    CHECK(sets[3].pairs_together == 12);
}

TEST_CASE("programs that do not belong together are refused") {
    ProgramWish mixed = commands({"./a"});
    mixed.base = "./b";
    CHECK_THAT(refused(mixed), Contains("--command takes the place of --command-a"));
    ProgramWish half;
    half.base = "./a";
    CHECK_THAT(refused(half), Contains("belong together"));
    CHECK_THAT(refused(commands({"./a"})), Contains("--command is given once"));
    CHECK_THAT(refused(commands(Values(17, "./a"))), Contains("17 programs") && Contains("at most 16"));
    CHECK_THAT(refused(commands({"./a {n}"}, {"n=1:17"})), Contains("17 arms") && Contains("at most 16"));
    CHECK_THAT(refused(commands({"./a {n}"}, {"n=1"})), Contains("nothing to be compared with"));
    CHECK_THAT(refused(commands({"./a {n}", "./b"}, {"n=1,2", "m=1"})),
               Contains("--parameter m: no command names it"));
    CHECK_THAT(refused(commands({"./a {n}", "./b {m}"}, {"n=1,2"})), Contains("{m} is no --parameter"));
    ProgramWish prepared = commands({"./a {n}"}, {"n=1,2"});
    prepared.prepare = "./p {k}";
    CHECK_THAT(refused(prepared), Contains("--prepare './p {k}': {k} is no --parameter"));
    // The last value alone leaves a quote open: it is told before the first is measured.
    CHECK_THAT(refused(commands({"./a {n}", "./b"}, {"n=1,2,'"})), Contains("--command './a ''"));
    prepared.prepare = "./p {n}|";
    CHECK_THAT(refused(prepared), Contains("--prepare './p 1|'"));
}

TEST_CASE("the flags that only programs have are known by name") {
    CHECK(ProgramWish{}.first_flag().empty());
    ProgramWish wish;
    wish.warmup = 2;
    CHECK(wish.first_flag() == "--warmup");
    wish.prepare = "sync";
    CHECK(wish.first_flag() == "--prepare");
    wish.parameters = {"n=1"};
    CHECK(wish.first_flag() == "--parameter");
    wish.control = "memory";
    CHECK(wish.first_flag() == "--control");
    wish.reads_time = true;
    CHECK(wish.first_flag() == "--reads-time");
}
