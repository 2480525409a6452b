// A reader who believes every line: what the outputs of one tune say is collected wherever it stands and held
// against the JSON of that tune. One thing has one number, whichever command is asked.
#include <cmath>
#include <regex>

#include "tests/support/session.h"
#include "tuner/base/si.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// A phrase with one group, and what must stand in it wherever it is said.
struct Claim {
    std::string name;
    std::string phrase;
    std::string truth;
};

std::string unwrapped(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::regex_replace(text, std::regex(" +"), " ");
}

// What a text says otherwise; `said` counts how often it says it at all.
std::string untrue(const std::string& text, const Claim& claim, int& said) {
    const std::regex phrase(claim.phrase);
    std::string wrong;
    for (std::sregex_iterator it(text.begin(), text.end(), phrase), end; it != end; ++it) {
        ++said;
        if ((*it)[1] != claim.truth) wrong += it->str() + "; ";
    }
    return wrong;
}

std::string quoted(const std::string& text) {
    return std::regex_replace(text, std::regex(R"([\[\](){}.*+?^$|\\])"), R"(\$&)");
}

std::string interval(const json& t) {
    return format_seconds_interval(t.at("median"), t.at("low"), t.at("high"));
}

// Of fewer than six rounds there is no interval.
std::string ratio(const json& t) {
    if (t.at("slots").get<int>() < 6) return format_ratio(t.at("median"));
    return format_ratio_interval(t.at("median"), t.at("low"), t.at("high"));
}

constexpr const char* kPercent = "([0-9.]+ %)";
constexpr const char* kCount = "([0-9 ]+)";

std::vector<Claim> claims_of(const json& r) {
    const json& best = r.at("best");
    const json& c = r.at("certificate");
    std::vector<Claim> claims;
    const auto share = [&](const char* key, const std::string& behind) {
        const double fraction = best.at(key).is_number() ? best.at(key).get<double>() : 0.0;
        if (fraction > 0.0 && fraction < 1.0)
            claims.push_back({key, kPercent + behind, format_percent(fraction)});
    };
    share("fraction_of_problem_roof", " of the problem's roof");
    share("fraction_of_variant_bound", " of its own bound");
    share("fraction_of_roof_now", " of the roof as probed just now");
    const auto count = [&](const char* key, const std::string& word) {
        claims.push_back({key, "[=+] " + std::string(kCount) + " " + word, format_count(c.at(key))});
    };
    count("excluded", "excluded");
    count("set_aside", "set aside");
    count("measured", "measured");
    count("raced_out", "raced out");
    count("unmeasured", "unmeasured");
    claims.push_back({"space", "Space: " + std::string(kCount) + " variants?", format_count(c.at("space"))});
    claims.push_back({"winner's time", R"(\| winner \| ([0-9][^|]+) \|)", interval(best.at("seconds"))});
    claims.push_back({"state", "(warm|cold) caches", r.at("state")});
    claims.push_back({"threads", "([0-9]+) threads? at most", std::to_string(r.at("threads").get<int>())});
    const double rate = r.at("flops_nominal").get<double>() / best.at("seconds").at("median").get<double>();
    claims.push_back({"rate", R"(\| winner \| [0-9][^|]+ \| ([^|]+) \|)", format_si(rate, "flop/s")});
    for (const char* rival : {"naive", "default"}) {
        const json& its = r.at(rival);
        if (its.at("variant") == best.at("variant") || !its.at("time_over_best").is_object()) continue;
        claims.push_back({rival, R"(\| )" + std::string(rival) + R"(: [^|]+ \| [^|]+ \| [^|]+ \| ([^|]+) \|)",
                          ratio(its.at("time_over_best"))});
    }
    return claims;
}

}  // namespace

TEST_CASE("the reader finds a number that is another elsewhere") {
    const Claim claim{"share", kPercent + std::string(" of its own bound"), "44 %"};
    int said = 0;
    CHECK(untrue("44 % of its own bound (reads), 44 % of its own bound", claim, said) == "");
    CHECK(said == 2);
    CHECK(untrue("44 % of its own bound; 27 % of its own bound", claim, said) == "27 % of its own bound; ");
    CHECK(untrue("nothing of the kind", claim, said) == "");
    CHECK(said == 4);
    CHECK(std::regex_search("1.90× [1.85, 1.94] (a)", std::regex(quoted("1.90× [1.85, 1.94] (a)"))));
}

TEST_CASE("what one tune found is the same in every output that says it") {
    const TemporaryFolder folder;
    const std::string results = folder / "results";
    // 27 entries a row: the default variant is not the naive one.
    const Finished tuned = run({program(), "tune", "spmv", "gen=poisson27,nx=16", "--budget", "3s,24",
                                "--audit", "6", "--json", "--results", results});
    INFO(tuned.error);
    REQUIRE(tuned.status == 0);
    const json r = json::parse(tuned.out);
    const json& best = r.at("best");
    const std::string config = r.at("files").at("config"), page = folder / "page.md";
    REQUIRE(run({program(), "report", config, "--markdown", page}).status == 0);
    setenv("COLUMNS", "10000", 1);
    const std::vector<std::pair<std::string, std::string>> outputs = {
        {"results show run:1", run({program(), "results", "show", "run:1", "--results", results}).out},
        {"explain", run({program(), "explain", config}).out},
        {"report --markdown", contents(page)}};
    setenv("COLUMNS", "100", 1);
    for (const Claim& claim : claims_of(r)) {
        int said = 0;
        for (const auto& [command, text] : outputs) {
            INFO(claim.name << " in " << command);
            CHECK(untrue(unwrapped(text), claim, said) == "");
        }
        INFO(claim.name << " should be " << claim.truth);
        CHECK(said >= 1);
    }
    // What no variant can be faster than is no more than what the winner took: both are of warm caches.
    const std::vector<std::string> bound{program(),   "bound", "this", "spmv", "gen=poisson27,nx=16",
                                         "--results", results};
    const json limits = json::parse(run(joined(bound, {"--json"})).out);
    CHECK(limits.at("workload").at("state") == r.at("state"));
    CHECK(limits.at("problem_roof").at("variants").get<double>() >=
          r.at("certificate").at("space").get<double>());
    CHECK(limits.at("problem_roof").at("seconds_lower").get<double>() *
              (1.0 - r.at("certificate").at("margin").get<double>()) <=
          best.at("seconds").at("high").get<double>());
    // The state is in the headline wherever it makes a difference; beside others a model may be too poor for
    // one.
    const json cold = json::parse(run(joined(bound, {"state=cold", "--json"})).out);
    CHECK(cold.at("workload").at("state") == "cold");
    const bool differ = cold.at("seconds_lower") != limits.at("seconds_lower") ||
                        cold.at("seconds_serial") != limits.at("seconds_serial");
    const std::string said_of_it = unwrapped(run(bound).out);
    CHECK((said_of_it.find(" with warm caches: at ") != std::string::npos) == differ);
    CHECK((said_of_it.find(") with warm caches, for its ") != std::string::npos) == differ);
    // Gains are in sentences: each that is claimed is the JSON's, and above 1.
    const std::string text = unwrapped(outputs.front().second);
    const json& naive = r.at("naive").at("time_over_best");
    if (r.at("naive").at("variant") != r.at("best").at("variant") && naive.at("low").get<double>() > 1.0)
        CHECK(std::regex_search(text, std::regex(quoted(ratio(naive)) + " plain CSR")));
}
