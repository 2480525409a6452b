// Everything that a command says to a person fits the page, from a narrow terminal to a pipe.
#include <set>

#include "tests/support/session.h"
#include "tuner/base/text_width.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

using Words = std::vector<std::string>;

// The page of the programs that are started; a pipe's again at the end.
struct Page {
    explicit Page(int columns) { setenv("COLUMNS", std::to_string(columns).c_str(), 1); }
    ~Page() { setenv("COLUMNS", "100", 1); }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;
};

bool is_one_word(std::string_view text) {
    return text.find(' ') == std::string_view::npos;
}

// What nobody may break: a word (a path), a command to copy, on a line of its own, or behind a label or the
// mark of a list.
bool stays_whole(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(begin);
    if (line.starts_with("- ")) line.remove_prefix(2);
    if (is_one_word(line) || line.starts_with("rooftune ")) return true;
    if (const std::size_t gap = line.find("  "); gap != std::string_view::npos) {
        line.remove_prefix(std::min(line.find_first_not_of(' ', gap), line.size()));
        if (is_one_word(line)) return true;
    }
    const std::size_t first = line.find('`'), last = line.rfind('`');
    if (first == std::string_view::npos || first == last) return false;
    return is_one_word(line.substr(0, first)) && is_one_word(line.substr(last));
}

// The first line that is wider than the page and could be broken.
std::string too_wide(const std::string& text, int columns) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (display_width(line) > columns && !stays_whole(line)) return line;
    }
    return "";
}

std::string called(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// Runs it on pages of these widths; its status is one of those expected.
void check_page(const Words& words, const std::set<int>& statuses, const std::vector<int>& widths) {
    for (const int columns : widths) {
        const Page page(columns);
        const Finished f = run(words);
        INFO(called(words) << "\non a page of " << columns << " columns, status " << f.status << "\n"
                           << f.out << f.error);
        CHECK(statuses.contains(f.status));
        CHECK_FALSE((f.out + f.error).empty());
        CHECK(too_wide(f.out, columns) == "");
        CHECK(too_wide(f.error, columns) == "");
    }
}

const std::vector<int> kAll = {40, 60, 80, 100};
const std::vector<int> kNarrow = {40, 100};  // of commands that measure

// A store with a job of variants that fail and one of a real family, two entries of a history, a ladder.
struct Store {
    Session session;
    std::string config, other;

    Words words(Words more) const { return session.command(std::move(more)); }
    Words with_results(Words more) const {
        more.insert(more.begin(), program());
        more.insert(more.end(), {"--results", session.results()});
        return more;
    }

    Store() {
        config = tuned({"fault", "n=1000"});
        other = tuned({"spmv", "gen=poisson7,nx=8"});
        for (const char* revision : {"v1.0", "v1.1"}) {
            const Finished f = run(words({"track", "record", config, "--revision", revision, "--note",
                                          "a note of several words that goes on", "--seconds", "0.05"}));
            INFO(f.error);
            REQUIRE(f.status == 0);
        }
    }

private:
    std::string tuned(const Words& problem) const {
        Words all = {"tune"};
        all.insert(all.end(), problem.begin(), problem.end());
        all.insert(all.end(), {"--budget", "3s,8", "--audit", "2", "--json"});
        const Finished f = session.run(all);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return nlohmann::json::parse(f.out).at("files").at("config");
    }
};

const Store& store() {
    static const Store all;
    return all;
}

}  // namespace

TEST_CASE("the judge of widths: what could be broken is found, what stays whole is passed") {
    CHECK(too_wide("twelve chars\nfits\n", 12) == "");
    CHECK(too_wide("twelve chars and more\n", 12) == "twelve chars and more");
    CHECK(too_wide("  a line of\n  words that goes on\n", 12) == "  words that goes on");
    CHECK(too_wide("/a/path/that/is/long\n  - \n- /another/long/path\n", 12) == "");
    CHECK(too_wide("Config   /a/path/that/is/long\n", 12) == "");
    CHECK(too_wide("Config   of several words\n", 12) == "Config   of several words");
    CHECK(too_wide("    rooftune tune spmv --fresh\n", 12) == "");
    CHECK(too_wide("`rooftune tune spmv --fresh`,\n", 12) == "");
    CHECK(too_wide("or `rooftune tune` and so on\n", 12) == "or `rooftune tune` and so on");
    CHECK(too_wide("| a | table's row |\n", 12) == "| a | table's row |");
}

TEST_CASE("a list of jobs says what it has no room for") {
    const Words words = store().with_results({"list", "jobs"});
    const auto said = [&](int columns) {
        const Page page(columns);
        return run(words).out;
    };
    CHECK_THAT(said(60),
               Catch::Contains("Not shown, because the page is narrow:") && Catch::Contains("--json"));
}

