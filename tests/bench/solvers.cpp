// What programs do around a sparse product, with a plan, with MKL, and with the loop that everybody writes:
// iterations of conjugate gradients, and time steps each of which has new values. An OpenMP program whose own
// loops are the same in all of them; one arm a process (tests/bench/solvers.py takes turns).
//
//   solvers cg|steps PROBLEM plan|plan-viewed|mkl|mkl-updated|mkl-remade|mkl-silent|loop [FOLDER OF TUNED
//   CONFIGS]
//
// PROBLEM as for `rooftune tune spmv`, in f64. Prints JSON: microseconds of an iteration in the median, what
// ran, and how far the answer is from that of a program without threads. Status 1 where it is too far, 2 for
// wrong words, 3 without MKL.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
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
using Vector = std::vector<double>;

// Compressed rows as C and Fortran programs have them.
struct Rows {
    int rows = 0;
    std::vector<int> begin, column;
    Vector value;
    int stored() const { return static_cast<int>(value.size()); }
};

// In a program without threads.
void multiply(const Rows& a, const Vector& x, Vector& y) {
    for (int i = 0; i < a.rows; ++i) {
        double sum = 0.0;
        for (int k = a.begin[static_cast<std::size_t>(i)]; k < a.begin[static_cast<std::size_t>(i) + 1];
             ++k) {
            const auto at = static_cast<std::size_t>(k);
            sum += a.value[at] * x[static_cast<std::size_t>(a.column[at])];
        }
        y[static_cast<std::size_t>(i)] = sum;
    }
}

// y = A·x, and other values for A.
class Product {
public:
    virtual ~Product() = default;
    virtual void run(const double* x, double* y) = 0;
    /// `a` has got new values.
    virtual void renew(Rows& a) = 0;
    virtual std::string what() const = 0;
};

class Loop final : public Product {
public:
    explicit Loop(const Rows& a) : a_(&a) {}
    void run(const double* x, double* y) override {
        const int *const begin = a_->begin.data(), *const column = a_->column.data();
        const double* const value = a_->value.data();
        const int rows = a_->rows;
#pragma omp parallel for schedule(static)
        for (int i = 0; i < rows; ++i) {
            double sum = 0.0;
            for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
            y[i] = sum;
        }
    }
    void renew(Rows&) override {}
    std::string what() const override {
        return "compressed rows, OpenMP, static schedule";
    }

private:
    const Rows* a_;
};

void in_region(int n, PlanPart part) {
#pragma omp parallel for num_threads(n) schedule(static, 1)
    for (int i = 0; i < n; ++i) part(i);
}

class Planned final : public Product {
public:
    /// `viewed`: of the program's values where they are.
    Planned(const Rows& a, const char* folder, bool viewed)
        : viewed_(viewed),
          plan_(spmv_plan<double>(
              load_tuned(folder == nullptr ? "" : folder),
              SparseMatrix(a.rows, a.rows, a.begin.data(), a.column.data(), a.value.data()))) {
        if (viewed_) plan_.view_values(a.value.data(), a.stored());
    }
    void run(const double* x, double* y) override { plan_.run(in_region, x, y); }
    void renew(Rows& a) override {
        if (!viewed_) plan_.update_values(in_region, a.value.data(), a.stored());
    }
    std::string what() const override { return plan_.choice().variant + " (" + plan_.choice().why + ")"; }

private:
    bool viewed_;
    SpmvPlan<double> plan_;
};

