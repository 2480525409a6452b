// Golden output of the command line: help of each command, lists, and a message for each kind of
// wrong input. Machine-dependent parts are fixed by a machine file, one thread and 128-bit vectors.
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/commands.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; !what.empty() && (at = text.find(what, at)) != std::string::npos;
         at += by.size()) {
        text.replace(at, what.size(), by);
    }
    return text;
}

std::string normalised(const std::string& text, const Session& s) {
    std::string out = replaced(text, s.folder.path(), "FOLDER");
    out = replaced(out, std::filesystem::current_path().string(), "HOME");
    out = std::regex_replace(out, std::regex("it may use [0-9][0-9, -]*"), "it may use N");
    return std::regex_replace(out, std::regex("[0-9.]+ GiB are free"), "N GiB are free");
}

void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

const std::vector<std::vector<std::string>>& commands() {
    static const std::vector<std::vector<std::string>> all = {{},
                                                              {"tune"},
                                                              {"machine"},
                                                              {"bound"},
                                                              {"inspect"},
                                                              {"doctor"},
                                                              {"run"},
                                                              {"compare"},
                                                              {"verify"},
                                                              {"ladder"},
                                                              {"track"},
                                                              {"track", "record"},
                                                              {"track", "report"},
                                                              {"track", "bisect"},
                                                              {"track", "selftest"},
                                                              {"explain"},
                                                              {"plot"},
                                                              {"report"},
                                                              {"results"},
                                                              {"results", "list"},
                                                              {"results", "show"},
                                                              {"results", "prune"},
                                                              {"results", "export"},
                                                              {"results", "import"},
                                                              {"results", "check"},
                                                              {"results", "table"},
                                                              {"replay"},
                                                              {"export"},
                                                              {"list"},
                                                              {"list", "families"},
                                                              {"list", "parameters"},
                                                              {"list", "machines"},
                                                              {"list", "jobs"}};
    return all;
}

// The first line of more than `columns`. A command to copy stays whole, on a line of its own.
std::string too_wide(const std::string& text, int columns) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const bool is_command = line.starts_with("`rooftune ") && line.find('`', 1) == line.size() - 1;
        if (display_width(line) > columns && !is_command) return line;
    }
    return "";
}

}  // namespace

TEST_CASE("help of the program and of each command") {
    std::string text;
    for (std::vector<std::string> words : commands()) {
        words.insert(words.begin(), program());
        words.emplace_back("--help");
        const Finished f = run(words);
        CHECK(f.status == 0);
        text += f.out + "\n----\n";
    }
    check_golden("cli/help.txt", text);
}

TEST_CASE("help COMMAND is what COMMAND --help says, and a word that outputs use is explained first") {
    int same = 0;
    for (const std::vector<std::string>& command : commands()) {
        if (command.empty()) continue;
        std::vector<std::string> asked{program(), "help"}, told{program()};
        asked.insert(asked.end(), command.begin(), command.end());
        told.insert(told.end(), command.begin(), command.end());
        told.emplace_back("--help");
        const Finished help = run(asked);
        INFO(command.front() << help.error);
        CHECK(help.status == 0);
        if (help.out == run(told).out) {
            ++same;
        } else {
            CHECK_THAT(help.out, Catch::Contains("It is a command, too: `rooftune " + command.front()));
        }
    }
    CHECK(same > 20);
    CHECK(run({program(), "help", "tune"}).out == run({program(), "tune", "--help"}).out);
    CHECK(run({program(), "help", "track", "record"}).out ==
          run({program(), "track", "record", "--help"}).out);
    CHECK_THAT(run({program(), "help", "roof"}).out, !Catch::Contains("--help"));
    CHECK_THAT(run({program(), "help", "tune", "--json"}).out,
               Catch::Contains("\"word\": \"rooftune tune\""));
    const Finished unknown = run({program(), "help", "tuen"});
    CHECK(unknown.status == 2);
    CHECK_THAT(unknown.told(), Catch::Contains("did you mean 'tune'?"));
    CHECK(run({program(), "help", "track", "recrod"}).status == 2);
}

