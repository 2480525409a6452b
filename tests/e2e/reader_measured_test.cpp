// The reader on what measures again: run, ladder, verify, compare and track. Each says in text and in JSON
// what one measurement gave.
#include <fstream>

#include "tests/support/reader/measured_claims.h"
#include "tests/support/reader/page_claims.h"
#include "tests/support/reader/read_output.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

json tuned(const Session& s, std::vector<std::string> problem) {
    problem.insert(problem.begin(), "tune");
    for (const char* word : {"--budget", "5s,16", "--audit", "2", "--json"}) problem.emplace_back(word);
    const Finished f = s.run(problem);
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out);
}

/// What one measurement says: the text in a file, the JSON on standard output.
struct Both {
    json document;
    std::string text;
};

Both both(const Session& s, std::vector<std::string> words) {
    const std::string file = s.folder / "text";
    std::filesystem::remove(file);
    words.insert(words.end(), {"--json", "--file", file});
    const Finished f = run(words);
    INFO(f.error << f.out);
    REQUIRE((f.status == 0 || f.status == 1 || f.status == 3));
    return {json::parse(f.out), contents(file)};
}

/// What stands under each heading.
std::vector<std::string> sections(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (all.empty() || line.starts_with("## ")) all.emplace_back();
        all.back() += line + "\n";
    }
    return all;
}

std::string script(const Session& s, const std::string& name, const std::string& text) {
    std::ofstream(s.folder / name) << text << "\n";
    return "/bin/sh " + s.folder / name;
}

Both compared(const Session& s, const std::vector<std::string>& more) {
    std::vector<std::string> words{program(),   "compare", "--quiet", "--results",
                                   s.results(), "--limit", "10"};
    words.insert(words.end(), more.begin(), more.end());
    return both(s, words);
}

}  // namespace