class MklProduct final : public Product {
public:
    /// `told`: as much as its inspector can be told, at the price of arrays of its own. `remade`: a new
    /// handle for new values, of the program's arrays.
    MklProduct(Rows& a, bool told, bool remade, bool silent = false)
        : mkl_(peers::load_mkl(usable_cpus(), peers::MklThreads::gnu)),
          told_(told),
          remade_(remade),
          silent_(silent) {
        make(a);
    }
    ~MklProduct() override { mkl_.destroy(handle_); }
    void run(const double* x, double* y) override {
        require(mkl_.product_f64(peers::Mkl::kStraight, 1.0, handle_, {}, x, 0.0, y), "a product");
    }
    void renew(Rows& a) override {
        if (remade_) {
            mkl_.destroy(handle_);
            make(a);
            return;
        }
        if (silent_) return;
        require(mkl_.update_f64(handle_, a.stored(), nullptr, nullptr, a.value.data()), "new values");
    }
    std::string what() const override {
        return mkl_.version +
               (told_ ? ", optimised for 100 000 calls" : ", a handle of the program's arrays") + ", " +
               std::to_string(mkl_.most_threads()) + " threads";
    }

private:
    static void require(int status, const char* operation) {
        if (status != 0)
            throw EnvironmentError(std::string("MKL: ") + operation + " failed with status " +
                                   std::to_string(status));
    }
    void make(Rows& a) {
        require(mkl_.create_f64(&handle_, peers::Mkl::kIndexFromZero, a.rows, a.rows, a.begin.data(),
                                a.begin.data() + 1, a.column.data(), a.value.data()),
                "making a matrix");
        if (!told_) return;
        constexpr int kCalls = 100'000;
        require(mkl_.hint(handle_, peers::Mkl::kStraight, {}, kCalls), "the hint of calls");
        require(mkl_.memory_hint(handle_, peers::Mkl::kAggressive), "the hint of memory");
        require(mkl_.optimize(handle_), "optimising");
    }
    const peers::Mkl& mkl_;
    peers::Mkl::SparseMatrix* handle_ = nullptr;
    bool told_, remade_, silent_;
};

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
    const double *const x = a.data(), *const y = b.data();
    const auto n = static_cast<long>(a.size());
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (long i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

double median(Vector values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// An arm runs for so long, and at least so often.
constexpr double kSeconds = 1.0;
constexpr std::size_t kLeast = 30;

bool goes_on(const Vector& seconds, Clock::time_point begun) {
    return seconds.size() < kLeast || std::chrono::duration<double>(Clock::now() - begun).count() < kSeconds;
}

struct Outcome {
    Vector seconds;
    double error = 0.0, tolerance = 0.0;
};

// Begins again from the start once it has converged. The error is that of the residual which the iteration
// keeps.
Outcome conjugate_gradients(const Rows& a, Product& product) {
    const auto n = static_cast<std::size_t>(a.rows);
    Outcome outcome;
    Vector b(n), x(n), residual(n), direction(n), image(n);
    multiply(a, Vector(n, 1.0), b);
    const double start = dot(b, b);
    double rr = 0.0, enough = 1e-16 * start;
    const auto begun = Clock::now();
    while (goes_on(outcome.seconds, begun)) {
        if (rr <= enough) {
            std::fill(x.begin(), x.end(), 0.0);
            residual = direction = b;
            rr = start;
        }
        const auto at = Clock::now();
        product.run(direction.data(), image.data());
        const double step = rr / dot(direction, image);
        double *const to_x = x.data(), *const to_r = residual.data(), *const to_d = direction.data();
        const double* const q = image.data();
#pragma omp parallel for schedule(static)
        for (long i = 0; i < static_cast<long>(n); ++i) {
            to_x[i] += step * to_d[i];
            to_r[i] -= step * q[i];
        }
        const double next = dot(residual, residual);
        const double factor = next / rr;
#pragma omp parallel for schedule(static)
        for (long i = 0; i < static_cast<long>(n); ++i) to_d[i] = to_r[i] + factor * to_d[i];
        rr = next;
        outcome.seconds.push_back(std::chrono::duration<double>(Clock::now() - at).count());
    }
    multiply(a, x, image);
    for (std::size_t i = 0; i < n; ++i) outcome.error += std::pow(b[i] - image[i] - residual[i], 2);
    outcome.error = std::sqrt(outcome.error / start);
    if (!std::isfinite(outcome.error)) outcome.error = 1e300;
    outcome.tolerance = 1e-10;
    return outcome;
}

// x ← A(t)·x, where a coefficient that moves with time changes every value; rows are scaled so that x neither
// grows nor dies out.
Outcome time_steps(Rows& a, Product& product) {
    const auto n = static_cast<std::size_t>(a.rows);
    Vector base = a.value;
    for (int i = 0; i < a.rows; ++i) {
        double sum = 0.0;
        const auto first = static_cast<std::size_t>(a.begin[static_cast<std::size_t>(i)]),
                   end = static_cast<std::size_t>(a.begin[static_cast<std::size_t>(i) + 1]);
        for (std::size_t k = first; k < end; ++k) sum += std::fabs(base[k]);
        for (std::size_t k = first; k < end; ++k) base[k] = std::fabs(base[k]) / sum;
    }
    const auto renew = [&](int step) {
        const double now = 0.01 * std::sin(0.1 * step);
        const double* const from = base.data();
        double* const to = a.value.data();
        const int stored = a.stored();
#pragma omp parallel for schedule(static)
        for (int k = 0; k < stored; ++k) to[k] = from[k] * (1.0 + now * ((k & 7) - 3.5));
    };
    Vector x(n), y(n), expected(n), other(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = expected[i] = 1.0 + 0.5 * std::sin(static_cast<double>(i));
    Outcome outcome;
    int step = 0;
    // A few steps that are held against those of a program without threads.
    for (; step < 3; ++step) {
        renew(step);
        product.renew(a);
        product.run(x.data(), y.data());
        std::swap(x, y);
        multiply(a, expected, other);
        std::swap(expected, other);
        for (std::size_t i = 0; i < n; ++i) {
            const double off = std::fabs(x[i] - expected[i]) / std::fabs(expected[i]);
            outcome.error = off <= 1e300 ? std::max(outcome.error, off) : 1e300;  // NaN is no small error
        }
    }
    outcome.tolerance = 1e-12;
    const auto begun = Clock::now();
    for (; goes_on(outcome.seconds, begun); ++step) {
        const auto at = Clock::now();
        renew(step);
        product.renew(a);
        product.run(x.data(), y.data());
        std::swap(x, y);
        outcome.seconds.push_back(std::chrono::duration<double>(Clock::now() - at).count());
    }
    return outcome;
}

Rows read_problem(const std::string& text) {
    ProblemSpec spec;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string pair = text.substr(at, end - at);
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos) throw InputError("'" + pair + "' is no key=value");
        spec[pair.substr(0, equals)] = pair.substr(equals + 1);
        at = end + 1;
    }
    const Registry families = built_in_families();
    const auto problem = families.find("spmv")->problem(spec);
    const spmv::CsrView m = dynamic_cast<const spmv::SpmvProblem&>(*problem).matrix();
    if (m.rows != m.cols || m.stored() > INT32_MAX)
        throw InputError("give a square matrix of less than 2^31 entries");
    Rows a;
    a.rows = static_cast<int>(m.rows);
    a.begin.assign(m.row_begin.begin(), m.row_begin.end());
    a.column.assign(m.column.begin(), m.column.end());
    a.value.assign(m.value.begin(), m.value.end());
    return a;
}

int run(const std::string& what, const std::string& problem, const std::string& arm, const char* folder) {
    Rows a = read_problem(problem);
    const bool steps = what == "steps";
    std::unique_ptr<Product> product;
    if (arm == "loop") product = std::make_unique<Loop>(a);
    if (arm == "plan") product = std::make_unique<Planned>(a, folder, false);
    if (arm == "plan-viewed") product = std::make_unique<Planned>(a, folder, true);
    if (arm == "mkl") product = std::make_unique<MklProduct>(a, true, false);
    if (arm == "mkl-updated") product = std::make_unique<MklProduct>(a, false, false);
    if (arm == "mkl-remade") product = std::make_unique<MklProduct>(a, false, true);
    if (arm == "mkl-silent") product = std::make_unique<MklProduct>(a, false, false, true);
    if (!product || (what != "cg" && !steps)) throw InputError("solvers cg|steps PROBLEM ARM [FOLDER]");
    const Outcome outcome = steps ? time_steps(a, *product) : conjugate_gradients(a, *product);
    const bool right = outcome.error <= outcome.tolerance;
    std::printf("%s\n", nlohmann::json{{"arm", arm},
                                       {"what", product->what()},
                                       {"us", 1e6 * median(outcome.seconds)},
                                       {"iterations", outcome.seconds.size()},
                                       {"error", outcome.error},
                                       {"right", right}}
                            .dump()
                            .c_str());
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 4) throw InputError("usage: solvers cg|steps PROBLEM ARM [FOLDER]");
        return run(argv[1], argv[2], argv[3], argc > 4 ? argv[4] : nullptr);
    } catch (const InputError& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 2;
    } catch (const EnvironmentError& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 3;
    }
}
