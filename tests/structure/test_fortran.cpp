#include "tests/structure/fortran.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

const std::string kPlantedHeader = R"(/* Says what: rooftune_comment(int a); */
#define ROOFTUNE_C_H rooftune_macro(x)
extern "C" {
enum { ROOFTUNE_OK = 0, ROOFTUNE_BAD = 2 };
typedef struct rooftune_plan rooftune_plan;
const char* rooftune_error(void);
void rooftune_free(rooftune_plan* plan);
rooftune_plan* rooftune_make(const char* folder, int64_t rows, const int32_t* column,
                             const double coefficients[4], double (*value)(void* context, int64_t x),
                             const double* const* many, size_t count);
typedef void (*rooftune_executor)(void* data, int n, void (*body)(void* context, int i));
int rooftune_run(rooftune_plan* plan, float alpha, double* y, rooftune_executor executor);
}
)";

const std::string kPlantedModule = R"(module rooftune  ! function rooftune_comment() bind(c)
    integer(c_int), parameter :: ROOFTUNE_OK = 0
    integer(c_int), parameter :: ROOFTUNE_BAD = 2
    interface
        function rooftune_error() bind(c)
            import
            type(c_ptr) :: rooftune_error
        end function
        subroutine rooftune_free(plan) bind(c)
            type(c_ptr), value :: plan
        end subroutine
        function rooftune_make(folder, rows, column, coefficients, &
                               value, many, count) bind(c)
            character(kind=c_char), intent(in) :: folder(*)
            integer(c_int64_t), value :: rows
            integer(c_int32_t), intent(in) :: column(*)
            real(c_double), intent(in) :: coefficients(4)
            type(c_funptr), value :: value
            type(c_ptr), intent(in) :: many(*)
            integer(c_size_t), value :: count
            type(c_ptr) :: rooftune_make
        end function
        function rooftune_run(plan, alpha, y, executor) bind(c)
            type(c_ptr), value :: plan
            real(c_float), value :: alpha
            real(c_double), intent(inout) :: y(*)
            type(c_funptr), value :: executor
            integer(c_int) :: rooftune_run
        end function
    end interface
end module
)";

Complaints with_module(const std::string& was, const std::string& is) {
    std::string module = kPlantedModule;
    if (!was.empty()) {
        const std::size_t at = module.find(was);
        REQUIRE(at != std::string::npos);
        module.replace(at, was.size(), is);
    }
    const PlantedTree planted{{"tuner/plans/rooftune_c.h", kPlantedHeader},
                              {"tuner/plans/rooftune.f90", module}};
    return fortran_agrees(planted.tree());
}

}  // namespace

TEST_CASE("a Fortran module that says what the C header says passes") {
    const Complaints none = with_module("", "");
    INFO((none.empty() ? "" : none.front()));
    CHECK(none.empty());
}

TEST_CASE("a Fortran module that says something else is seen") {
    SECTION("a function that is missing") {
        check_one(with_module("subroutine rooftune_free(plan) bind(c)", "subroutine other(plan)"),
                  "has no rooftune_free()");
    }
    SECTION("one that is bound by another name") {
        check_one(with_module("rooftune_error() bind(c)", "rooftune_error() bind(c, name='other')"),
                  "has no rooftune_error()");
    }
    SECTION("one that the header lacks") {
        const PlantedTree planted{
            {"tuner/plans/rooftune_c.h", "void rooftune_free(void* plan);\n"},
            {"tuner/plans/rooftune.f90",
             "subroutine rooftune_free(plan) bind(c)\ntype(c_ptr), value :: plan\nend subroutine\n"
             "subroutine rooftune_more() bind(c)\nend subroutine\n"}};
        check_one(fortran_agrees(planted.tree()), "rooftune_more() is not in");
    }
    SECTION("arguments in another order") {
        check_one(with_module("(plan, alpha, y,", "(plan, y, alpha,"), "rooftune_run(");
    }
    SECTION("one argument less") {
        check_one(with_module("(plan, alpha, y,", "(plan, y,"), "rooftune_run(");
    }
    SECTION("another type") {
        check_one(with_module("integer(c_int64_t), value :: rows", "integer(c_int), value :: rows"),
                  "rows: int;");
    }
    SECTION("by reference what C takes by value") {
        check_one(with_module("real(c_float), value", "real(c_float), intent(in)"), "alpha: float array");
    }
    SECTION("a pointer for a function") {
        check_one(with_module("type(c_funptr), value :: executor", "type(c_ptr), value :: executor"),
                  "executor: pointer");
    }
    SECTION("read only, what C writes") {
        check_one(with_module("intent(inout) :: y", "intent(in) :: y"), "y: double array, read");
    }
    SECTION("only written, what C reads before") {
        check_one(with_module("intent(inout) :: y", "intent(out) :: y"), "y: double array, only written");
    }
    SECTION("absent, what C needs") {
        check_one(with_module("real(c_double), intent(in) :: coeff",
                              "real(c_double), intent(in), optional :: coeff"),
                  "coefficients: double array, read, may be absent");
    }
    SECTION("needed, what C does without") {
        const PlantedTree planted{
            {"tuner/plans/rooftune_c.h", "void rooftune_load_tuned(const char* folder);\n"},
            {"tuner/plans/rooftune.f90",
             "subroutine rooftune_load_tuned(folder) bind(c)\n"
             "character(kind=c_char), intent(in) :: folder(*)\nend subroutine\n"}};
        check_one(fortran_agrees(planted.tree()), "(folder: char array, read) -> void, but");
    }
    SECTION("an array that a plan keeps") {
        const PlantedTree planted{
            {"tuner/plans/rooftune_c.h", "void rooftune_view_values(const double* value);\n"},
            {"tuner/plans/rooftune.f90",
             "subroutine rooftune_view_values(value) bind(c)\n"
             "real(c_double), intent(in) :: value(*)\nend subroutine\n"}};
        check_one(fortran_agrees(planted.tree()), "(value: pointer) -> void");
    }
    SECTION("another result") {
        check_one(with_module("integer(c_int) :: rooftune_run", "integer(c_int64_t) :: rooftune_run"),
                  "-> int64_t");
    }
    SECTION("a subroutine for a function") {
        check_one(with_module("function rooftune_run(", "subroutine rooftune_run("), "-> void");
    }
    SECTION("another value of a constant") {
        check_one(with_module("ROOFTUNE_BAD = 2", "ROOFTUNE_BAD = 3"), "ROOFTUNE_BAD is not 2");
    }
    SECTION("a constant that is missing") {
        check_one(with_module("integer(c_int), parameter :: ROOFTUNE_OK = 0", ""), "ROOFTUNE_OK is not 0");
    }
    SECTION("no header at all") {
        const PlantedTree planted{{"tuner/plans/rooftune.f90", ""}};
        check_one(fortran_agrees(planted.tree()), "declares no function");
    }
}

}  // namespace rooftune::structure