TEST_CASE("help and lists are no wider than the page, and nothing of them is lost on a narrow one") {
    const Session s(toy::machine());
    std::vector<std::vector<std::string>> all;
    for (std::vector<std::string> words : commands()) {
        words.emplace_back("--help");
        all.push_back(words);
    }
    for (const std::vector<std::string>& list : {std::vector<std::string>{"families"},
                                                 {"parameters", "stencil"},
                                                 {"machines", "--results", s.results()},
                                                 {"jobs", "--results", s.results()},
                                                 {"devices"}}) {
        all.push_back({"list"});
        all.back().insert(all.back().end(), list.begin(), list.end());
    }
    all.push_back({"help"});
    all.push_back({"bound", s.machine(), "spmv", "gen=poisson7,nx=12"});
    for (std::vector<std::string> words : all) {
        words.insert(words.begin(), program());
        std::set<std::string> texts;
        for (const int columns : {40, 67, 100, 10000}) {
            setenv("COLUMNS", std::to_string(columns).c_str(), 1);
            INFO(words.back() << " " << words[1] << " at " << columns);
            const Finished f = run(words);
            CHECK(f.status == 0);
            CHECK(too_wide(f.out, columns) == "");
            std::string letters = f.out;
            std::erase_if(letters, [](char c) { return c == ' ' || c == '\n'; });
            CHECK_FALSE(letters.empty());
            texts.insert(letters);
        }
        setenv("COLUMNS", "100", 1);
        if (words.back() == "--help") CHECK(texts.size() == 1);
    }
}

TEST_CASE("lists") {
    setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
    const Session s(toy::machine());
    std::string text;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"list", "families"},
                                                  {"list", "machines", "--results", s.results()},
                                                  {"list", "jobs", "--results", s.results()}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), program());
        const Finished f = run(all);
        CHECK(f.status == 0);
        text += f.out + "\n----\n";
    }
    // Where a line ends depends on how long the folder's name is.
    text = std::regex_replace(text, std::regex("`\\s+measures it"), "` measures it");
    check_golden("cli/lists.txt", normalised(text, s));
    unsetenv("ROOFTUNE_MAX_WIDTH");
}

TEST_CASE("dry run: bounds of the most promising variants") {
    setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
    const Session s(toy::machine());
    const Finished f = s.run({"tune", "spmv", "gen=poisson7,nx=12", "--dry-run", "--quiet"});
    unsetenv("ROOFTUNE_MAX_WIDTH");
    INFO(f.error);
    CHECK(f.status == 0);
    check_golden("cli/dry_run.txt", f.out);
}

TEST_CASE("inspect: a matrix before anything is tuned") {
    setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
    const Session s(toy::machine());
    const std::string file = s.folder / "arrow.mtx";
    std::string text = "%%MatrixMarket matrix coordinate real general\n40 40 118\n";
    for (int i = 1; i <= 40; ++i) text += std::to_string(i) + " " + std::to_string(i) + " 4\n";
    for (int i = 2; i <= 40; ++i)
        text += "1 " + std::to_string(i) + " -1\n" + std::to_string(i) + " 1 -" + std::to_string(i) + "\n";
    write(file, text);
    const Finished f = s.run({"inspect", file, "--plot", s.folder / "arrow.svg"});
    INFO(f.error);
    CHECK(f.status == 0);
    check_golden("cli/inspect.txt", normalised(f.out, s));
    CHECK_THAT(contents(s.folder / "arrow.svg"), Catch::Contains("40 rows, 40 columns, 118 entries"));
    // By its family, by a flag, or by its name, and as a document.
    const std::string named = s.run({"inspect", file, "--json"}).out;
    CHECK(s.run({"inspect", "spmv", "matrix=" + file, "--json"}).out == named);
    CHECK(s.run({"inspect", "--matrix", file, "--json"}).out == named);
    const Finished single = s.run({"inspect", "--matrix", file, "dtype=f32", "--json"});
    CHECK(single.status == 0);
    CHECK(single.out == s.run({"inspect", "spmv", "matrix=" + file, "dtype=f32", "--json"}).out);
    const Json document = Json::parse(named);
    CHECK(SchemaCheck("configs/schema").faults(document, "inspect.schema.json") ==
          std::vector<std::string>{});
    // A machine that nobody has measured: the structure all the same.
    const Finished unknown = run({program(), "inspect", file, "--results", s.folder / "nothing"});
    unsetenv("ROOFTUNE_MAX_WIDTH");
    CHECK(unknown.status == 0);
    CHECK_THAT(unknown.out, Catch::Contains("the fewest bytes first"));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"inspect"},
          {"inspect", file, "--matrix", file},
          {"inspect", "spvm", "nx=4"},
          {"inspect", "gen=poisson7,nx=4"},
          {"inspect", s.folder / "none.mtx"},
          {"inspect", "matrices/none.txt"},
          {"inspect", "spmv", "matrix=" + file, "--matrix", file},
          {"inspect", "matmul", "m=8,n=8,k=8", "--plot", s.folder / "x.svg"}}) {
        const Finished w = s.run(wrong);
        INFO(w.out << w.error);
        CHECK(w.status == 2);
        CHECK(w.told() != "");
    }
}

