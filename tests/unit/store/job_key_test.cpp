#include "tuner/store/job_key.h"

#include <set>

#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/checksum.h"

using namespace rooftune;
using test::example_key;

TEST_CASE("job key: every part of the identity tells jobs apart", "[job_key]") {
    std::vector<JobKey> keys(10, example_key());
    keys[1].family = "stencil";
    keys[2].backend = "opencl";
    keys[3].digest = "other";
    keys[4].dtype = "f32";
    keys[5].state = "cold";
    keys[6].threads = 1;
    keys[7].machine_id = "amd";
    keys[8].space_version = 4;
    keys[9].build = "other";
    std::set<std::string> texts, hashes;
    for (const JobKey& key : keys) {
        texts.insert(key.canonical());
        hashes.insert(key.hash());
        CHECK(key.hash().size() == 16);
    }
    CHECK(texts.size() == keys.size());
    CHECK(hashes.size() == keys.size());
}

TEST_CASE("job key: names of files and titles are not part of it", "[job_key]") {
    JobKey moved = example_key();
    moved.problem["matrix"] = "/elsewhere/ship.mtx";
    moved.title = "another title";
    CHECK(moved.canonical() == example_key().canonical());
}

TEST_CASE("job key: without a digest the keys and values are, and cannot trade characters", "[job_key]") {
    const auto keyed = [](std::map<std::string, std::string> problem) {
        JobKey key = example_key();
        key.digest.clear();
        key.problem = std::move(problem);
        return key.canonical();
    };
    CHECK(keyed({{"n", "1"}}) != keyed({{"n", "2"}}));
    CHECK(keyed({{"a=b", "c"}}) != keyed({{"a", "b=c"}}));
    CHECK(keyed({{"a", "1\nproblem=1:b=2"}}) != keyed({{"a", "1"}, {"b", "2"}}));
    CHECK(keyed({{"a", "\\n"}}) != keyed({{"a", "\n"}}));
    JobKey trick = example_key();
    trick.digest = "d1g3st\ndtype=f32";
    CHECK(trick.canonical().find("\ndtype=f32") == std::string::npos);
}

TEST_CASE("job key: the text is what stores on disk hold, so it must not change by accident", "[job_key]") {
    CHECK(example_key().canonical() ==
          "family=spmv\nbackend=cpu\ndigest=d1g3st\ndtype=f64\nstate=warm\nthreads=2\nmachine=intel-6-143-8-"
          "2t\n"
          "space_version=3\nbuild=b41ld\n");
}

TEST_CASE("checksum: FNV-1a over length and bytes", "[job_key]") {
    CHECK(Checksum().value() == 0xcbf29ce484222325u);
    CHECK(Checksum().add("ab").add("c").value() != Checksum().add("a").add("bc").value());
    CHECK(Checksum().add("").value() != Checksum().value());
    CHECK(Checksum().add("abc").value() == Checksum().add("abc").value());
}
