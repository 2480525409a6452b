// Functions of a program are told apart by their code and by the file that it is in.
#include "tuner/external/function_hash.h"

#include <dlfcn.h>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/execute.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

int g_done = 0;

void solve_by_rows(const Values&) {
    g_done += 1;
}
void solve_by_columns(const Values&) {
    g_done += 2;
}
void solve_quietly(const Values&) noexcept {
    g_done += 3;
}
void solve_silently(const Values&) noexcept {
    g_done += 4;
}
bool is_small() {
    return g_done < 1;
}
bool is_large() {
    return g_done > 1;
}

std::string hash_of_run(std::function<void(const Values&)> run) {
    return hash_of(Functions{{}, std::move(run), {}});
}
std::string hash_of_check(std::function<bool()> check) {
    return hash_of(Functions{{}, solve_by_rows, PlainCheck{std::move(check)}});
}

/// The hash of a function `go` of a library that is built of this text.
std::string hash_of_plugin(const test::TemporaryFolder& folder, const std::string& name,
                           const std::string& text) {
    const std::string source = folder / (name + ".c"), library = folder / (name + ".so");
    write_atomically(source, text);
    const Execution built = execute({"cc", "-shared", "-fPIC", "-o", library, source}, 60.0);
    INFO(built.detail);
    REQUIRE(built.status == 0);
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(loaded != nullptr);
    const std::string hash = hash_of_run(reinterpret_cast<void (*)(const Values&)>(dlsym(loaded, "go")));
    dlclose(loaded);
    return hash;
}

}  // namespace

TEST_CASE("functions that were given as pointers are told apart, and each is the same again") {
    CHECK(hash_of_run(&solve_by_rows) == hash_of_run(solve_by_rows));
    CHECK(hash_of_run(&solve_by_rows) != hash_of_run(&solve_by_columns));
    CHECK(hash_of_run(&solve_quietly) == hash_of_run(&solve_quietly));
    CHECK(hash_of_run(&solve_quietly) != hash_of_run(&solve_silently));
    CHECK(hash_of_run(&solve_by_rows) != hash_of_run([](const Values&) {}));
}

TEST_CASE("checks that ask for no values are told apart as others are") {
    const std::string first = hash_of_check([] { return true; });
    CHECK(first != hash_of_check([] { return g_done < 7; }));
    CHECK(first != hash_of(Functions{{}, solve_by_rows, {}}));
    CHECK(hash_of_check(&is_small) == hash_of_check(&is_small));
    CHECK(hash_of_check(&is_small) != hash_of_check(&is_large));
}

TEST_CASE("a function of a plugin is another one when the plugin was built of something else") {
    const test::TemporaryFolder folder;
    // At the same place in it, and the code itself is the same.
    const std::string before = "const char text[] = \"before\";\nvoid go(const void* v) { (void)v; }\n";
    const std::string after = "const char text[] = \"behind\";\nvoid go(const void* v) { (void)v; }\n";
    const std::string first = hash_of_plugin(folder, "first", before);
    CHECK(first != hash_of_plugin(folder, "second", after));
}
