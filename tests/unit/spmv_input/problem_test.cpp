// A problem from its spec, its identity, and its way into another process.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "kernels/spmv/problem.h"
#include "kernels/spmv/random_matrices.h"
#include "planted_files.h"
#include "tests/support/places.h"

namespace rooftune::spmv::test {
namespace {

const std::string kSmall =
    "%%MatrixMarket matrix coordinate real general\n4 5 5\n1 1 1\n1 5 2\n3 2 3\n4 2 4\n4 3 0\n";

std::string problem_refusal(const ProblemSpec& spec) {
    try {
        SpmvProblem::load(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

bool same(const CsrView& a, const CsrView& b) {
    return a.rows == b.rows && a.cols == b.cols &&
           std::equal(a.row_begin.begin(), a.row_begin.end(), b.row_begin.begin(), b.row_begin.end()) &&
           std::equal(a.column.begin(), a.column.end(), b.column.begin(), b.column.end()) &&
           std::equal(a.value.begin(), a.value.end(), b.value.begin(), b.value.end());
}

/// What attach() says about the bytes of a shared problem after `damage`.
template <typename Damage>
std::string attach_after(const SpmvProblem& problem, Damage damage) {
    const int shared = problem.share();
    std::string bytes(static_cast<std::size_t>(lseek(shared, 0, SEEK_END)), '\0');
    REQUIRE(pread(shared, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    close(shared);
    damage(bytes);
    const int copy = memfd_create("damaged", MFD_CLOEXEC);
    REQUIRE(copy >= 0);
    REQUIRE(write(copy, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    std::string said = "accepted";
    try {
        SpmvProblem::attach(copy);
    } catch (const EnvironmentError& error) {
        said = error.what();
    }
    close(copy);
    return said;
}

}  // namespace

TEST_CASE("a matrix file becomes a problem", "[problem]") {
    const PlantedFiles files;
    const std::string path = files.write("small.one.mtx.gz", gzipped(kSmall));
    const auto problem = SpmvProblem::load({{"matrix", path}, {"seed", "5"}});
    CHECK(problem->title() == "small.one f64");
    CHECK(problem->dtype() == DType::f64);
    CHECK(problem->flops_nominal() == 10.0);
    CHECK(problem->spec() ==
          ProblemSpec{{"matrix", std::filesystem::canonical(path).string()}, {"dtype", "f64"}});
    const auto facts = problem->facts();
    const std::map<std::string, double> fact(facts.begin(), facts.end());
    CHECK(fact.at("rows") == 4.0);
    CHECK(fact.at("cols") == 5.0);
    CHECK(fact.at("stored") == 5.0);
    CHECK(fact.at("explicit_zeros") == 1.0);
    CHECK(fact.at("mean_row") == 1.25);
    CHECK(fact.at("row_deviation") == Approx(std::sqrt(0.6875)));
    CHECK(fact.at("shortest_row") == 0.0);
    CHECK(fact.at("longest_row") == 2.0);
    CHECK(fact.at("empty_rows") == 1.0);
    CHECK(fact.at("touched_columns") == 4.0);
    CHECK(fact.at("bandwidth") == 4.0);
}

TEST_CASE("the spec is canonical: loading it again gives the same problem", "[problem]") {
    const PlantedFiles files;
    const std::string pattern =
        files.write("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n");
    for (const ProblemSpec& spec : {ProblemSpec{{"matrix", pattern}},
                                    ProblemSpec{{"matrix", pattern}, {"seed", "07"}, {"dtype", "f32"}},
                                    ProblemSpec{{"gen", "poisson5"}, {"nx", "4"}},
                                    ProblemSpec{{"gen", "rmat"}, {"scale", "5"}, {"seed", "3"}}}) {
        const auto first = SpmvProblem::load(spec);
        const auto second = SpmvProblem::load(first->spec());
        CHECK(second->spec() == first->spec());
        CHECK(second->title() == first->title());
        CHECK(second->digest() == first->digest());
        CHECK(first->spec().contains("dtype"));
    }
    CHECK(SpmvProblem::load({{"matrix", pattern}})->spec().at("seed") == "1");
}

TEST_CASE("a relative path and a link name the same file", "[problem]") {
    const PlantedFiles files;
    const std::string path = files.write("small.mtx", kSmall);
    std::filesystem::create_symlink("small.mtx", files.folder() / "link.mtx");
    const auto linked = SpmvProblem::load({{"matrix", (files.folder() / "link.mtx").string()}});
    const auto relative = SpmvProblem::load({{"matrix", std::filesystem::relative(path).string()}});
    CHECK(linked->spec() == relative->spec());
}

TEST_CASE("the digest is the same whoever reads the arrays", "[problem]") {
    Team team(rooftune::test::two_cpus());
    const auto whole = SpmvProblem::load({{"gen", "poisson5"}, {"nx", "150"}});
    REQUIRE(whole->matrix().stored() > 1 << 16);
    for (const DType dtype : {DType::f64, DType::f32}) {
        const auto digest = [&](Team* by) {
            return SpmvProblem::from(whole->matrix(), dtype, {}, "matrix", by)->digest();
        };
        CHECK(digest(&team) == digest(nullptr));
        // Configs that are there already name it.
        CHECK(digest(nullptr) == (dtype == DType::f64 ? "7acb14571fe2a0c5" : "7d29db119f33e1c7"));
        CHECK((digest(nullptr) == whole->digest()) == (dtype == DType::f64));
    }
}

TEST_CASE("the digest follows content and element type, not the name", "[problem]") {
    const PlantedFiles files;
    const auto digest = [&](const std::string& name, const std::string& text,
                            const std::string& dtype = "f64") {
        return SpmvProblem::load({{"matrix", files.write(name, text)}, {"dtype", dtype}})->digest();
    };
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string one = digest("a.mtx", kSmall);
    CHECK(one.size() == 16);
    CHECK(digest("b.mtx.gz", gzipped(kSmall)) == one);
    CHECK(digest("a.mtx", changed(kSmall, "1 1 1\n1 5 2\n", "1 5 2\n1 1 1\n")) == one);
    CHECK(digest("a.mtx", kSmall, "f32") != one);
    CHECK(digest("a.mtx", changed(kSmall, "1 5 2", "1 5 2.0000000000000004")) != one);
    CHECK(digest("a.mtx", changed(kSmall, "1 5 2", "1 4 2")) != one);
    CHECK(digest("a.mtx", changed(kSmall, "1 5 2", "2 5 2")) != one);
    CHECK(digest("a.mtx", changed(kSmall, "4 5 5", "4 6 5")) != one);
    CHECK(digest("a.mtx", changed(kSmall, "4 5 5", "5 5 5")) != one);
}

TEST_CASE("specs that cannot be are refused with what to do", "[problem]") {
    const PlantedFiles files;
    const std::string path = files.write("small.mtx", kSmall);
    CHECK_THAT(problem_refusal({}), Catch::StartsWith("spmv: no matrix; give a Matrix Market file"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"gen", "rmat"}}),
               Catch::StartsWith("spmv: both 'matrix' and 'gen' are given"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"dtpye", "f64"}}),
               Catch::StartsWith("spmv: unknown key 'dtpye'; did you mean 'dtype'?"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"nx", "3"}}),
               Catch::StartsWith("spmv: the key 'nx' is for generators"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"dtype", "f63"}}),
               Catch::StartsWith("spmv: unknown element type dtype=f63; did you mean 'f64'?"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"dtype", "bf16"}}),
               Catch::Contains("Known: f32, f64") || Catch::Contains("known: f32, f64"));
    CHECK_THAT(problem_refusal({{"matrix", path}, {"seed", "-1"}}),
               Catch::StartsWith("spmv: seed=-1 is not a whole number"));
    CHECK_THAT(problem_refusal({{"matrix", ""}}), Catch::StartsWith("spmv: the key 'matrix' has no value"));
    CHECK_THAT(problem_refusal({{"matrix", path + "x"}}), Catch::Contains("small.mtxx: no such file"));
    const std::string empty =
        files.write("empty.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 0\n");
    CHECK_THAT(problem_refusal({{"matrix", empty}}), Catch::Contains("empty.mtx: the matrix has no entries"));
    const std::string large =
        files.write("large.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n3 2 1e39\n");
    CHECK(problem_refusal({{"matrix", large}}) == "accepted");
    CHECK_THAT(problem_refusal({{"matrix", large}, {"dtype", "f32"}}),
               Catch::Contains("large.mtx: the value in row 3, column 2 is too large for f32"));
}

