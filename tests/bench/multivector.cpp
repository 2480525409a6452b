// Products with several vectors: a plan's runs one after the other, its runs for all of them at once in both
// orders, and MKL's. One library a process (tests/bench/multivector.py takes turns); within it the ways take
// turns.
//
//   multivector plan|mkl PROBLEM VECTORS,VECTORS,… [FOLDER OF TUNED CONFIGS]
//
// PROBLEM as for `rooftune tune spmv`. Prints JSON: microseconds in the median for each number of vectors and
// way. Status 1 where an answer is wrong, 2 for wrong words, 3 without MKL.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/spmv/problem.h"
#include "tests/peers/mkl/mkl.h"
#include "tuner/plans/rooftune.h"

using namespace rooftune;

namespace {

using Clock = std::chrono::steady_clock;

// Compressed rows as C and Fortran programs have them.
template <typename T>
struct Rows {
    int rows = 0, cols = 0;
    std::vector<int> begin, column;
    std::vector<T> value;
};

// `count` vectors, in columns or side by side.
template <typename T>
struct Several {
    int length, count;
    bool side_by_side;
    std::vector<T> elements;
    Several(int n, int vectors, bool beside)
        : length(n), count(vectors), side_by_side(beside), elements(static_cast<std::size_t>(n) * vectors) {}
    T& at(int i, int j) {
        return elements[side_by_side ? static_cast<std::size_t>(i) * count + j
                                     : static_cast<std::size_t>(j) * length + i];
    }
    std::int64_t stride() const { return side_by_side ? count : length; }
};

/// Y = A·X of `side_by_side` vectors or of those in columns, or `alone`, one vector after the other.
template <typename T>
class Library {
public:
    virtual ~Library() = default;
    virtual void at_once(const Several<T>& x, Several<T>& y) = 0;
    virtual void alone(const T* x, T* y) = 0;
    virtual std::string what() const = 0;
};

template <typename T>
class Planned final : public Library<T> {
public:
    Planned(const Rows<T>& a, const char* folder)
        : plan_(spmv_plan<T>(load_tuned(folder == nullptr ? "" : folder),
                             SparseMatrix(a.rows, a.cols, a.begin.data(), a.column.data(), a.value.data()))) {
    }
    void at_once(const Several<T>& x, Several<T>& y) override {
        const T* const from = x.elements.data();
        T* const to = y.elements.data();
        if (x.side_by_side) {
            plan_.run_interleaved(x.count, T{1}, from, x.stride(), T{0}, to, y.stride());
        } else {
            plan_.run_columns(x.count, T{1}, from, x.stride(), T{0}, to, y.stride());
        }
    }
    void alone(const T* x, T* y) override { plan_.run(x, y); }
    std::string what() const override { return plan_.choice().variant + " (" + plan_.choice().why + ")"; }

private:
    SpmvPlan<T> plan_;
};

template <typename T>
class MklProduct final : public Library<T> {
public:
    // Its inspector is told of one order and number of vectors, so that each has a handle of its own.
    MklProduct(Rows<T>& a, const std::vector<int>& counts)
        : mkl_(peers::load_mkl(usable_cpus(), peers::MklThreads::intel)) {
        handles_.push_back({0, false, make(a)});
        require(mkl_.hint(handles_.back().matrix, peers::Mkl::kStraight, {}, kCalls), "the hint of calls");
        for (const int count : counts) {
            for (const bool beside : {false, true}) {
                handles_.push_back({count, beside, make(a)});
                require(mkl_.hint_several(handles_.back().matrix, peers::Mkl::kStraight, {}, layout(beside),
                                          count, kCalls),
                        "the hint of several vectors");
            }
        }
        for (const Handle& handle : handles_) {
            require(mkl_.memory_hint(handle.matrix, peers::Mkl::kAggressive), "the hint of memory");
            require(mkl_.optimize(handle.matrix), "optimising");
        }
    }
    ~MklProduct() override {
        for (const Handle& handle : handles_) mkl_.destroy(handle.matrix);
    }
    void at_once(const Several<T>& x, Several<T>& y) override {
        const auto handle = std::find_if(handles_.begin(), handles_.end(), [&](const Handle& h) {
            return h.count == x.count && h.side_by_side == x.side_by_side;
        });
        const auto product = [&](auto function) {
            return function(peers::Mkl::kStraight, T{1}, handle->matrix, {}, layout(x.side_by_side),
                            x.elements.data(), x.count, static_cast<int>(x.stride()), T{0}, y.elements.data(),
                            static_cast<int>(y.stride()));
        };
        if constexpr (std::is_same_v<T, double>) require(product(mkl_.several_f64), "several vectors");
        if constexpr (std::is_same_v<T, float>) require(product(mkl_.several_f32), "several vectors");
    }
    void alone(const T* x, T* y) override {
        peers::Mkl::SparseMatrix* const a = handles_.front().matrix;
        if constexpr (std::is_same_v<T, double>)
            require(mkl_.product_f64(peers::Mkl::kStraight, 1.0, a, {}, x, 0.0, y), "a product");
        if constexpr (std::is_same_v<T, float>)
            require(mkl_.product_f32(peers::Mkl::kStraight, 1.0F, a, {}, x, 0.0F, y), "a product");
    }
    std::string what() const override {
        return mkl_.version + ", optimised for 100 000 calls, " + std::to_string(mkl_.most_threads()) +
               " threads";
    }

private:
    static constexpr int kCalls = 100'000;
    struct Handle {
        int count;
        bool side_by_side;
        peers::Mkl::SparseMatrix* matrix;
    };
    static int layout(bool side_by_side) {
        return side_by_side ? peers::Mkl::kRowMajor : peers::Mkl::kColumnMajor;
    }
    static void require(int status, const char* operation) {
        if (status != 0)
            throw EnvironmentError(std::string("MKL: ") + operation + " failed with status " +
                                   std::to_string(status));
    }
    peers::Mkl::SparseMatrix* make(Rows<T>& a) {
        peers::Mkl::SparseMatrix* matrix = nullptr;
        const auto made = [&](auto create) {
            return create(&matrix, peers::Mkl::kIndexFromZero, a.rows, a.cols, a.begin.data(),
                          a.begin.data() + 1, a.column.data(), a.value.data());
        };
        if constexpr (std::is_same_v<T, double>) require(made(mkl_.create_f64), "making a matrix");
        if constexpr (std::is_same_v<T, float>) require(made(mkl_.create_f32), "making a matrix");
        return matrix;
    }
    const peers::Mkl& mkl_;
    std::vector<Handle> handles_;
};

// The largest error of some rows, each against its own sum of absolute products.
template <typename T>
double error_of(const Rows<T>& a, Several<T>& x, Several<T>& y) {
    double worst = 0.0;
    for (int i = 0; i < a.rows; i += 1 + a.rows / 1000) {
        for (int j = 0; j < x.count; ++j) {
            double sum = 0.0, size = 0.0;
            for (int k = a.begin[static_cast<std::size_t>(i)]; k < a.begin[static_cast<std::size_t>(i) + 1];
                 ++k) {
                const auto at = static_cast<std::size_t>(k);
                const double term =
                    static_cast<double>(a.value[at]) * static_cast<double>(x.at(a.column[at], j));
                sum += term;
                size += std::fabs(term);
            }
            const double off = std::fabs(static_cast<double>(y.at(i, j)) - sum);
            if (!(off <= worst * size)) worst = size > 0.0 ? off / size : off == 0.0 ? worst : 1e300;
        }
    }
    return std::isfinite(worst) ? worst : 1e300;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return 1e6 * *middle;
}

// The three ways in turns, for about a second.
template <typename T>
nlohmann::json measured(const Rows<T>& a, Library<T>& library, int count, bool& right) {
    constexpr double kSeconds = 1.0;
    constexpr std::size_t kLeast = 7;
    Several<T> x(a.cols, count, false), y(a.rows, count, false), x_beside(a.cols, count, true),
        y_beside(a.rows, count, true);
    std::fill(y_beside.elements.begin(), y_beside.elements.end(), std::numeric_limits<T>::quiet_NaN());
    for (int j = 0; j < count; ++j) {
        for (int i = 0; i < a.cols; ++i)
            x.at(i, j) = x_beside.at(i, j) = static_cast<T>(1.0 + 0.5 * std::sin(0.1 * i + j));
    }
    std::vector<double> alone, columns, beside;
    const auto timed = [](auto&& what, std::vector<double>& into) {
        const auto begun = Clock::now();
        what();
        into.push_back(std::chrono::duration<double>(Clock::now() - begun).count());
    };
    double error = 0.0;
    const auto begun = Clock::now();
    while (alone.size() < kLeast || std::chrono::duration<double>(Clock::now() - begun).count() < kSeconds) {
        timed(
            [&] {
                for (int j = 0; j < count; ++j) {
                    const auto at = static_cast<std::size_t>(j);
                    library.alone(x.elements.data() + at * static_cast<std::size_t>(a.cols),
                                  y.elements.data() + at * static_cast<std::size_t>(a.rows));
                }
            },
            alone);
        if (alone.size() == 1) error = error_of(a, x, y);
        // So that nothing is right that was not written.
        if (alone.size() == 1)
            std::fill(y.elements.begin(), y.elements.end(), std::numeric_limits<T>::quiet_NaN());
        timed([&] { library.at_once(x, y); }, columns);
        timed([&] { library.at_once(x_beside, y_beside); }, beside);
        if (alone.size() == 1) error = std::max({error, error_of(a, x, y), error_of(a, x_beside, y_beside)});
    }
    right = right && error <= 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
    return {{"vectors", count},
            {"alone", median(alone)},
            {"columns", median(columns)},
            {"side by side", median(beside)},
            {"error", error}};
}

template <typename T>
int run(const spmv::CsrView& m, const std::string& library, const std::vector<int>& counts,
        const char* folder) {
    Rows<T> a;
    a.rows = static_cast<int>(m.rows);
    a.cols = static_cast<int>(m.cols);
    a.begin.assign(m.row_begin.begin(), m.row_begin.end());
    a.column.assign(m.column.begin(), m.column.end());
    a.value.assign(m.value.begin(), m.value.end());
    std::unique_ptr<Library<T>> by;
    if (library == "plan") by = std::make_unique<Planned<T>>(a, folder);
    if (library == "mkl") by = std::make_unique<MklProduct<T>>(a, counts);
    if (!by) throw InputError("give plan or mkl");
    bool right = true;
    nlohmann::json answer{{"what", by->what()}, {"results", nlohmann::json::array()}};
    for (const int count : counts) answer["results"].push_back(measured(a, *by, count, right));
    std::printf("%s\n", answer.dump().c_str());
    return right ? 0 : 1;
}

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 4) throw InputError("usage: multivector plan|mkl PROBLEM VECTORS,… [FOLDER]");
        ProblemSpec spec;
        for (const std::string& pair : parts_of(argv[2])) {
            const std::size_t equals = pair.find('=');
            if (equals == std::string::npos) throw InputError("'" + pair + "' is no key=value");
            spec[pair.substr(0, equals)] = pair.substr(equals + 1);
        }
        std::vector<int> counts;
        for (const std::string& count : parts_of(argv[3])) counts.push_back(std::atoi(count.c_str()));
        if (*std::min_element(counts.begin(), counts.end()) < 1) throw InputError("give numbers of vectors");
        const Registry families = built_in_families();
        const auto problem = families.find("spmv")->problem(spec);
        const spmv::CsrView m = dynamic_cast<const spmv::SpmvProblem&>(*problem).matrix();
        if (m.stored() > std::numeric_limits<int>::max()) throw InputError("give less than 2^31 entries");
        const char* const folder = argc > 4 ? argv[4] : nullptr;
        return problem->dtype() == DType::f64 ? run<double>(m, argv[1], counts, folder)
                                              : run<float>(m, argv[1], counts, folder);
    } catch (const InputError& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 2;
    } catch (const EnvironmentError& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 3;
    }
}
