// The check that every other sparse product must pass, with right and wrong ones planted.
#include "tests/peers/spmv/subject.h"

#include "tests/support/catch.h"

namespace rooftune::peers {
namespace {

enum class Fault { none, skips_a_row, ignores_a_value, adds_to_y };

template <typename T>
class Planted final : public SparseSubject<T> {
public:
    Planted(const ProblemSpec& spec, Fault fault) : SparseSubject<T>(spec), fault_(fault) {}

    void run() override {
        const PeerMatrix<T>& a = this->matrix();
        const int* const begin = a.begin.template as<int>();
        const int* const column = a.column.template as<int>();
        for (int i = fault_ == Fault::skips_a_row ? 1 : 0; i < a.rows; ++i) {
            T sum = fault_ == Fault::adds_to_y ? this->y()[i] : T{0};
            const int first = begin[i] + (fault_ == Fault::ignores_a_value && i == a.rows - 1 ? 1 : 0);
            for (int k = first; k < begin[i + 1]; ++k)
                sum += a.value.template as<T>()[k] * this->x()[column[k]];
            this->y()[i] = sum;
        }
    }

private:
    Fault fault_;
};

ProblemSpec spec_of(const char* dtype) {
    return {{"gen", "poisson27"}, {"nx", "5"}, {"dtype", dtype}};
}

}  // namespace

TEMPLATE_TEST_CASE("a sparse product of others is checked in every row", "", float, double) {
    const ProblemSpec spec = spec_of(sizeof(TestType) == 4 ? "f32" : "f64");
    CHECK(Planted<TestType>(spec, Fault::none).check(1).right);
    for (const Fault fault : {Fault::skips_a_row, Fault::ignores_a_value, Fault::adds_to_y}) {
        const Correctness verdict = Planted<TestType>(spec, fault).check(1);
        CHECK_FALSE(verdict.right);
        CHECK(verdict.detail != "");
    }
    // What was right once is in y, and would pass for the next answer if it stayed there.
    Planted<TestType> twice(spec, Fault::skips_a_row);
    CHECK_FALSE(twice.check(1).right);
    CHECK_FALSE(twice.check(1).right);
}

TEST_CASE("others get the matrix in either element type, with the rows' ends") {
    for (const char* dtype : {"f32", "f64"}) {
        const auto problem = spmv::SpmvProblem::load(spec_of(dtype));
        const PeerMatrix<double> wide(*problem);
        const PeerMatrix<float> narrow(*problem);
        CHECK(wide.stored == narrow.stored);
        CHECK(wide.value.bytes() == 2 * narrow.value.bytes());
        CHECK(wide.begin.as<int>()[wide.rows] == wide.stored);
    }
}

}  // namespace rooftune::peers