TEST_CASE("every key has help, and keys differ", "[problem]") {
    std::map<std::string, int> seen;
    for (const ProblemKey& key : SpmvProblem::keys()) {
        CHECK_FALSE(key.help.empty());
        CHECK(++seen[key.name] == 1);
    }
    for (const char* name : {"matrix", "gen", "dtype", "seed", "nx", "scale"}) CHECK(seen.count(name) == 1);
}

TEST_CASE("a shared problem is attached unchanged", "[problem]") {
    const auto sent = SpmvProblem::load(
        {{"gen", "random"}, {"rows", "300"}, {"cols", "170"}, {"per_row", "9"}, {"dtype", "f32"}});
    const int descriptor = sent->share();
    REQUIRE(descriptor >= 0);
    const auto got = SpmvProblem::attach(descriptor);
    const auto again = SpmvProblem::attach(descriptor);
    CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK(pwrite(descriptor, "x", 1, 0) < 0);
    CHECK(ftruncate(descriptor, 0) != 0);
    close(descriptor);
    CHECK(same(got->matrix(), sent->matrix()));
    CHECK(same(again->matrix(), sent->matrix()));
    CHECK(got->spec() == sent->spec());
    CHECK(got->title() == sent->title());
    CHECK(got->digest() == sent->digest());
    CHECK(got->dtype() == DType::f32);
    CHECK(got->facts() == sent->facts());
    for (const void* array : {static_cast<const void*>(got->matrix().row_begin.data()),
                              static_cast<const void*>(got->matrix().column.data()),
                              static_cast<const void*>(got->matrix().value.data())}) {
        CHECK(reinterpret_cast<std::uintptr_t>(array) % 64 == 0);
    }
}