TEST_CASE("dry run: one document of all problems, which says what the text says") {
    const Session s(toy::machine());
    const std::string job = s.folder / "job.json";
    write(
        job,
        R"({"schema": "rooftune/job/1", "problems": [{"family": "spmv", "problem": {"gen": "poisson7", "nx": "12"}},
              {"family": "spmv", "problem": {"gen": "poisson7", "nx": "14"}}]})");
    const Finished f = s.run({"tune", "--job", job, "--dry-run", "--quiet", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const Json document = Json::parse(f.out);
    CHECK(SchemaCheck("configs/schema").faults(document, "dry-run.schema.json") ==
          std::vector<std::string>{});
    REQUIRE(document.at("problems").size() == 2);
    const Json& problem = document.at("problems").front();
    CHECK(problem.at("bounded") == true);
    std::size_t counted = 0;
    double last = 0.0;
    for (const Json& group : problem.at("least_bounds")) {
        counted += group.at("variants").get<std::size_t>();
        CHECK(group.at("seconds_lower").get<double>() > last);
        last = group.at("seconds_lower");
        CHECK_FALSE(group.at("promising").empty());
    }
    CHECK(counted > 0);
    CHECK(counted <= problem.at("variants").get<std::size_t>());
    const std::string text = s.run({"tune", "spmv", "gen=poisson7,nx=12", "--dry-run", "--quiet"}).out;
    CHECK(text.starts_with(problem.at("title").get<std::string>() + ": "));
    CHECK_THAT(text, Catch::Contains(format_seconds(problem.at("default").at("seconds_lower"))));
    // What a person needs fits a screen; the rest is for who asks for it.
    const std::string whole = s.run({"tune", "spmv", "gen=poisson7,nx=12", "--dry-run", "--quiet", "-v"}).out;
    const auto lines_of = [](const std::string& page) { return std::count(page.begin(), page.end(), '\n'); };
    CHECK(lines_of(text) <= 35);
    CHECK(lines_of(whole) > 2 * lines_of(text));
    CHECK_THAT(text, !Catch::Contains("unroll=") && Catch::Contains("-v names more"));
    CHECK_THAT(whole, Catch::Contains("unroll="));
}

TEST_CASE("wrong input: status 2, what, where and what to do") {
    const Session s(toy::machine());
    const std::string good = s.folder / "good.mtx";
    write(good, "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 2.0\n");
    const auto file = [&](const char* name, const std::string& text) {
        const std::string path = s.folder / name;
        write(path, text);
        return path;
    };
    const std::string machine_text = contents(s.machine());
    const std::string other_schema =
        file("other.json", replaced(machine_text, "rooftune/machine/2", "rooftune/machine/9"));
    const std::string unknown_key = file("key.json", replaced(machine_text, "\"ceilings\"", "\"cielings\""));
    const std::string torn = file("torn.json", machine_text.substr(0, machine_text.size() / 2));
    const auto tune = [](std::vector<std::string> words) {
        words.insert(words.begin(), "tune");
        return words;
    };
    struct Group {
        const char* kind;
        std::vector<std::vector<std::string>> calls;
    };
    const std::vector<Group> groups = {
        {"no such file",
         {tune({"spmv", "--matrix", s.folder / "none.mtx"}),
          tune({"--job", s.folder / "none.json"}),
          {"run", s.folder / "none.json"},
          {"compare", s.folder / "none.json", s.folder / "none.json"},
          {"bound", "this", s.folder / "none.cpp"}}},
        {"matrix market",
         {tune({"spmv", "--matrix",
                file("a.mtx", "%%MatrixMarket matrix coordinat real general\n1 1 1\n1 1 1\n")}),
          tune({"spmv", "--matrix",
                file("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n3 1 2.0\n")}),
          tune({"spmv", "--matrix",
                file("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n")})}},
        {"family",
         {tune({"spvm", "gen=banded,n=9"}),
          tune({"stencil9", "nx=4"}),
          {"list", "parameters", "matmull"},
          {"list", "parameters", "foo"}}},
        {"parameter and value",
         {tune({"spmv", "gen=poisson7,nx=9", "--only", "formta=csr"}),
          tune({"spmv", "gen=poisson7,nx=9", "--only", "format=crs"}),
          tune({"spmv", "gen=poisson7,nx=9", "--only", "unroll=1,2"}),
          tune({"spmv", "gen=poisson7,nx=9", "--only", "format=csr,unrol=1"}),
          tune({"spmv", "gen=poisson7,nx=9", "--only", "format=csr,unroll=1,2"})}},
        {"expression",
         {tune({"spmv", "gen=poisson7,nx=9", "--where", "thread == 1"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "format == csr"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "format = 'csr'"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "1 < unroll < 4"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "(unroll <= 2"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "unroll > 4"}),
          tune({"spmv", "gen=poisson7,nx=9", "--where", "unroll > 1", "--only", "streams=1", "--where",
                "unroll < 1"})}},
        {"key",
         {tune({"spmv", "gen=poisson7,nq=9"}), tune({"spmv", "gen=poisson7,nx=9,nx=10"}),
          tune({"spmv", "gen=poisson8,nx=9"})}},
        {"flag",
         {tune({"spmv", "--matrx", good}),
          tune({"spmv", "gen=poisson7,nx=9", "--bugdet", "10s"}),
          {"machine", "--quik"},
          {"run", good, "--budget", "3s"},
          {"results", "show", "--job", "0"},
          tune({"spmv", "gen=poisson72,nx=9"}),
          tune({"spmv", "gen=poisson7,nx=9", "--epsilon", "3%"}),
          tune({"spmv", "gen=poisson7,nx=9", "--epsilon", "30"}),
          tune({"spmv", "gen=poisson7,nx=9", "--epsilon", "few"}),
          {"bound", "matmul", "m=64,n=64,k=64"}}},
        {"flag value",
         {tune({"spmv", "gen=poisson7,nx=9", "--budget", "10x"}),
          tune({"spmv", "gen=poisson7,nx=9", "--state", "lukewarm"}),
          tune({"spmv", "gen=poisson7,nx=9", "--epsilon", "-1"}),
          {"export", "--format", "kerneltuner"}}},
        {"size zero",
         {tune({"spmv", "gen=poisson7,nx=0"}), tune({"spmv", "gen=banded,n=0"}),
          tune({"spmv", "gen=random,rows=0,cols=3"})}},
        {"size negative",
         {tune({"spmv", "gen=poisson7,nx=-4"}), tune({"spmv", "gen=banded,n=-1"}),
          tune({"spmv", "gen=rmat,scale=-2"})}},
        {"size overflowing",
         {tune({"spmv", "gen=poisson7,nx=99999999999999999999"}),
          tune({"spmv", "gen=poisson27,nx=4000000000"}), tune({"spmv", "gen=rmat,scale=63"})}},
        {"machine file",
         {tune({"spmv", "gen=poisson7,nx=9", "--machine", other_schema}),
          tune({"spmv", "gen=poisson7,nx=9", "--machine", unknown_key}),
          tune({"spmv", "gen=poisson7,nx=9", "--machine", torn})}},
        {"command",
         {{"tuen"},
          {"explian", good},
          {"list", "familys"},
          {"results"},
          {"list"},
          {"track"},
          {"import", "foo"}}},
        {"missing", {{"verify"}, {"track", "bisect", "v1", "v2"}, {"track", "bisect"}}},
        {"word", {{"help", "frac"}, {"help", "roofline"}, {"help", "limit"}, {"help", "xyzzy"}}},
        {"processors",
         {tune({"spmv", "gen=poisson7,nx=9", "--threads", "0"}),
          tune({"spmv", "gen=poisson7,nx=9", "--threads", "1,two"}),
          tune({"spmv", "gen=poisson7,nx=9", "--threads", "1,1"}),
          tune({"spmv", "gen=poisson7,nx=9", "--cpus", "zero"}),
          tune({"spmv", "gen=poisson7,nx=9", "--cpus", "99999"})}},
    };
    std::string text;
    for (const Group& group : groups) {
        text += std::string("# ") + group.kind + "\n\n";
        for (const std::vector<std::string>& words : group.calls) {
            std::vector<std::string> all = words;
            all.insert(all.begin(), program());
            const bool own_machine = std::find(words.begin(), words.end(), "--machine") != words.end();
            if (words.front() == "tune" && !own_machine) {
                for (const std::string& word : {std::string("--machine"), s.machine()}) all.push_back(word);
            }
            const bool about_threads = std::string(group.kind) == "processors";
            if (words.front() == "tune" && !about_threads) {
                for (const char* word : {"--threads", "1"}) all.emplace_back(word);
            }
            const Finished f = run(all);
            std::string call = "$ rooftune";
            for (const std::string& word : words) call += " " + word;
            INFO(call << "\n" << f.error);
            CHECK(f.status == 2);
            CHECK(f.out.empty());
            CHECK_FALSE(f.error.empty());
            text += call + "\n" + f.told() + "\n";
        }
    }
    check_golden("cli/wrong_input.txt", normalised(text, s));
}

TEST_CASE("compare: of two files that are not there the first is named") {
    const Session s(toy::machine());
    const Finished f = run({program(), "compare", s.folder / "first.json", s.folder / "second.json"});
    CHECK(f.status == 2);
    CHECK_THAT(f.told(), Catch::Contains("first.json") && !Catch::Contains("second.json"));
}

TEST_CASE("a problem larger than memory is refused before anything is allocated") {
    const Session s(toy::machine());
    for (const char* problem : {"gen=poisson27,nx=3000", "gen=random,rows=100000000,cols=1000,per_row=100",
                                "gen=elasticity3,nx=900"}) {
        const Finished f = s.run({"tune", "spmv", problem});
        INFO(problem << f.error);
        CHECK(f.status == 2);
        CHECK(f.told().find("GiB") != std::string::npos);
    }
}

TEST_CASE("the man page has the program's commands, all of them and no other") {
    const std::set<std::string> commands = commands_of_program();
    std::set<std::string> described;
    std::ifstream stream("docs/rooftune.1");
    std::stringstream page;
    page << stream.rdbuf();
    const std::string text = page.str();
    const std::size_t from = text.find(".SH COMMANDS"), to = text.find(".SH EXIT STATUS");
    REQUIRE(from < to);
    const std::string section = text.substr(from, to - from);
    const std::regex entry("\\.TP\n\\.B ([a-z]+)\n");
    for (std::sregex_iterator it(section.begin(), section.end(), entry), end; it != end; ++it)
        described.insert((*it)[1]);
    CHECK(commands.size() > 10);
    CHECK(commands == described);
}
