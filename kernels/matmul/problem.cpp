#include "kernels/matmul/problem.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/whole_number.h"

namespace rooftune::matmul {
namespace {

constexpr std::int64_t kLongestSide = std::int64_t{1} << 24;
constexpr std::int64_t kMostElements = std::int64_t{1} << 32;

/// One step of FNV-1a over a whole number: small and enough to tell problems apart.
void mix(std::uint64_t& hash, std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
        hash ^= (number >> (8 * byte)) & 0xFFU;
        hash *= 0x100000001b3U;
    }
}

void check_keys(const ProblemSpec& spec) {
    std::vector<std::string> known;
    for (const ProblemKey& key : MatmulProblem::keys()) known.push_back(key.name);
    for (const auto& [key, value] : spec) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw InputError("matmul: unknown key '" + key + "'; " + suggestion(key, known));
        if (value.empty()) {
            throw InputError("matmul: the key '" + key + "' has no value; give one, as in " + key +
                             "=VALUE, or leave it out");
        }
    }
}

std::int64_t side(const ProblemSpec& spec, const std::string& key) {
    const auto given = spec.find(key);
    if (given == spec.end()) {
        throw InputError("matmul: the key '" + key +
                         "' is missing; give all three sizes, as in m=1024,n=1024,k=1024");
    }
    const std::string& text = given->second;
    std::int64_t value = 0;
    if (read_whole_number(text, value) != std::errc() || value < 1 || value > kLongestSide) {
        throw InputError("matmul: " + key + "=" + text + " is not a whole number from 1 to " +
                         std::to_string(kLongestSide) + "; give one");
    }
    return value;
}

double factor(const ProblemSpec& spec, const std::string& key, double otherwise, DType dtype) {
    const auto given = spec.find(key);
    if (given == spec.end()) return otherwise;
    const std::string& text = given->second;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = error == std::errc() && end == text.data() + text.size();
    const double rounded = dtype == DType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
    if (!read || !std::isfinite(rounded)) {
        throw InputError("matmul: " + key + "=" + text + " is not a finite number of type " +
                         std::string(to_text(dtype)) + "; give one, as in " + key + "=0.5");
    }
    return rounded == 0.0 ? 0.0 : rounded;  // −0 and 0 are one problem
}

bool yes_or_no(const ProblemSpec& spec, const std::string& key) {
    const auto given = spec.find(key);
    if (given == spec.end() || given->second == "no") return false;
    if (given->second == "yes") return true;
    const std::vector<std::string> known{"no", "yes"};
    throw InputError("matmul: " + key + "=" + given->second + " is neither yes nor no; " +
                     suggestion(given->second, known));
}

DType dtype_of(const ProblemSpec& spec) {
    const auto given = spec.find("dtype");
    if (given == spec.end()) return DType::f64;
    if (const auto dtype = real_dtype_from(given->second)) return *dtype;
    const std::vector<std::string> known{"f32", "f64"};
    throw InputError("matmul: unknown element type dtype=" + given->second + "; " +
                     suggestion(given->second, known));
}

/// The shortest text that reads back as the same number.
std::string shortest(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc() ? std::string(text, end) : std::string("0");
}

}  // namespace

std::vector<ProblemKey> MatmulProblem::keys() {
    return {
        {"m", "rows of C and of op(A); needed", ""},
        {"n", "columns of C and of op(B); needed", ""},
        {"k", "columns of op(A) and rows of op(B), at least 1; needed", ""},
        {"dtype", "element type: f64 or f32", "f64"},
        {"transa", "A is stored transposed: no or yes", "no"},
        {"transb", "B is stored transposed: no or yes", "no"},
        {"alpha", "factor of the product", "1"},
        {"beta", "factor of the C that was there; with 0 it is not read", "0"},
    };
}

std::unique_ptr<MatmulProblem> MatmulProblem::load(const ProblemSpec& spec) {
    check_keys(spec);
    auto problem = std::unique_ptr<MatmulProblem>(new MatmulProblem());
    problem->m_ = side(spec, "m");
    problem->n_ = side(spec, "n");
    problem->k_ = side(spec, "k");
    problem->dtype_ = dtype_of(spec);
    problem->transpose_a_ = yes_or_no(spec, "transa");
    problem->transpose_b_ = yes_or_no(spec, "transb");
    problem->alpha_ = factor(spec, "alpha", 1.0, problem->dtype_);
    problem->beta_ = factor(spec, "beta", 0.0, problem->dtype_);
    const auto check_matrix = [](const char* name, std::int64_t rows, std::int64_t cols) {
        if (rows > kMostElements / cols) {
            throw InputError("matmul: " + std::string(name) + " would have " + std::to_string(rows) + " x " +
                             std::to_string(cols) + " elements, more than " + std::to_string(kMostElements) +
                             "; give smaller sizes");
        }
    };
    check_matrix("A", problem->m_, problem->k_);
    check_matrix("B", problem->k_, problem->n_);
    check_matrix("C", problem->m_, problem->n_);
    return problem;
}

ProblemSpec MatmulProblem::spec() const {
    return {{"m", std::to_string(m_)},
            {"n", std::to_string(n_)},
            {"k", std::to_string(k_)},
            {"dtype", std::string(to_text(dtype_))},
            {"transa", transpose_a_ ? "yes" : "no"},
            {"transb", transpose_b_ ? "yes" : "no"},
            {"alpha", shortest(alpha_)},
            {"beta", shortest(beta_)}};
}

std::string MatmulProblem::title() const {
    std::string title =
        "matmul " + std::to_string(m_) + "x" + std::to_string(n_) + "x" + std::to_string(k_) + " ";
    title += to_text(dtype_);
    if (transpose_a_) title += ", A transposed";
    if (transpose_b_) title += ", B transposed";
    if (alpha_ != 1.0) title += ", alpha " + shortest(alpha_);
    if (beta_ != 0.0) title += ", beta " + shortest(beta_);
    return title;
}

std::string MatmulProblem::digest() const {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::int64_t number : {m_, n_, k_}) mix(hash, static_cast<std::uint64_t>(number));
    mix(hash, size_of(dtype_) * 4 + (transpose_a_ ? 2U : 0U) + (transpose_b_ ? 1U : 0U));
    mix(hash, std::bit_cast<std::uint64_t>(alpha_));
    mix(hash, std::bit_cast<std::uint64_t>(beta_));
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::vector<std::pair<std::string, double>> MatmulProblem::facts() const {
    const auto m = static_cast<double>(m_);
    const auto n = static_cast<double>(n_);
    const auto k = static_cast<double>(k_);
    const double bytes = static_cast<double>(size_of(dtype_)) * (m * k + k * n + m * n);
    return {{"m", m}, {"n", n}, {"k", k}, {"bytes", bytes}, {"flops_per_byte", flops_nominal() / bytes}};
}

std::vector<std::pair<std::string, double>> MatmulProblem::features() const {
    const auto log2_of = [](std::int64_t n) { return std::log2(static_cast<double>(n)); };
    // How a matrix is stored decides what is packed: as much as a factor of four.
    return {{"log2(m)", log2_of(m_)},
            {"log2(n)", log2_of(n_)},
            {"log2(k)", log2_of(k_)},
            {"2*transa", transpose_a_ ? 2.0 : 0.0},
            {"2*transb", transpose_b_ ? 2.0 : 0.0},
            {"beta!=0", beta_ != 0.0 ? 1.0 : 0.0}};
}

double MatmulProblem::flops_nominal() const {
    return 2.0 * static_cast<double>(m_) * static_cast<double>(n_) * static_cast<double>(k_);
}

}  // namespace rooftune::matmul
