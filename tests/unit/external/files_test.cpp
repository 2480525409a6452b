// Arrays and matrices from files: what a file holds is what the kernel gets, and a file that holds something
// else is refused before anything runs.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tuner/external/array_file.h"
#include "tuner/external/family.h"
#include "tuner/external/problem.h"
#include "tuner/measure/judge.h"

using namespace rooftune;
using Catch::Contains;

namespace {

template <typename T>
void write_elements(const std::string& path, const std::vector<T>& values, const std::string& before = "") {
    std::ofstream file(path, std::ios::binary);
    file << before;
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
}

// What numpy.save writes before the elements, in its first version or its second.
std::string numpy_header(const std::string& type, const std::string& shape, bool by_columns = false,
                         char version = 1) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    header.resize(117, ' ');
    header += '\n';
    std::string text = std::string("\x93NUMPY") + version + '\0';
    text += static_cast<char>(header.size());
    text += std::string(version == 1 ? 1 : 3, '\0');
    return text + header;
}

class Folder {
public:
    std::string path(const std::string& name) const { return folder_ / name; }

    std::unique_ptr<Problem> problem(const std::string& annotations, const std::string& body,
                                     ProblemSpec given = {}) const {
        setenv("ROOFTUNE_KERNEL_CACHE", (folder_ / "objects").c_str(), 1);
        std::ofstream(path("mine.cpp")) << annotations << body;
        given["source"] = path("mine.cpp");
        return family_->problem(given);
    }
    Correctness judged(const Problem& problem) const {
        Target target;
        target.width_bits = {128};
        target.threads = 1;
        // As a worker has it.
        const int shared = family_->share(problem);
        const auto there = family_->attach(shared);
        CHECK(there->digest() == problem.digest());
        CHECK(there->spec() == problem.spec());
        const Space space = family_->space(*there, target);
        const auto bench = family_->bench(*there, space, target);
        Team team({test::two_cpus().front()});
        const auto prepared = bench->prepare(family_->naive_variant(*there, space, target), team);
        const std::vector<std::uint64_t> seeds{1, 2};
        return verify_answer(*prepared, *bench, team, seeds);
    }
    std::string refusal(const std::string& annotations) const {
        try {
            problem(annotations, "");
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

private:
    test::TemporaryFolder folder_;
    std::unique_ptr<Family> family_ = make_external_family();
};

const char* const kProduct =
    "// rooftune: in x f64[A_columns] = i + 1\n// rooftune: out y f64[A_rows]\n"
    "// rooftune: call f(A_rows, A_start, A_column, A_value, x, y)\n"
    "// rooftune: reference g(A_rows, A_columns, A_entries, y)\n";

}  // namespace

TEST_CASE("a matrix gives sizes and compressed rows, in the types that are asked for") {
    const Folder folder;
    std::ofstream(folder.path("a.mtx")) << "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1\n1 4 "
                                           "2\n3 2 3\n3 3 4\n";
    // Row by row: 1·1 + 2·4, nothing, 3·2 + 4·3.
    const std::string reference =
        "void g(long rows, long columns, long entries, double* y) { y[0] = 9; y[1] = 0; y[2] = 18; if (rows "
        "!= 3 "
        "|| columns != 4 || entries != 4) y[0] = -1; }\n";
    for (const auto& [words, index, value] :
         {std::tuple{"", "int", "double"}, {" f32", "int", "float"}, {" all i64 f32", "long", "float"}}) {
        INFO(words);
        const std::string kernel =
            "template <typename I, typename V> void f(long rows, const I* start, const I* "
            "column, const V* value, const double* x, double* y) {\n"
            "static_assert(sizeof(I) == sizeof(" +
            std::string(index) + ") && sizeof(V) == sizeof(" + value +
            "));\nfor (long r = 0; r < rows; ++r) { y[r] = 0; for (I i = start[r]; i < "
            "start[r + 1]; ++i) y[r] += value[i] * x[column[i]]; } }\n";
        const auto problem = folder.problem(
            "// rooftune: matrix A a.mtx" + std::string(words) + "\n" + kProduct, kernel + reference);
        CHECK(problem->title() == "mine.cpp a");
        CHECK(folder.judged(*problem).right);
        CHECK(problem->spec().at("A") == folder.path("a.mtx"));
        CHECK(problem->spec().count("A_rows") == 0);
    }
}

TEST_CASE("another matrix by its name, and what is wrong with one") {
    const Folder folder;
    std::ofstream(folder.path("a.mtx"))
        << "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n";
    std::ofstream(folder.path("b.mtx")) << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 7\n";
    const std::string kernel =
        "void f(long, int*, int*, double*, double*, double*) {}\nvoid g(long, long, long, double*) {}\n";
    const std::string annotations = std::string("// rooftune: matrix A a.mtx\n") + kProduct;
    const auto first = folder.problem(annotations, kernel);
    const auto other = folder.problem(annotations, kernel, {{"A", folder.path("b.mtx")}});
    CHECK(first->digest() != other->digest());
    const auto facts = first->facts();
    CHECK(std::find(facts.begin(), facts.end(), std::pair<std::string, double>{"A_entries", 3.0}) !=
          facts.end());
    CHECK_THAT(folder.refusal(std::string("// rooftune: matrix A no.mtx\n") + kProduct),
               Contains("mine.cpp:1:23: there is no file"));
    std::ofstream(folder.path("bad.mtx")) << "%%MatrixMarket matrix coordinate real general\n1 1 1\n2 1 7\n";
    CHECK_THAT(folder.refusal(std::string("// rooftune: matrix A bad.mtx\n") + kProduct),
               Contains("bad.mtx:3"));
    CHECK_THAT(folder.refusal(std::string("// rooftune: matrix A a.mtx f63\n") + kProduct),
               Contains("mine.cpp:1:29: 'f63' is neither a type of values"));
    CHECK_THAT(
        folder.refusal(std::string("// rooftune: size A_rows = 3\n// rooftune: matrix A a.mtx\n") + kProduct),
        Contains("'A_rows' is declared already"));
}

TEST_CASE("elements of a file, of NumPy's and without a header") {
    const Folder folder;
    const std::vector<float> values{1, 2, 3, 4};
    write_elements(folder.path("raw.bin"), values);
    write_elements(folder.path("one.npy"), values, numpy_header("<f4", "(4,)"));
    write_elements(folder.path("two.npy"), values, numpy_header("<f4", "(2, 2)", false, 2));
    write_elements(folder.path("flat.npy"), values, numpy_header("<f4", "(4,)", true));
    const std::string body =
        "void f(const float* x, float* y) { for (int i = 0; i < 4; ++i) y[i] = 2 * x[i]; }\n"
        "void g(float* y) { for (int i = 0; i < 4; ++i) y[i] = 2 * (i + 1); }\n";
    for (const char* file : {"raw.bin", "one.npy", "two.npy", "flat.npy"}) {
        INFO(file);
        const auto problem = folder.problem(
            "// rooftune: in x f32[4] all = file " + std::string(file) +
                "\n// rooftune: out y f32[4]\n// rooftune: call f(x, y)\n// rooftune: reference g(y)\n",
            body);
        CHECK(folder.judged(*problem).right);
    }
}

TEST_CASE("a file that holds the right answer") {
    const Folder folder;
    const std::string annotations =
        "// rooftune: in x f32[3] = i\n// rooftune: out y f64[3] = file y.bin\n// rooftune: call f(x, y)\n";
    const std::string body =
        "void f(const float* x, double* y) { for (int i = 0; i < 3; ++i) y[i] = 2 * x[i]; }\n";
    write_elements(folder.path("y.bin"), std::vector<double>{0, 2, 4});
    const auto right = folder.problem(annotations, body);
    CHECK(folder.judged(*right).right);
    write_elements(folder.path("y.bin"), std::vector<double>{0, 2, 5});
    const auto wrong = folder.problem(annotations, body);
    CHECK(right->digest() != wrong->digest());
    const Correctness judged = folder.judged(*wrong);
    CHECK_FALSE(judged.right);
    CHECK_THAT(judged.detail, Contains("element 2"));
    // Random numbers would have another answer for each seed.
    CHECK_THAT(
        folder.refusal("// rooftune: in x f32[3]\n// rooftune: out y f64[3] = file y.bin\n// rooftune: call "
                       "f(x, y)\n"),
        Contains("mine.cpp:1:17: the right answer is in a file"));
    CHECK_THAT(
        folder.refusal("// rooftune: out z f64[3]\n// rooftune: out y f64[3] = file y.bin\n// rooftune: call "
                       "f(z, y)\n"),
        Contains("mine.cpp:1:18: of this array no file says what is right"));
    CHECK_THAT(folder.refusal(annotations + "// rooftune: reference g(x, y)\n"),
               Contains("a file holds the right answer already, in line 2"));
    CHECK_THAT(folder.refusal("// rooftune: inout y f64[3] = file y.bin\n// rooftune: call f(y)\n"),
               Contains("declare it in or out"));
}

TEST_CASE("a file that holds something else than what is declared") {
    const Folder folder;
    const std::vector<float> values{1, 2, 3, 4};
    const auto refused = [&](const std::string& name, external::Element type = external::Element::f32,
                             std::size_t count = 4) -> std::string {
        try {
            external::check_array_file(folder.path(name), type, count, "mine.cpp:3:4:");
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    CHECK_THAT(refused("none.npy"), Contains("mine.cpp:3:4:") && Contains("none.npy: it cannot be read"));
    write_elements(folder.path("raw.bin"), values);
    CHECK(refused("raw.bin") == "");
    CHECK_THAT(refused("raw.bin", external::Element::f64),
               Contains("16 bytes of elements, and 4 elements of f64"));
    CHECK_THAT(refused("raw.bin", external::Element::f32, 5), Contains("have 20"));
    write_elements(folder.path("raw.npy"), values);
    CHECK_THAT(refused("raw.npy"), Contains("it does not begin as a .npy file does"));
    write_elements(folder.path("f8.npy"), values, numpy_header("<f8", "(2,)"));
    CHECK_THAT(refused("f8.npy"), Contains("its elements are '<f8', and f32 is '<f4'"));
    write_elements(folder.path("big.npy"), values, numpy_header(">f4", "(4,)"));
    CHECK_THAT(refused("big.npy"), Contains("its elements are '>f4'"));
    write_elements(folder.path("columns.npy"), values, numpy_header("<f4", "(2, 2)", true));
    CHECK_THAT(refused("columns.npy"), Contains("column by column"));
    write_elements(folder.path("short.npy"), std::vector<float>{1}, numpy_header("<f4", "(4,)"));
    CHECK_THAT(refused("short.npy"), Contains("holds 4 bytes of elements"));
    write_elements(folder.path("cut.npy"), std::vector<char>{}, numpy_header("<f4", "(4,)").substr(0, 40));
    CHECK_THAT(refused("cut.npy"), Contains("its header is cut short"));
    CHECK_THAT(refused(""), Contains("cannot be read") || Contains("no file with elements"));
}