TEST_CASE("an empty matrix and a spec with odd characters survive the sharing", "[problem]") {
    Csr empty;
    empty.rows = 3;
    empty.cols = 2;
    empty.row_begin = {0, 0, 0, 0};
    const auto sent =
        SpmvProblem::from(std::move(empty), DType::f64, {{"matrix", "/a b/ü=,\n.mtx"}, {"note", ""}}, "");
    const int descriptor = sent->share();
    const auto got = SpmvProblem::attach(descriptor);
    close(descriptor);
    CHECK(got->spec() == sent->spec());
    CHECK(got->matrix().stored() == 0);
    CHECK(got->matrix().rows == 3);
}

TEST_CASE("what is not a shared problem is not attached", "[problem]") {
    const auto problem = SpmvProblem::from(banded(20, 2, 1), DType::f64, {{"gen", "banded"}}, "band");
    CHECK(attach_after(*problem, [](std::string&) {}) == "accepted");
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b.resize(10); }),
               Catch::Contains("it is too short"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b.clear(); }), Catch::Contains("it is too short"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b[0] = 'x'; }),
               Catch::Contains("wrong magic number"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b[8] = 2; }),
               Catch::Contains("layout version 2, expected 1"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b.resize(b.size() - 64); }),
               Catch::Contains("its length does not match"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b[16] = 21; }),
               Catch::Contains("check sum is wrong") || Catch::Contains("length"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b[23] = '\x80'; }),
               Catch::Contains("sizes out of range"));
    CHECK_THAT(attach_after(*problem, [](std::string& b) { b[b.find("band")] = 'B'; }),
               Catch::Contains("check sum is wrong"));
    // A column and a row start out of order: found by the structure, the sum covers the header only.
    const CsrView& matrix = problem->matrix();
    const std::string columns(reinterpret_cast<const char*>(matrix.column.data()),
                              matrix.column.size_bytes());
    CHECK_THAT(attach_after(*problem, [&](std::string& b) { b[b.find(columns) + 3] = '\x7f'; }),
               Catch::Contains("columns are not ascending"));
    // The last column of the last row, still ascending but one beyond the matrix.
    CHECK_THAT(attach_after(*problem, [&](std::string& b) { b[b.find(columns) + columns.size() - 4] = 20; }),
               Catch::Contains("columns are not ascending or out of range"));
    const std::string starts(reinterpret_cast<const char*>(matrix.row_begin.data()),
                             matrix.row_begin.size_bytes());
    CHECK_THAT(attach_after(*problem, [&](std::string& b) { b[b.find(starts) + 15] = '\x70'; }),
               Catch::Contains("row starts are not ascending"));
    const int not_a_file = open("/", O_RDONLY | O_CLOEXEC);
    CHECK_THROWS_AS(SpmvProblem::attach(not_a_file), EnvironmentError);
    close(not_a_file);
    CHECK_THROWS_AS(SpmvProblem::attach(-1), EnvironmentError);
}

}  // namespace rooftune::spmv::test
