#include "tuner/formats/strict_json.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using Catch::Contains;
using Catch::Equals;

namespace {

std::string complaint_about(std::string_view text, const JsonLimits& limits = {}) {
    try {
        parse_json(text, "file.json", limits);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

template <typename F>
std::string complaint_of(F&& f) {
    try {
        f();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("strict JSON: a right document keeps values and the order of keys", "[strict_json]") {
    const Json json =
        parse_json(R"({"z": 1, "a": [true, null, "x", -2, 1.5e3], "m": {"k": 18446744073709551615}})", "f");
    CHECK(json.dump() == R"({"z":1,"a":[true,null,"x",-2,1500.0],"m":{"k":18446744073709551615}})");
    CHECK(parse_json("3", "f") == Json(3));
    CHECK(parse_json(" [] \n", "f") == Json::array());
    CHECK(parse_json(R"({"a": {"x": 1}, "b": {"x": 2}, "c": [{"x": 3}, {"x": 4}]})", "f")["c"][1]["x"] == 4);
}

TEST_CASE("strict JSON: wrong documents", "[strict_json]") {
    SECTION("a key twice") {
        CHECK_THAT(complaint_about(R"({"a": 1, "b": {"c": 1, "d/e": 2, "c": 3}})"),
                   Equals(R"(file.json: at /b/c: expected each key once, found "c" twice)"));
        CHECK_THAT(complaint_about(R"({"a": 1, "\u0061": 2})"), Contains("found \"a\" twice"));
    }
    SECTION("text behind the document") {
        CHECK_THAT(complaint_about("{} x"),
                   Contains("expected the end of the file") && Contains("line 1, column 4"));
        CHECK_THAT(complaint_about("{}\n{}"), Contains("expected the end of the file") && Contains("line 2"));
    }
    SECTION("not numbers") {
        CHECK_THAT(complaint_about(R"({"a": NaN})"), Contains("file.json: at /a: not valid JSON"));
        CHECK_THAT(complaint_about(R"([1, Infinity])"), Contains("at /1: not valid JSON"));
        CHECK_THAT(complaint_about(R"([-Infinity])"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about(R"([1e999])"), Contains("range of a double") && Contains("1e999"));
        CHECK_THAT(complaint_about(R"({"a": 18446744073709551616})"),
                   Contains("at /a") && Contains("within 64 bits") && Contains("18446744073709551616"));
        CHECK_THAT(complaint_about("[-9223372036854775809]"), Contains("within 64 bits"));
        CHECK_THAT(complaint_about("[01]"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("[+1]"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("[.5]"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("[0x10]"), Contains("not valid JSON"));
    }
    SECTION("truncated, comments, commas, quotes") {
        CHECK_THAT(complaint_about("{\n \"a\": [1,\n 2"), Contains("line 3"));
        CHECK_THAT(complaint_about("{ // note\n}"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("[1,]"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("{'a': 1}"), Contains("not valid JSON"));
        CHECK_THAT(complaint_about(std::string_view("[1\0]", 4)), Contains("not valid JSON"));
        CHECK_THAT(complaint_about("[\"\xff\xfe\"]"), Contains("not valid JSON"));
        CHECK(complaint_about(std::string_view("\xff\xfe{\0}\0", 6)) ==
              "file.json: expected a JSON document, found other text at line 1, column 1; name another file");
        CHECK_THAT(complaint_about("some text"), Contains("expected a JSON document, found other text"));
    }
    SECTION("empty") {
        CHECK_THAT(complaint_about(""), Contains("found an empty file"));
        CHECK_THAT(complaint_about(" \n"), Contains("found an empty file"));
    }
    SECTION("depth: 64 are fine, 65 are not, and a bomb ends at once") {
        CHECK(complaint_about(nested(64)) == "accepted");
        CHECK_THAT(complaint_about(nested(65)), Contains("at most 64 levels"));
        CHECK_THAT(complaint_about(std::string(10'000'000, '[')), Contains("at most 64 levels"));
    }
    SECTION("size") {
        CHECK(complaint_about("[1, 2]", {.bytes = 6}) == "accepted");
        CHECK_THAT(complaint_about("[1, 2]", {.bytes = 5}), Contains("at most 5 bytes"));
    }
}

TEST_CASE("strict JSON: a hundred thousand keys in one object are read in linear time", "[strict_json]") {
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i)
        text += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
    CHECK(parse_json(text + "}", "f").size() == 100'000);
    CHECK_THAT(complaint_about(text + ",\"k77\":0}"), Contains("found \"k77\" twice"));
}

TEST_CASE("strict JSON: files", "[strict_json]") {
    const test::TemporaryFolder folder;
    CHECK(read_json_file(folder.write("good.json", "{\"a\": 1}"))["a"] == 1);
    CHECK_THAT(complaint_of([&] { read_json_file(folder.file("none.json")); }),
               Contains("none.json: cannot be opened") && Contains("check the path"));
    CHECK_THAT(complaint_of([&] { read_json_file(folder.path()); }), Contains("found a directory"));
    REQUIRE(::mkfifo(folder.file("fifo").c_str(), 0600) == 0);
    CHECK_THAT(complaint_of([&] { read_json_file(folder.file("fifo")); }),
               Contains("expected a regular file"));
    CHECK_THAT(complaint_of([&] { read_json_file(folder.write("long.json", "[1, 2, 3]"), {.bytes = 4}); }),
               Contains("long.json: expected at most 4 bytes"));
    CHECK(read_text_file(folder.write("nul", std::string("a\0b", 3))) == std::string("a\0b", 3));
}

TEST_CASE("strict object: getters", "[strict_json]") {
    const Json json = parse_json(
        R"({"schema": "x/1", "n": 3, "r": 2.5, "whole": 3.0, "big": 18446744073709551615, "minus": -1, "yes": true,
            "none": null, "t": "word", "o": {"a/b": 1}, "os": [{"k": 1}, {"k": "x"}], "ts": ["a", 1], "is": [1, 2.5],
            "m": {"p": "q"}, "f": {"zz": 1, "aa": 2.5}})",
        "file.json");
    StrictObject object(json, "file.json");
    SECTION("right ones") {
        CHECK_NOTHROW(object.schema("x/1"));
        CHECK(object.integer("n") == 3);
        CHECK(object.small("n", 3) == 3);
        CHECK(object.number("n") == 3.0);
        CHECK(object.number("r", 0, 3) == 2.5);
        CHECK(object.count("big") == UINT64_MAX);
        CHECK(object.flag("yes"));
        CHECK(object.is_null("none"));
        CHECK_FALSE(object.is_null("absent"));
        CHECK(object.one_of("t", {"other", "word"}) == "word");
        CHECK(object.text_or("absent", "default") == "default");
        CHECK(object.number_or("absent", 7.0) == 7.0);
        CHECK(object.objects("os")[0].integer("k") == 1);
        CHECK(object.text_map("m") == std::map<std::string, std::string>{{"p", "q"}});
        CHECK(object.number_map("f") ==
              std::vector<std::pair<std::string, double>>{{"zz", 1.0}, {"aa", 2.5}});
    }
    SECTION("wrong ones name pointer, expectation and finding") {
        CHECK_THAT(complaint_of([&] { object.text("n"); }),
                   Equals("file.json: at /n: expected a text, found the number 3"));
        CHECK_THAT(complaint_of([&] { object.integer("whole"); }),
                   Equals("file.json: at /whole: expected a whole number, found the number 3.0"));
        CHECK_THAT(complaint_of([&] { object.integer("big"); }),
                   Contains("found the number 18446744073709551615"));
        CHECK_THAT(complaint_of([&] { object.integer("n", 4, 9); }), Contains("at least 4 and at most 9"));
        CHECK_THAT(complaint_of([&] { object.count("minus"); }), Contains("at least 0, found the number -1"));
        CHECK_THAT(complaint_of([&] { object.number("r", 0, 2); }), Contains("from 0.0 to 2.0"));
        CHECK_THAT(complaint_of([&] { object.number("t"); }),
                   Contains("expected a number, found the text \"word\""));
        CHECK_THAT(complaint_of([&] { object.flag("n"); }), Contains("true or false"));
        CHECK_THAT(complaint_of([&] {
                       object.one_of("t", {"a", "b"});
                   }),
                   Contains("one of a, b, found the text"));
        CHECK_THAT(complaint_of([&] { object.object("t"); }), Contains("at /t: expected an object"));
        CHECK_THAT(complaint_of([&] { object.objects("os")[1].integer("k"); }), Contains("at /os/1/k"));
        CHECK_THAT(complaint_of([&] { object.object("o").text("a/b"); }), Contains("at /o/a~1b"));
        CHECK_THAT(complaint_of([&] { object.texts("ts"); }), Contains("at /ts/1: expected a text"));
        CHECK_THAT(complaint_of([&] { object.integers("is"); }),
                   Contains("at /is/1: expected a whole number"));
        CHECK_THAT(complaint_of([&] { object.text_map("f"); }), Contains("at /f/zz: expected a text"));
        CHECK_THAT(complaint_of([&] { object.number_map("m"); }), Contains("at /m/p: expected a number"));
        CHECK_THAT(complaint_of([&] { object.schema("x/2"); }),
                   Equals("file.json: at /schema: expected the text \"x/2\", found the text \"x/1\""));
        CHECK_THAT(complaint_of([&] { object.text("absent"); }),
                   Equals("file.json: at the top: expected the key \"absent\", found none of that name"));
        StrictObject fresh(json, "file.json");
        CHECK_THAT(complaint_of([&] { fresh.text("schemas"); }), Contains("found \"schema\""));
        CHECK_THAT(complaint_of([&] { StrictObject(Json::array(), "file.json", "/x"); }),
                   Equals("file.json: at /x: expected an object, found an array of 0"));
    }
}

TEST_CASE("strict object: unknown keys are named with the nearest known one", "[strict_json]") {
    const Json json = parse_json(R"({"threads": 2, "tread": 3})", "f");
    StrictObject object(json, "f");
    object.integer("threads");
    CHECK_THAT(complaint_of([&] { object.finish(); }),
               Equals("f: at /tread: unknown key \"tread\"; did you mean \"threads\"?"));
    const Json far = parse_json(R"({"threads": 2, "zebra": 3})", "f");
    StrictObject other(far, "f");
    other.integer("threads");
    CHECK_THAT(complaint_of([&] { other.finish(); }),
               Equals("f: at /zebra: unknown key \"zebra\"; known: threads"));
    object.number_or("tread", 0);
    CHECK_NOTHROW(object.finish());
}