TEST_CASE("a job says of each problem and of all together what its set and its results have") {
    const WidePage wide;
    const Session s;
    const std::string job = s.folder / "two.json";
    std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "stencil", "problem": {"nx": "33", "ny": "17", "nz": "9"}},
        {"family": "stencil", "problem": {"nx": "40", "ny": "17", "nz": "9"}}]})";
    const Finished f = s.run({"tune", "--job", job, "--budget", "5s,16", "--audit", "4", "--quiet"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json set = json::parse(contents(s.results() + "/tuned/two.json"));
    json results = json::array();
    for (const json& group : set.at("groups")) {
        for (const json& p : group.at("problems"))
            results.push_back(
                json::parse(contents(s.results() + "/tuned/" + p.at("config").get<std::string>()))
                    .at("result"));
    }
    REQUIRE(results.size() == 2);
    Walk walk;
    for (const std::string& section : sections(f.out)) {
        Reader reader;
        claim_set(reader, set, results);
        reader.words(s.results() + "/tuned/two.json");
        reader.words(s.results() + "/tuned/winners.svg");
        for (const json& result : results) {
            if (section.find("## " + result.at("title").get<std::string>()) == 0)
                claim_result(reader, result);
        }
        walk.read(reader, "tune --job", section, 3);
    }
    CHECK(walk.said("winner's rate and time") == 2);
    CHECK(walk.said("winners") == 1);
    CHECK(walk.said("left out in turn") == 1);
    WARN(walk.summary());
}

TEST_CASE("run and verify say what they measured") {
    const WidePage wide;
    const Session s;
    Walk walk;
    const json r = tuned(s, {"stencil", "nx=33,ny=17,nz=9,steps=2"});
    const std::string config = r.at("files").at("config");
    const Both ran = both(s, s.command({"run", config, "--seconds", "0.5", "--quiet"}));
    Reader arms;
    claim_arms(arms, ran.document, r.at("flops_nominal"));
    arms.words_of(json::parse(contents(config)));
    arms.words(s.results());  // of the command that is told to be next
    walk.read(arms, "run", ran.text, 8);

    const Both quick = both(s, {program(), "verify", "--quick", config, "--machine", s.machine()});
    Reader static_checks;
    claim_verified(static_checks, quick.document);
    walk.read(static_checks, "verify --quick", quick.text, 1);
    const Both verified =
        both(s, {program(), "verify", config, "--machine", s.machine(), "--results", s.results()});
    Reader measured;
    claim_verified(measured, verified.document);
    walk.read(measured, "verify", verified.text, 4);
    CHECK(walk.said("time now") == 1);
    CHECK(walk.said("time then") == 1);
    WARN(walk.summary());
}

TEST_CASE("a ladder says what it measured, as text, on the page and as a drawing") {
    const WidePage wide;
    const Session s;
    Walk walk;
    const json r = tuned(s, {"matmul", "m=37,n=65,k=29,beta=1"});
    const std::string config = r.at("files").at("config"), svg = s.folder / "ladder.svg";
    const Finished f = s.run({"ladder", "--config", config, "--budget", "1s", "--quiet", "--svg", svg});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const std::string file = config.substr(0, config.size() - 5) + ".ladder.json";
    const json d = json::parse(contents(file));
    Reader reader;
    claim_result(reader, r);
    claim_ladder(reader, d);
    reader.words(file);
    walk.read(reader, "ladder", f.out, 15);
    reader.excuse("^tick: .*", "where ticks stand is the drawing's affair");
    walk.read(reader, "ladder --svg", text_of_svg(contents(svg)), 5);
    WARN(walk.summary());
}

TEST_CASE("compare says what it measured: programs, several of them, values of a parameter") {
    const WidePage wide;
    const Session s;
    Walk walk;
    const auto prints = [&](const char* name, const char* number) {
        return script(s, name, std::string("echo ") + number);
    };
    const std::string one = prints("one", "1.000000"), slow = prints("slow", "1.200000");
    const std::vector<std::string> own{"--delta", "0.03", "--reads-time", "--control", "none"};
    const auto read = [&](const char* name, const std::vector<std::string>& words, std::size_t least) {
        const std::string svg = s.folder / "turns.svg";
        std::vector<std::string> all = words;
        all.insert(all.end(), own.begin(), own.end());
        all.insert(all.end(), {"--svg", svg});
        const Both answer = compared(s, all);
        Reader reader;
        claim_comparison(reader, answer.document);
        walk.read(reader, name, answer.text, least);
        all.insert(all.end(), {"--format", "markdown"});
        const Both again = compared(s, all);
        Reader markdown;
        claim_comparison(markdown, again.document);
        walk.read(markdown, std::string(name) + " --format markdown", again.text, least);
        claim_turns(markdown, again.document);
        walk.read(markdown, std::string(name) + " --svg", text_of_svg(contents(svg)), least);
    };
    read("compare --command-a --command-b", {"--command-a", one, "--command-b", slow}, 5);
    read("compare --command", {"--command", one, "--command", slow, "--command", prints("fast", "0.800000")},
         10);
    read("compare --parameter",
         {"--command-a", script(s, "a", "echo 1.$10000") + " {n}", "--command-b",
          script(s, "b", "echo 1.$20000") + " {n} {n}", "--parameter", "n=1,2"},
         10);
    WARN(walk.summary());
}

TEST_CASE("compare of tuned configs and a history say what they measured") {
    const WidePage wide;
    const Session s;
    Walk walk;
    const json r = tuned(s, {"stencil", "nx=33,ny=17,nz=9,steps=2"});
    const std::string config = r.at("files").at("config");
    const Both answer = compared(s, {config, config, "--machine", s.machine(), "--threads", "1"});
    Reader reader;
    claim_comparison(reader, answer.document);
    reader.words_of(json::parse(contents(config)));
    walk.read(reader, "compare BASE NEW", answer.text, 4);

    const auto record = [&](const std::string& revision, const std::string& note) {
        const Finished f = s.run({"track", "record", config, "--seconds", "0.3", "--quiet", "--revision",
                                  revision, "--note", note, "--baseline", "good"});
        INFO(f.error);
        REQUIRE(f.status == 0);
        return f.out;
    };
    const std::vector<std::string> report{program(), "track", "report", "--results", s.results()};
    const auto report_with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = report;
        words.insert(words.end(), more.begin(), more.end());
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return f.out;
    };
    for (const char* revision : {"v1.0", "v2.0", "v3.0"}) {
        const std::string text = record(revision, std::string("note of ") + revision);
        const json document = json::parse(report_with({"--json"}));
        Reader recorded;
        recorded.words(s.results() + "/rooftune.db");
        claim_recorded(recorded,
                       json::array({document.at("kernels").at(0).at("entries").back().at("entry")}));
        walk.read(recorded, "track record", text, 3);
    }
    const json document = json::parse(report_with({"--json", "--release", "v1.0", "--baseline", "good"}));
    Reader history;
    claim_history(history, document);
    walk.read(history, "track report", report_with({"--release", "v1.0", "--baseline", "good"}), 20);
    walk.read(history, "track report --markdown",
              report_with({"--markdown", "--release", "v1.0", "--baseline", "good"}), 20);
    WARN(walk.summary());
}
