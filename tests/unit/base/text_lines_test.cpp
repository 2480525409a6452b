// Text files, plain and compressed: every member is read, and what is no gzip is said.
#include "tuner/base/text_lines.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/gzip.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("a gzip file of several members is read to its end", "[text_lines]") {
    const test::TemporaryFolder folder;
    const std::string first = "one\n" + std::string(300'000, 'x') + "\n", second = "two\n";
    folder.write("a.csv.gz", gzipped(first) + gzipped("") + gzipped(second));
    CHECK(read_import(folder.file("a.csv.gz")) == first + second);
    folder.write("b.csv.gz", gzipped(first));
    CHECK(read_import(folder.file("b.csv.gz")) == first);
}

TEST_CASE("what follows the gzip data, and what is missing of them, is refused", "[text_lines]") {
    const test::TemporaryFolder folder;
    const std::string whole = gzipped("one\ntwo\n");
    const auto read = [&](const std::string& bytes) {
        folder.write("a.csv.gz", bytes);
        return read_import(folder.file("a.csv.gz"));
    };
    CHECK_THROWS_WITH(read(whole + "three\n"), Contains("bytes follow the end of its gzip data"));
    CHECK_THROWS_WITH(read(whole + '\x1f'), Contains("bytes follow the end of its gzip data"));
    CHECK_THROWS_WITH(read(whole + whole.substr(0, whole.size() - 3)), Contains("cut short"));
    CHECK_THROWS_WITH(read(whole + "\x1f\x8bnonsense"), Contains("damaged"));
    for (std::size_t bytes = 2; bytes < whole.size(); ++bytes)
        CHECK_THROWS_AS(read(whole.substr(0, bytes)), InputError);
    CHECK_THROWS_WITH(read("one\n"), Contains("not compressed by gzip"));
}