TEST_CASE("what looks at the store fits the page") {
    const Store& s = store();
    const std::string results = s.session.results(), machine = s.session.machine();
    for (const Words& words : std::vector<Words>{{"list", "families"},
                                                 {"list", "parameters", "spmv"},
                                                 {"list", "machines"},
                                                 {"list", "jobs"},
                                                 {"results", "list"},
                                                 {"results", "list", "--family", "matmul"},
                                                 {"results", "show"},
                                                 {"results", "show", "1", "--records"},
                                                 {"results", "show", "run:1"},
                                                 {"results", "check"},
                                                 {"results", "prune", "--job", "1", "--newest-too"},
                                                 {"results", "prune", "--superseded"},
                                                 {"track", "report"},
                                                 {"track", "report", "--release", "v1.0"},
                                                 {"replay", "--job", "1", "--runs", "5"}}) {
        if (words.front() == "replay") {
            check_page({program(), "replay", results + "/rooftune.db", "--job", "1", "--runs", "5"}, {0},
                       kAll);
        } else {
            check_page(s.with_results(words), {0}, kAll);
        }
    }
    for (const Words& words :
         std::vector<Words>{{"help"},
                            {"help", "bound"},
                            {"list", "devices"},
                            {"explain", s.config},
                            {"explain", s.other},
                            {"machine", "--topology"},
                            {"machine", "--machine", machine},
                            {"machine", "--machine", "h100-sxm"},
                            {"machine", "--diff", "h100-sxm", "tpu-v5e"},
                            {"machine", "--diff", machine, machine},
                            {"bound", machine, "spmv", "gen=poisson7,nx=12"},
                            {"bound", "tpu-v5e", "matmul", "m=240,n=4096,k=4096,dtype=bf16"},
                            {"inspect", "spmv", "gen=poisson7,nx=12", "--machine", machine},
                            {"inspect", "spmv", "gen=poisson7,nx=12", "-v", "--results", "/nowhere"},
                            {"import", "ncu", "tests/golden/import/ncu.txt"},
                            {"import", "torch", "tests/golden/import/torch.json", "--machine", "h100-sxm"},
                            {"import", "likwid", "tests/golden/import/likwid.csv"}}) {
        Words all = words;
        all.insert(all.begin(), program());
        check_page(all, {0}, kAll);
    }
    for (const Words& words : std::vector<Words>{{"verify", s.session.results(), "--quick"},
                                                 {"tune", "spmv", "gen=poisson7,nx=8", "--dry-run"}})
        check_page(s.words(words), {0, 1}, kAll);
    const std::string copy = s.session.folder / "copy";
    int number = 0;
    for (const int columns : kAll) {
        const std::string file = copy + std::to_string(++number) + ".db";
        check_page(s.with_results({"results", "export", "--store", file}), {0}, {columns});
        check_page({program(), "results", "import", file, "--results", copy}, {0}, {columns});
        check_page(s.with_results({"export", "--job", "1", "--format", "t4", "--output", file + ".json"}),
                   {0}, {columns});
    }
}

TEST_CASE("what measures fits the page") {
    const Store& s = store();
    check_page(s.words({"tune", "spmv", "gen=poisson7,nx=8", "--budget", "1s,4", "--audit", "0"}), {0},
               kNarrow);
    check_page(s.words({"tune", "spmv", "gen=poisson7,nx=8", "-v", "--budget", "1s,4"}), {0}, kNarrow);
    check_page(
        s.words({"tune", "fault", "n=1000,spoil=1", "--only", "behaviour=good|wrong", "--budget", "9s"}), {1},
        kNarrow);
    check_page(s.words({"run", s.other, "--seconds", "0.05"}), {0}, kNarrow);
    check_page(s.words({"ladder", "--config", s.other, "--budget", "2s"}), {0}, kNarrow);
    check_page({program(), "doctor", "--seconds", "0.2", "--results", s.session.results()}, {0}, kNarrow);
    check_page(s.words({"verify", s.other}), {0, 1, 3}, kNarrow);
    check_page(s.words({"track", "record", s.config, "--revision", "v1.2", "--seconds", "0.05"}), {0},
               kNarrow);
    // Whatever the verdict is.
    check_page(s.words({"compare", s.config, s.config, "--delta", "0.9"}), {0, 1, 3}, {40});
    check_page(s.with_results({"compare", "--command-a", "/bin/true", "--command-b", "/bin/true", "--threads",
                               "1", "--delta", "0.9"}),
               {0, 1, 3}, {40});
}

TEST_CASE("what refuses a wrong input fits the page") {
    const Store& s = store();
    const std::string folder = s.session.folder.path(), empty = s.session.folder / "empty";
    std::ofstream(empty).flush();
    for (const Words& words :
         std::vector<Words>{{},
                            {"tuen"},
                            {"tune", "spmv", "--matrx", "a.mtx"},
                            {"tune", "stencil", "points=5"},
                            {"tune", "spmv", "gen=poisson7,nx=9", "--cpus", "70000"},
                            {"tune", "spmv", "gen=poisson7,nx=9", "--budget", "soon"},
                            {"tune", "spmv", "gen=poisson7,nx=9", "--where", "x == 1"},
                            {"tune", "--job", s.config},
                            {"run", folder},
                            {"explain", s.session.machine()},
                            {"plot", "nofile"},
                            {"plot", empty},
                            {"bound", s.config, "spmv", "gen=poisson7,nx=9"},
                            {"machine", "--diff", s.config, "nofile"},
                            {"compare", s.config, "nofile"},
                            {"verify", "nofile"},
                            {"replay", s.config},
                            {"import", "ncu", empty},
                            {"report", empty},
                            {"results", "list", "--results", folder},
                            {"track", "report", "--results", folder},
                            {"track", "report", "--release", "nope", "--results", s.session.results()},
                            {"help", "tuen"}}) {
        Words all = words;
        all.insert(all.begin(), program());
        check_page(all, {2}, kAll);
    }
}
