#include "tuner/cluster/message.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/cluster/words.h"

using namespace rooftune;

namespace {

std::vector<Message> all(MessageReader& reader) {
    std::vector<Message> messages;
    while (std::optional<Message> m = reader.next()) messages.push_back(std::move(*m));
    return messages;
}

}  // namespace

TEST_CASE("messages: what is written is read, wherever the stream is cut") {
    const std::string text = message_text({"a", {{"x", 1}}}) + message_text({"b", {{"text", "line\nend"}}}) +
                             message_text({"c", Json::object()});
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, text.size()}) {
        MessageReader reader(false);
        std::vector<Message> messages;
        for (std::size_t at = 0; at < text.size(); at += piece) {
            reader.add(std::string_view(text).substr(at, piece));
            for (Message& m : all(reader)) messages.push_back(std::move(m));
        }
        REQUIRE(messages.size() == 3);
        CHECK(messages[0].body["x"] == 1);
        CHECK(messages[1].body["text"] == "line\nend");
        CHECK(messages[2].kind == "c");
        CHECK(reader.pending() == 0);
    }
}

TEST_CASE("messages: lines of a login script are passed over before the first message, and none after it") {
    MessageReader reader(true);
    reader.add("Welcome to node7\nquota: 12 %\n" + message_text({"hello", Json::object()}));
    CHECK(all(reader).size() == 1);
    CHECK(reader.foreign() == "Welcome to node7\nquota: 12 %\n");
    reader.add("Broadcast message: shutdown\n");
    CHECK_THROWS_AS(reader.next(), InputError);
}

TEST_CASE("messages: a banner whose last line has no end does not swallow the first message") {
    MessageReader reader(true);
    reader.add("\x1b]0;title\a" + message_text({"hello", Json::object()}));
    const std::vector<Message> messages = all(reader);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].kind == "hello");
}

TEST_CASE("messages: what never ends is refused before it fills the memory") {
    SECTION("a line") {
        MessageReader reader(false);
        const std::string block(std::size_t{1} << 22, 'x');
        CHECK_THROWS_AS(
            [&] {
                for (int i = 0; i < 64; ++i) reader.add(block);
            }(),
            InputError);
    }
    SECTION("a first message without an end") {
        MessageReader reader(true);
        reader.add(std::string(kMessageStart));
        const std::string block(std::size_t{1} << 22, 'x');
        CHECK_THROWS_AS(
            [&] {
                for (int i = 0; i < 64; ++i) reader.add(block);
            }(),
            InputError);
    }
    SECTION("foreign lines") {
        MessageReader reader(true);
        CHECK_THROWS_AS(
            [&] {
                for (int i = 0; i < 100000; ++i) {
                    reader.add("not for us, and still not for us\n");
                    static_cast<void>(reader.next());
                }
            }(),
            InputError);
    }
}

TEST_CASE("messages: what is of another shape is refused with what is wrong") {
    for (const char* line :
         {"", "{}", "[]", "null", "{\"rooftune\":1,\"body\":{}}", "{\"rooftune\":\"a\"}",
          "{\"rooftune\":\"a\",\"body\":[]}", "{\"rooftune\":\"a\",\"body\":{},\"more\":1}",
          "{\"rooftune\":\"a\",\"body\":{}}x", "{\"rooftune\":\"a\",\"rooftune\":\"b\",\"body\":{}}"}) {
        INFO(line);
        CHECK_THROWS_AS(message_from_line(line), InputError);
    }
}

TEST_CASE("words: a record is the same at the other end, an infinite error as well") {
    RecordWords words;
    words.key = {"spmv", "cpu", {{"gen", "poisson5"}}, "d1g", "f64", "warm", 4, "m", 7, "b", "title"};
    words.variant = "format=csr,simd=256";
    words.record.variant = {{"format", "csr"}, {"simd", "256"}};
    words.record.outcome = Outcome::wrong;
    words.record.error = INFINITY;
    words.record.slots = {{1.5e-3, 7, true, false}, {1.25e-3, 8, false, true}};
    words.record.companion = {{1e-3, 9, false, false}};
    words.record.pace = 1.25;
    words.record.role = "search";
    words.record.when = "2026-01-01T00:00:00Z";
    const RecordWords back = words_of<RecordWords>(
        message_from_line(message_text(message_of("record", words))
                              .substr(0, message_text(message_of("record", words)).size() - 1)));
    CHECK(back.key.canonical() == words.key.canonical());
    CHECK(back.variant == words.variant);
    CHECK(back.record.outcome == Outcome::wrong);
    CHECK(std::isinf(back.record.error));
    REQUIRE(back.record.slots.size() == 2);
    CHECK(back.record.slots[1].seconds == words.record.slots[1].seconds);
    CHECK(back.record.slots[1].crowded);
    CHECK(back.record.companion[0].repetitions == 9);
    CHECK(back.record.pace == 1.25);
}

TEST_CASE("words: a task and its documents are the same at the other end, and its family must be there") {
    const Registry registry = built_in_families();
    TaskWords words;
    words.id = 17;
    words.task.job.family = registry.find("matmul");
    words.task.job.problem = {{"m", "12"}};
    words.task.job.constraints = {{"unroll <= 4", "--where"}};
    words.task.job.budget = {3.5, 200, false};
    words.task.kind = SetTask::Kind::compare;
    words.task.offers = {{{"tile", "2"}}, {}};
    words.task.nearest_best = SetTask::Values{{"tile", "4"}};
    words.task.seconds_left = -2.0;
    words.near = {Json{{"best", 1}}};
    words.before = Json{{"result", true}};
    words.winner = TunedWinner{{{"tile", "2"}}, 0.25};
    words.tried = Json::array({Json{{"values", {{"tile", "2"}}}}});
    words.banned = {"tile=8"};
    words.starts = {{{"tile", "16"}}};
    words.most_helpers = 3;
    const TaskWords back = task_from(task_json(words), registry);
    CHECK(task_json(back) == task_json(words));
    CHECK(tried_from(*back.tried) == std::set<SetTask::Values>{{{"tile", "2"}}});
    CHECK_THROWS_AS(tried_from(Json{{"tile", "2"}}), InputError);
    CHECK(back.task.job.family == words.task.job.family);
    Json other = task_json(words);
    other["family"] = "matmull";
    CHECK_THROWS_AS(task_from(other, registry), InputError);
    other = task_json(words);
    other["surprise"] = 1;
    CHECK_THROWS_AS(task_from(other, registry), InputError);
}

TEST_CASE("words: what a problem teaches is the same at the other end") {
    WarmStart w;
    w.best = {{"a", "1"}};
    w.timings = {{{{"a", "1"}}, -0.25}, {{{"a", "2"}}, 1.5}};
    w.tried = {{{"a", "1"}}, {{"a", "2"}}, {{"a", "3"}}};
    const WarmStart back = warm_start_from(warm_start_json(w));
    CHECK(back.best == w.best);
    CHECK(back.tried == w.tried);
    REQUIRE(back.timings.size() == 2);
    CHECK(back.timings[0].log_ratio == -0.25);
}
