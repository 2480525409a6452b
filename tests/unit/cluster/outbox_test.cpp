// Both ends of an agent's stream, over a pipe that takes little at a time.
#include "tuner/cluster/outbox.h"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

struct SmallPipe {
    Pipe pipe;
    SmallPipe() {
        REQUIRE(pipe.open() == 0);
        fcntl(pipe.write.fd(), F_SETPIPE_SZ, 4096);
    }
    void say(const std::string& text) const {
        REQUIRE(write(pipe.write.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
};

Message numbered(int n, std::size_t size = 0) {
    return {"note", {{"n", n}, {"text", std::string(size, 'x')}}};
}

}  // namespace

TEST_CASE("streams: what is sent arrives whole and in order, however little the pipe takes at a time") {
    SmallPipe p;
    Inbox inbox(std::move(p.pipe.read));
    {
        Outbox outbox(std::move(p.pipe.write));
        for (int n = 0; n < 200; ++n) outbox.send(numbered(n, n % 7 == 0 ? 20'000 : 10));
    }
    for (int n = 0; n < 200; ++n) {
        const std::optional<Message> message = inbox.next(20.0);
        REQUIRE(message);
        CHECK(message->body["n"] == n);
    }
    CHECK_FALSE(inbox.next(20.0));
    CHECK(inbox.closed());
}

TEST_CASE("streams: of several threads no message is cut by another's") {
    SmallPipe p;
    Inbox inbox(std::move(p.pipe.read));
    {
        Outbox outbox(std::move(p.pipe.write));
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&outbox, t] {
                for (int n = 0; n < 50; ++n) outbox.send(numbered(100 * t + n, 3'000));
            });
        for (std::thread& thread : threads) thread.join();
    }
    std::vector<int> last(3, -1);
    for (int n = 0; n < 150; ++n) {
        const std::optional<Message> message = inbox.next(20.0);
        REQUIRE(message);
        const int of = message->body["n"].get<int>();
        CHECK(of % 100 == ++last[static_cast<std::size_t>(of / 100)]);
    }
}

TEST_CASE("streams: who has nothing to say says that it lives") {
    SmallPipe p;
    Outbox outbox(std::move(p.pipe.write));
    outbox.send(numbered(1));
    // Also where it waits with the old interval already, which a test has no time for.
    outbox.alive_every(0.02);
    std::string heard;
    for (char c = 0; heard.find("alive") == std::string::npos; heard += c)
        REQUIRE(read(p.pipe.read.fd(), &c, 1) == 1);
    CHECK(message_from_line(heard.substr(0, heard.find('\n'))).kind == "note");
}

TEST_CASE("streams: a reader that is gone, or has stopped to read, holds nobody up") {
    SECTION("gone") {
        SmallPipe p;
        p.pipe.read.close();
        Outbox outbox(std::move(p.pipe.write));
        for (int n = 0; n < 1000 && !outbox.broken(); ++n) outbox.send(numbered(n, 1'000'000));
        CHECK(outbox.broken());
    }
    SECTION("stopped") {
        SmallPipe p;
        Outbox outbox(std::move(p.pipe.write), 0.05);
        for (int n = 0; n < 50; ++n) outbox.send(numbered(n, 100'000));
        CHECK_FALSE(outbox.broken());
    }
}

TEST_CASE("streams: of one kind what came first is taken first, and the others wait") {
    SmallPipe p;
    Inbox inbox(std::move(p.pipe.read));
    p.say(message_text({"helpers", {{"free", 1}}}) + message_text({"assisted", {{"id", 7}}}) +
          message_text({"helpers", {{"free", 2}}}));
    CHECK(inbox.next(20.0, "assisted")->body["id"] == 7);
    CHECK_FALSE(inbox.next(0.0, "assisted"));
    CHECK(inbox.next(20.0)->body["free"] == 1);
    CHECK(inbox.next(20.0)->body["free"] == 2);
}

TEST_CASE("streams: a stop is seen while other messages wait, and an end of the stream is one") {
    SmallPipe p;
    Inbox inbox(std::move(p.pipe.read));
    p.say(message_text({"helpers", {{"free", 1}}}) + message_text({"stop", Json::object()}));
    for (int look = 0; look < 2000 && !inbox.stopped(); ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(inbox.stopped());
    CHECK_FALSE(inbox.closed());
    CHECK(inbox.next(20.0)->kind == "helpers");
    CHECK(inbox.next(20.0)->kind == "stop");
    p.pipe.write.close();
    CHECK_FALSE(inbox.next(20.0));
    CHECK(inbox.closed());
}

TEST_CASE("streams: what is no message is told to who asks next, after what came before it") {
    SmallPipe p;
    Inbox inbox(std::move(p.pipe.read));
    p.say(message_text({"helpers", {{"free", 1}}}) + "no message at all\n");
    CHECK(inbox.next(20.0)->kind == "helpers");
    CHECK_THROWS_AS(inbox.next(20.0), InputError);
    CHECK(inbox.stopped());
}

TEST_CASE("streams: a silent other end is taken for gone") {
    SmallPipe p;
    const Inbox inbox(std::move(p.pipe.read), 0.05);
    for (int look = 0; look < 2000 && !inbox.closed(); ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(inbox.closed());
}
