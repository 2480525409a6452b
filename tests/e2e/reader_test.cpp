// A reader who believes every line: what the outputs of one tune say is collected wherever it stands and held
// against the JSON of that tune. One thing has one number, whichever command is asked.
#include <fstream>

#include "tests/support/reader/page_claims.h"
#include "tests/support/reader/read_output.h"
#include "tests/support/reader/store_claims.h"
#include "tests/support/session.h"
#include "tuner/base/si.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A tune of a matrix with 27 entries a row, of which the default variant is not the naive one, on this
/// machine as measured.
class Tuned {
public:
    Tuned() {
        // What it prints, and the same with the whole summary: two runs of one job.
        brief_ = tune({});
        whole_ = tune({"--verbose"});
        const json jobs = document({"results", "list"});
        REQUIRE(jobs.at("jobs").size() == 1);
        REQUIRE(jobs.at("jobs").at(0).at("runs") == 2);
    }

    std::string results() const { return folder_ / "results"; }
    const Finished& brief() const { return brief_; }
    const Finished& whole() const { return whole_; }

    Finished command(std::vector<std::string> words) const {
        words.insert(words.begin(), program());
        words.insert(words.end(), {"--results", results()});
        Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return f;
    }
    json document(std::vector<std::string> words) const {
        words.emplace_back("--json");
        return json::parse(command(std::move(words)).out);
    }
    json result_of_run(const std::string& run) const {
        return document({"results", "show", "run:" + run}).at("result");
    }
    std::string file(const std::string& name) const { return folder_ / name; }

private:
    Finished tune(const std::vector<std::string>& more) const {
        std::vector<std::string> words{"tune",    "spmv", "gen=poisson27,nx=16", "--budget", "5s,24",
                                       "--audit", "6"};
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }

    TemporaryFolder folder_;
    Finished brief_, whole_;
};

/// One for all: the machine's model takes most of the time.
const Tuned& tuned() {
    static const Tuned one;
    return one;
}

constexpr std::size_t kEveryRow = 1000000;

Reader reader_of(const json& result) {
    Reader reader;
    claim_result(reader, result);
    claim_explanation(reader, result);
    return reader;
}

}  // namespace

TEST_CASE("a text is read sentence by sentence and row by row") {
    const auto read = statements(
        "## A title of 2\n\nWinner   SELL: 1.5\n         Gflop/s. It takes 3 ms.\nLeft     nothing\n\n"
        "| a | b |\n|---|--:|\n| x \\| y |  1 |\n\n1. one\n   more\n2. two\n");
    std::vector<std::string> texts;
    for (const Statement& s : read) texts.push_back(s.text);
    CHECK(texts == std::vector<std::string>{"## A title of 2", "Winner SELL: 1.5 Gflop/s.", "It takes 3 ms.",
                                            "Left nothing", "| a | b |", "| x \\| y | 1 |", "1. one more",
                                            "2. two"});
    CHECK(read[5].columns == std::vector<std::string>{"a", "b"});
    CHECK(read[5].cells == std::vector<std::string>{"x | y", "1"});
    CHECK(text_of_svg("<svg><title>A &lt; 1</title><text x=\"3\"><title>tip 4</title>5 s</text></svg>") ==
          "A < 1\n\ntip 4\n\n5 s\n\n");
    CHECK_THAT(
        text_of_html("<p>1 <b>of 2</b></p><script>3</script><table><tr><td>4</td><td>5</td></tr></table>"),
        Contains("1 of 2") && Contains("| 4 | 5 |") && !Contains("3"));
}

TEST_CASE("the reader finds a number that is another elsewhere, and one that nothing covers") {
    Reader reader;
    reader.claim("share", kPercent + " of its own bound", "44 %");
    reader.claim("limit", "\\((95 %) limit, " + kCount + " drawn", Reader::Truths{{"95 %", "7"}});
    reader.words("SELL-16-512");
    reader.words_of({{"why", "it has 12 reasons"}});
    reader.excuse("after [0-9]+ s", "time passes");
    const auto fault = [&](const std::string& text) {
        const Reading r = reader.read(text);
        return r.untrue + r.uncovered;
    };
    CHECK(fault("SELL-16-512: 44 % of its own bound (reads) in f64 after 3 s, 44 % of its own bound") == "");
    CHECK(fault("(95 % limit, 7 drawn)") == "");
    CHECK(fault("nothing of the kind") == "");
    // What is wrong, in each place where a number may stand.
    CHECK_THAT(fault("44 % of its own bound; 27 % of its own bound"), Contains("says 27 %, but is 44 %"));
    CHECK_THAT(fault("SELL-16-256 it is"), Contains("SELL-16-256 it is"));
    CHECK_THAT(fault("(90 % limit, 7 drawn)"), Contains("90"));
    CHECK_THAT(fault("(95 % limit, 8 drawn)"), Contains("says 95 % | 8, but is 95 % | 7"));
    CHECK_THAT(fault("a new sentence with 5 in it"), Contains("5  in: a new sentence"));
    // Numbers that are part of others are not covered by them.
    CHECK_THAT(fault("SELL-16-5120"), Contains("SELL-16-5120"));
    // What the document says in the same words holds nothing against a value.
    const Reading counts = reader.read("44 % of its own bound after 3 s. And nothing. It has 12 reasons.");
    CHECK(counts.clean());
    CHECK(counts.sentences == 2);
    CHECK(counts.held == 1);
    CHECK(counts.repeated == 1);
    CHECK(counts.excused == 1);
    CHECK(counts.said.at("share") == 1);
}

