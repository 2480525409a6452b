#include "tuner/formats/fields.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using Catch::Contains;

namespace rooftune::test {
namespace {

struct Leaf {
    std::string name;
    int size = 0;
};

/// A field of each kind.
struct Tree {
    std::string text = "t", kind = "oak", maybe;
    bool flag = true;
    int small = 3;
    std::uint64_t count = 18'446'744'073'709'551'615ULL;
    double number = 0.1, gap = 2.5, rate = 7.0;
    std::vector<std::string> texts{"b", "a"};
    std::vector<std::int64_t> integers{-1, 5};
    std::vector<double> numbers{0.5, -2.0};
    std::map<std::string, std::string> variant{{"k", "v"}};
    std::map<std::string, std::uint64_t> counts{{"n", 9}};
    std::vector<std::pair<std::string, double>> facts{{"z", 1.0}, {"a", 2.0}};
    Leaf leaf{"one", 1};
    std::vector<Leaf> leaves{{"two", 2}, {"three", 3}};
    int newer = 0;  ///< what older files lack
};

void fields(Fields& f, Leaf& leaf) {
    f("name", leaf.name);
    f("size", leaf.size, 1);
}

void fields(Fields& f, Tree& t) {
    f.schema("rooftune/tree/1");
    f("text", t.text);
    f.one_of("kind", t.kind, {"oak", "elm"});
    f.text_or_null("maybe", t.maybe);
    f("flag", t.flag);
    f("small", t.small);
    f("count", t.count);
    f("number", t.number, 0.0, 1.0);
    f.number_or_null("gap", t.gap, INFINITY);
    f.positive_or_null("rate", t.rate);
    f("texts", t.texts);
    f("integers", t.integers);
    f("numbers", t.numbers);
    f("variant", t.variant);
    f("counts", t.counts);
    f("facts", t.facts);
    f("leaf", t.leaf);
    f("leaves", t.leaves);
    f.inside("fixed", [](Fields& fixed) { fixed.always("tolerance", 1); });
    f.require(t.small != 13, "small", "any other number");
    if (f.has("newer", t.newer > 0)) f("newer", t.newer);
}

Json json_of_tree(const Tree& tree) {
    Json json;
    write_fields(json, tree);
    return json;
}

Json back_and_forth(const Json& json) {
    return json_of_tree(read_fields<Tree>(StrictObject(json, "f")));
}

std::string complaint_of_tree(const std::string& pointer, Json value) {
    Json json = json_of_tree({});
    json[Json::json_pointer(pointer)] = std::move(value);
    try {
        read_fields<Tree>(StrictObject(json, "f"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("fields: a list writes its keys in its own order, each kind of value as JSON has it", "[fields]") {
    CHECK(json_of_tree({}).dump() ==
          R"({"schema":"rooftune/tree/1","text":"t","kind":"oak","maybe":null,"flag":true,"small":3,)"
          R"("count":18446744073709551615,"number":0.1,"gap":2.5,"rate":7.0,"texts":["b","a"],)"
          R"("integers":[-1,5],"numbers":[0.5,-2.0],"variant":{"k":"v"},"counts":{"n":9},)"
          R"("facts":{"z":1.0,"a":2.0},"leaf":{"name":"one","size":1},)"
          R"("leaves":[{"name":"two","size":2},{"name":"three","size":3}],"fixed":{"tolerance":1}})");
}

TEST_CASE("fields: what is in the list comes back, and so does what null stands for", "[fields]") {
    Tree tree{.text = "x", .kind = "elm", .maybe = "yes", .flag = false, .small = 0, .count = 0};
    tree.newer = 4;
    tree.leaves.clear();
    CHECK(back_and_forth(json_of_tree(tree)) == json_of_tree(tree));
    tree.gap = INFINITY;
    tree.rate = -1.0;
    tree.facts[0].second = NAN;
    const Json json = json_of_tree(tree);
    CHECK(json["gap"].is_null());
    CHECK(json["rate"].is_null());
    CHECK(json["facts"]["z"].is_null());
    tree.facts.clear();
    const Tree back = read_fields<Tree>(StrictObject(json_of_tree(tree), "f"));
    CHECK(std::isinf(back.gap));
    CHECK(back.rate == 0.0);
    CHECK(back.maybe == "yes");
    CHECK(back.leaves.empty());
    CHECK(back.newer == 4);
}

TEST_CASE("fields: the reader of a list is strict", "[fields]") {
    const Json whole = json_of_tree({});
    for (const auto& [key, value] : whole.items()) {
        INFO(key);
        Json less = whole;
        less.erase(key);
        CHECK_THROWS_WITH(back_and_forth(less), Contains("the key \"" + key + "\""));
    }
    CHECK_THAT(complaint_of_tree("/texst", 1), Contains("unknown key \"texst\"; did you mean \"text\"?"));
    CHECK_THAT(complaint_of_tree("/leaves/1/nmae", 1), Contains("at /leaves/1/nmae: unknown key"));
    CHECK_THAT(complaint_of_tree("/fixed/more", 1), Contains("at /fixed/more: unknown key"));
    CHECK_THAT(complaint_of_tree("/schema", "rooftune/tree/2"), Contains("the text \"rooftune/tree/1\""));
    CHECK_THAT(complaint_of_tree("/kind", "ash"), Contains("one of oak, elm"));
    CHECK_THAT(complaint_of_tree("/number", 1.5), Contains("at /number: expected a number from 0.0 to 1.0"));
    CHECK_THAT(complaint_of_tree("/number", nullptr), Contains("at /number"));
    CHECK_THAT(complaint_of_tree("/gap", -1), Contains("at /gap: expected a number of at least 0.0"));
    CHECK_THAT(complaint_of_tree("/leaf/size", 0), Contains("at /leaf/size"));
    CHECK_THAT(complaint_of_tree("/leaves/0", 1), Contains("at /leaves/0: expected an object"));
    CHECK_THAT(complaint_of_tree("/counts/n", -1), Contains("at /counts/n"));
    CHECK_THAT(complaint_of_tree("/fixed/tolerance", 2), Contains("at /fixed/tolerance"));
    CHECK_THAT(complaint_of_tree("/small", 13), Contains("at /small: expected any other number, found"));
    CHECK(complaint_of_tree("/newer", 5) == "accepted");
}

TEST_CASE("fields: an older document is told what to do, and what follows must follow", "[fields]") {
    const auto complaint = [](const char* text) -> std::string {
        const Json json = parse_json(text, "f");
        Fields f(StrictObject(json, "f"));
        try {
            f.schema("rooftune/tree/3", "plant again");
            f.follows("sum", Json{{"a", 1}, {"b", 2}}, "the tree");
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK_THAT(complaint(R"({"schema":"rooftune/tree/2"})"),
               Contains("which an older version of this program wrote: plant again"));
    for (const char* other : {R"({"schema":"rooftune/tree/4"})", R"({"schema":"rooftune/bush/2"})"})
        CHECK_THAT(complaint(other), Contains("expected the text \"rooftune/tree/3\"") && !Contains("older"));
    CHECK_THAT(complaint(R"({"schema":"rooftune/tree/3","sum":{"a":1,"b":3}})"),
               Contains(R"(what the tree says, {"a":1,"b":2})"));
    CHECK(complaint(R"({"schema":"rooftune/tree/3","sum":{"b":2,"a":1}})") == "accepted");
}

TEST_CASE("fields: a list that has a key twice is a mistake of the program", "[fields]") {
    Json json;
    Fields f(json);
    int value = 1;
    f("once", value);
    CHECK_THROWS_AS(f("once", value), std::logic_error);
}

}  // namespace rooftune::test
