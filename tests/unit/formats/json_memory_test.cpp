// Documents that need more memory than there is, or than their size lets expect.
#include <sys/resource.h>

#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/forked.h"
#include "tuner/formats/strict_json.h"

using namespace rooftune;

// Instrumented, memory is mapped otherwise, and these take minutes.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

// Pages that this process has mapped, as bytes.
std::size_t mapped_bytes() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string many(const std::string& first, const std::string& one, std::size_t count,
                 const std::string& last) {
    std::string text = first;
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? one : "," + one;
    return text + last;
}

}  // namespace

TEST_CASE("a document for which memory ends is an exception, whatever its shape", "[strict_json]") {
    const std::string numbers = many("", "1", 1'000'000, "");
    for (const std::string& text :
         {"[" + numbers + "]", "{\"a\": {\"b\": [" + numbers + "]}}",
          many("[", "[[1,2],{\"a\":[3]}]", 300'000, "]"),
          many("[", "{\"key\":\"a text that is longer than what is kept in place\"}", 200'000, "]")}) {
        int ended = 0, whole = 0;
        for (const std::size_t more :
             {1U << 20, 3U << 20, 6U << 20, 10U << 20, 20U << 20, 64U << 20, 200U << 20}) {
            INFO(text.substr(0, 40) << " within " << more << " bytes");
            const int status = test::status_of_copy([&] {
                const rlim_t limit = mapped_bytes() + more;
                const rlimit within{limit, limit};
                setrlimit(RLIMIT_AS, &within);
                try {
                    // What was read is given back by the library, which needs memory for it: here the process
                    // ends.
                    const auto* document = new Json(parse_json(text, "big.json"));
                    return document->empty() ? 1 : 0;
                } catch (const std::bad_alloc&) {
                    return 7;
                }
            });
            CHECK((status == 0 || status == 7));
            ++(status == 7 ? ended : whole);
        }
        CHECK(ended > 0);
        CHECK(whole > 0);
    }
}

TEST_CASE("a document of shorter values than people write is refused before it fills the memory",
          "[strict_json]") {
    const std::string most = many("[", "1", 15'000'000, "]");
    CHECK(parse_json(most, "big.json").size() == 15'000'000);
    const std::string more = many("[", "1", 17'000'000, "]"), empty = many("[", "[]", 10'000'000, "]");
    CHECK_THROWS_AS(parse_json(empty, "big.json"), InputError);
    CHECK_THROWS_AS(parse_json(more, "big.json"), InputError);
    CHECK_THROWS_WITH(parse_json(more, "big.json"),
                      Catch::Contains("expected fewer or longer values in a document of its size"));
}

#endif