TEST_CASE("the reader counts the rows of a table") {
    Reader reader;
    reader.table("times", {"", "time"}, {{"winner", "1.40 ms"}, {"naive", "*"}, {"default: *", "3 ms"}});
    reader.words("2 ms");
    reader.words("on 4 threads");
    const auto fault = [&](const std::string& rows) {
        const Reading r = reader.read("| | time |\n|---|---|\n" + rows);
        return r.untrue + r.uncovered;
    };
    const std::string winner = "| winner | 1.40 ms |\n", naive = "| naive | 2 ms |\n",
                      fallback = "| default: on 4 threads | 3 ms |\n";
    CHECK(fault(naive + winner + fallback) == "");
    CHECK_THAT(fault(winner + fallback), Contains("1 rows are missing") && Contains("not there: naive"));
    CHECK_THAT(fault(winner + naive + fallback + winner), Contains("once too often: winner"));
    CHECK_THAT(fault("| winner | 1.50 ms |\n" + naive + fallback), Contains("but: winner | 1.40 ms"));
    CHECK_THAT(fault(winner + naive + fallback + "| loser | none |\n"), Contains("no such row"));
    CHECK_THAT(fault(winner + "| naive | 5 ms |\n" + fallback), Contains("5  in:"));
    CHECK_THAT(fault(winner + naive + "| default: on 8 threads | 3 ms |\n"), Contains("8  in:"));
    // Of a long one a page may show a part.
    Reader part;
    part.table("times", {"a"}, {{"1"}, {"2"}, {"3"}}, 2);
    CHECK(part.read("| a |\n|---|\n| 3 |\n| 1 |\n").clean());
    CHECK_FALSE(part.read("| a |\n|---|\n| 3 |\n").clean());
    CHECK_FALSE(part.read("| a |\n|---|\n| 3 |\n| 3 |\n").clean());
}

TEST_CASE("the reader knows of whom something is said") {
    Reader reader;
    for (const auto& [name, time] : {std::pair{"one", "1 s"}, std::pair{"two", "2 s"}}) {
        reader.about("^" + std::string(name) + ":", [&, time = time] {
            reader.claim("time", "It takes ([0-9] s)", time);
            reader.about("^once more", [&] { reader.excuse("[0-9] s", "not known"); });
        });
    }
    const auto fault = [&](const std::string& text) {
        const Reading r = reader.read(text);
        return r.untrue + r.uncovered;
    };
    CHECK(fault("one:\n\nIt takes 1 s.\n\ntwo: It takes 2 s.\n\nonce more\n\n7 s") == "");
    CHECK_THAT(fault("one:\n\nIt takes 2 s.\n\ntwo: It takes 1 s."),
               Contains("says 2 s") && Contains("says 1 s"));
    CHECK_THAT(fault("one:\n\n7 s"), Contains("7  in: 7 s"));
    CHECK_THAT(fault("It takes 1 s."), Contains("1  in: It takes"));
}

TEST_CASE("what is cut for want of room is read where it stands whole") {
    Reader reader;
    reader.words("5 short ones");
    CHECK(reader.read("5 sho…\n\n5 short ones").clean());
    CHECK(reader.read("5 sho…").clean());
    CHECK_FALSE(reader.read("6 sho…\n\n5 short ones").clean());
    CHECK(text_of_svg("<line x1=\"2\" class=\"grid\"/><text>3 s</text><text>4 s</text><desc>5</desc>") ==
          "tick: 3 s\n\n4 s\n\n5\n\n");
}

TEST_CASE("a judge that would take any number is blind, and is told so") {
    Reader blind;
    blind.claim("count", "([0-9]) of", Reader::Truths{{"5"}, {"7"}});
    CHECK_THAT(blind.blind_spots("5 of them", 10), Contains("5 with 7 for its 5  in: 5 of them"));
    blind.one_of_many("of them$", "either is true");
    CHECK(blind.blind_spots("5 of them", 10) == "");
    Reader good;
    good.claim("count", "([0-9]) of", "5");
    good.table("times", {"", "time"}, {{"winner", "1.40 ms"}, {"naive", "1.41 ms"}});
    const std::string text =
        "5 of them\n\n| | time |\n|---|---|\n| winner | 1.40 ms |\n| naive | 1.41 ms |\n";
    CHECK(good.blind_spots(text, 10) == "");
    // A row that may be that of another is seen by its own being gone.
    Reader rows;
    rows.table("sizes", {"n"}, {{"16"}, {"26"}});
    CHECK(rows.blind_spots("| n |\n|---|\n| 16 |\n| 26 |\n", 10) == "");
}

TEST_CASE("what one tune found is the same in every output that says it") {
    const WidePage wide;
    Walk walk;
    const json first = tuned().result_of_run("1"), second = tuned().result_of_run("2");
    walk.read(reader_of(first), "tune", tuned().brief().out, 10);
    walk.read(reader_of(second), "tune --verbose", tuned().whole().out, 40);
    // Where noise decides nothing between both winners, the first one's config stays.
    const json& r = second.at("files").at("config").is_string() ? second : first;
    const std::string config = r.at("files").at("config");
    const Reader reader = reader_of(r);
    Reader show = reader_of(second);
    claim_run(show, tuned().document({"results", "show", "run:2"}));
    walk.read(show, "results show run:2", tuned().command({"results", "show", "run:2"}).out, 45);
    // Where other processes ran beside all probes, nothing bounds the winner, and `explain` has no terms to
    // tell.
    const bool is_bounded = !r.at("bound").at("terms").empty();
    walk.read(reader, "explain", tuned().command({"explain", config}).out, is_bounded ? 20 : 8);

    // A Markdown page has the first rows of its long tables only.
    Reader page = reader, hypertext = reader;
    claim_page(page, r, 12);
    claim_page(hypertext, r, kEveryRow);
    page.words_of(json::parse(contents(config)));
    const json machine = tuned().document({"machine", "--show"});
    claim_ceilings(
        page,
        read_machine_file(tuned().results() + "/machines/" + machine.at("id").get<std::string>() + ".json"),
        12);
    const std::string markdown = tuned().file("page.md"), html = tuned().file("page.html");
    tuned().command({"report", config, "--markdown", markdown});
    walk.read(page, "report --markdown", contents(markdown), 100);
    // Without the machine's file the drawings have the roofs that the result kept.
    const std::string nowhere = tuned().file("nowhere");
    REQUIRE(run({program(), "report", config, "--html", html, "--results", nowhere}).status == 0);
    hypertext.words_of(json::parse(contents(config)));
    claim_plot(hypertext, r);
    walk.read(hypertext, "report --html", text_of_html(contents(html)), 100);
    Reader plot;
    claim_plot(plot, r);
    walk.read(plot, "plot", text_of_svg(run({program(), "plot", config, "--results", nowhere}).out), 20);

    // What the outputs of one tune must say at the least, wherever.
    const bool has_roof = r.at("problem_roof_seconds").get<double>() > 0.0;
    for (const std::string claim :
         {"winner's rate and time", "winner's rate", "fraction of the problem's roof",
          "fraction of its bound", "reference times", "space", "excluded", "set aside", "measured",
          "raced out", "unmeasured", "threads", "state", "terms", "branch and bound", "error"}) {
        INFO(claim);
        // Likewise there is then no roof to tell a rate against.
        if (!is_bounded && claim == "terms") continue;
        if (!has_roof && (claim == "winner's rate" || claim.ends_with("of the problem's roof"))) continue;
        CHECK(walk.said(claim) >= 1);
    }
    WARN(walk.summary());
}

TEST_CASE("what no variant can be faster than is no more than what the winner took") {
    const WidePage wide;
    const json r = tuned().result_of_run("2");
    const std::vector<std::string> bound{program(),   "bound",          "this", "spmv", "gen=poisson27,nx=16",
                                         "--results", tuned().results()};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = bound;
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const Finished asked = with({"--json"});
    INFO(asked.error);
    // Beside others for all of both tunes, a machine may have no rate that anybody could prove.
    if (asked.status == 3) {
        REQUIRE_THAT(asked.told(), Contains("other processes ran whenever it was probed"));
        WARN("not held against the tune: " << asked.told());
        return;
    }
    REQUIRE(asked.status == 0);
    const json limits = json::parse(asked.out);
    CHECK(limits.at("workload").at("state") == r.at("state"));
    CHECK(limits.at("problem_roof").at("variants").get<double>() >=
          r.at("certificate").at("space").get<double>());
    CHECK(limits.at("problem_roof").at("seconds_lower").get<double>() *
              (1.0 - r.at("certificate").at("margin").get<double>()) <=
          r.at("best").at("seconds").at("high").get<double>());
    // The state is in the headline wherever it makes a difference; beside others a model may be too poor for
    // one.
    const json cold = json::parse(with({"state=cold", "--json"}).out);
    CHECK(cold.at("workload").at("state") == "cold");
    const bool differ = cold.at("seconds_lower") != limits.at("seconds_lower") ||
                        cold.at("seconds_serial") != limits.at("seconds_serial");
    std::string said_of_it;
    for (const Statement& s : statements(with({}).out)) said_of_it += s.text + " ";
    CHECK((said_of_it.find(" with warm caches: at ") != std::string::npos) == differ);
    CHECK((said_of_it.find(") with warm caches, for its ") != std::string::npos) == differ);
}
