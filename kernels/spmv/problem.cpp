#include "kernels/spmv/problem.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/whole_number.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/generators.h"
#include "kernels/spmv/shared_matrix.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// The matrix is owned, mapped, or somebody else's; `view` shows whichever it is.
struct SpmvProblem::Data {
    Csr owned;
    std::unique_ptr<SharedMatrix> mapped;
    CsrView view;
    DType dtype = DType::f64;
    ProblemSpec spec;
    std::string title;
    std::string digest;
    Team* team = nullptr;
    std::shared_ptr<const Layout> layout;  ///< of the format that was asked for last
};

namespace {

// Reads a matrix's arrays for its digest, the pattern and the values apart. Has all its memory before it
// begins: what a team's thread cannot get ends the program.
class ArraysDigest {
public:
    ArraysDigest(const CsrView& matrix, DType dtype) : matrix_(matrix), dtype_(dtype) {
        values_.reserve(matrix.value.size() / kAtOnce + 1);
        if (dtype == DType::f32) narrow_.resize(std::min(kAtOnce, matrix.value.size()));
    }

    void read_pattern() {
        row_begin_ = Digest::part(matrix_.row_begin.data(), matrix_.row_begin.size_bytes());
        column_ = Digest::part(matrix_.column.data(), matrix_.column.size_bytes());
    }
    void read_values() {
        if (dtype_ == DType::f64) {
            values_.push_back(Digest::part(matrix_.value.data(), matrix_.value.size_bytes()));
            return;
        }
        // The values that kernels multiply by: a program that holds them as floats has the same problem.
        for (std::size_t from = 0; from < matrix_.value.size(); from += kAtOnce) {
            const auto some = matrix_.value.subspan(from, std::min(kAtOnce, matrix_.value.size() - from));
            std::transform(some.begin(), some.end(), narrow_.begin(),
                           [](double value) { return static_cast<float>(value); });
            values_.push_back(Digest::part(narrow_.data(), some.size() * sizeof(float)));
        }
    }
    void add_to(Digest& digest) const {
        digest.add(row_begin_);
        digest.add(column_);
        for (const Digest::Part& part : values_) digest.add(part);
    }

private:
    static constexpr std::size_t kAtOnce = 1 << 16;
    const CsrView& matrix_;
    DType dtype_;
    Digest::Part row_begin_{}, column_{};
    std::vector<Digest::Part> values_;
    std::vector<float> narrow_;
};

// `team`: where there is one, the pattern and the values have a thread each.
std::string digest_of(const CsrView& matrix, DType dtype, Team* team) {
    constexpr std::int64_t kWorthSharing = 1 << 16;
    ArraysDigest arrays(matrix, dtype);
    if (team != nullptr && team->size() > 1 && matrix.stored() > kWorthSharing) {
        team->run(2, [&](int share) { share == 0 ? arrays.read_values() : arrays.read_pattern(); });
    } else {
        arrays.read_pattern();
        arrays.read_values();
    }
    Digest digest;
    digest.add(static_cast<std::uint64_t>(matrix.rows));
    digest.add(static_cast<std::uint64_t>(matrix.cols));
    digest.add(static_cast<std::uint64_t>(size_of(dtype)));
    arrays.add_to(digest);
    return digest.text();
}

void check_keys(const ProblemSpec& spec) {
    std::vector<std::string> known;
    for (const ProblemKey& key : SpmvProblem::keys()) known.push_back(key.name);
    for (const auto& [key, value] : spec) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw InputError("spmv: unknown key '" + key + "'; " + suggestion(key, known));
        }
        if (value.empty()) {
            throw InputError("spmv: the key '" + key + "' has no value; give one, as in " + key +
                             "=VALUE, or leave it out");
        }
    }
    const bool file = spec.contains("matrix");
    if (file && spec.contains("gen")) {
        throw InputError("spmv: both 'matrix' and 'gen' are given; keep one of them");
    }
    if (!file && !spec.contains("gen")) {
        throw InputError(
            "spmv: no matrix; give a Matrix Market file (--matrix FILE) or a generator "
            "(gen=poisson27,nx=120; one of " +
            listed(generator_names()) + ")");
    }
    if (!file) return;
    for (const ProblemKey& key : generator_keys()) {
        if (spec.contains(key.name)) {
            throw InputError("spmv: the key '" + key.name +
                             "' is for generators, and a matrix file is given; "
                             "leave out '" +
                             key.name + "', or give gen= in place of the file");
        }
    }
}

DType dtype_of(const ProblemSpec& spec) {
    const auto given = spec.find("dtype");
    if (given == spec.end()) return DType::f64;
    if (const auto dtype = real_dtype_from(given->second)) return *dtype;
    const std::vector<std::string> known{"f32", "f64"};
    throw InputError("spmv: unknown element type dtype=" + given->second + "; " +
                     suggestion(given->second, known));
}

std::uint64_t seed_of(const ProblemSpec& spec) {
    const auto given = spec.find("seed");
    if (given == spec.end()) return 1;
    std::int64_t seed = 0;
    const std::string_view digits =
        std::string_view(given->second).substr(given->second.starts_with('+') ? 1 : 0);
    if (read_whole_number(digits, seed) != std::errc() || seed < 0) {
        throw InputError("spmv: seed=" + given->second +
                         " is not a whole number from 0 to 2^63 - 1; give one");
    }
    return static_cast<std::uint64_t>(seed);
}

/// f32 problems round their values: a value that would become infinite is a fault of the input.
void check_range(const CsrView& matrix, DType dtype, const std::string& where) {
    if (dtype != DType::f32) return;
    const auto too_large = [](double value) { return std::isinf(static_cast<float>(value)); };
    const auto found = std::find_if(matrix.value.begin(), matrix.value.end(), too_large);
    if (found == matrix.value.end()) return;
    const auto place = found - matrix.value.begin();
    const auto after = std::upper_bound(matrix.row_begin.begin(), matrix.row_begin.end(), place);
    const auto row = after - matrix.row_begin.begin();
    throw InputError(where + ": the value in row " + std::to_string(row) + ", column " +
                     std::to_string(std::uint64_t{matrix.column[static_cast<std::size_t>(place)]} + 1) +
                     " is too large for f32 (3.4e38); use dtype=f64");
}

/// "ship_001_mesh" of "/data/ship_001_mesh.mtx.gz".
std::string name_of(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    for (const std::string_view ending : {".gz", ".mtx"}) {
        if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
    }
    return name;
}

}  // namespace

SpmvProblem::SpmvProblem(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SpmvProblem::~SpmvProblem() = default;

std::vector<ProblemKey> SpmvProblem::keys() {
    std::vector<ProblemKey> keys{
        {"matrix", "a Matrix Market file (.mtx, also gzipped); this or gen", ""},
        {"gen", "a generator: " + listed(generator_names()), ""},
        {"dtype", "element type: f64 or f32", "f64"},
    };
    for (ProblemKey& key : generator_keys()) keys.push_back(std::move(key));
    keys.push_back({"seed", "for random patterns and values; also the values of pattern files", "1"});
    return keys;
}

std::unique_ptr<SpmvProblem> SpmvProblem::load(const ProblemSpec& spec) {
    check_keys(spec);
    const DType dtype = dtype_of(spec);
    const std::uint64_t seed = seed_of(spec);
    if (spec.contains("gen")) {
        Generated generated = generate(spec);
        return from(std::move(generated.matrix), dtype, std::move(generated.spec),
                    std::move(generated.title));
    }
    const std::string& path = spec.at("matrix");
    MatrixMarketOptions options;
    options.pattern_seed = seed;
    MatrixMarketFile file = read_matrix_market(path, options);
    if (file.matrix.column.empty()) {
        throw InputError(
            path + ": the matrix has no entries, so there is nothing to multiply; give one that has some");
    }
    ProblemSpec canonical;
    std::error_code unresolved;
    const std::filesystem::path absolute = std::filesystem::canonical(path, unresolved);
    canonical["matrix"] = unresolved ? std::filesystem::absolute(path).string() : absolute.string();
    // Where the file has values, the seed decides nothing and is no part of the problem.
    if (file.header.field == MatrixMarketHeader::Field::pattern) canonical["seed"] = std::to_string(seed);
    check_range(file.matrix.view(), dtype, path);
    return from(std::move(file.matrix), dtype, std::move(canonical), name_of(path));
}

std::unique_ptr<SpmvProblem> SpmvProblem::from(Csr matrix, DType dtype, ProblemSpec spec, std::string title) {
    std::unique_ptr<SpmvProblem> problem = from(matrix.view(), dtype, std::move(spec), std::move(title));
    // The arrays stay where they are, so that the view goes on showing them.
    problem->data_->owned = std::move(matrix);
    return problem;
}

std::unique_ptr<SpmvProblem> SpmvProblem::from(const CsrView& matrix, DType dtype, ProblemSpec spec,
                                               std::string title, Team* team) {
    auto data = std::make_unique<Data>();
    data->view = matrix;
    data->dtype = dtype;
    data->spec = std::move(spec);
    data->spec["dtype"] = to_text(dtype);
    data->title = std::move(title) + " " + std::string(to_text(dtype));
    data->team = team;
    data->digest = digest_of(data->view, dtype, team);
    return std::unique_ptr<SpmvProblem>(new SpmvProblem(std::move(data)));
}

int SpmvProblem::share() const {
    std::vector<std::string> texts{data_->title, data_->digest};
    for (const auto& [key, value] : data_->spec) {
        texts.push_back(key);
        texts.push_back(value);
    }
    return share_matrix(data_->view, texts);
}

std::unique_ptr<SpmvProblem> SpmvProblem::attach(int descriptor) {
    auto data = std::make_unique<Data>();
    data->mapped = std::make_unique<SharedMatrix>(descriptor);
    data->view = data->mapped->matrix();
    const std::vector<std::string>& texts = data->mapped->texts();
    if (texts.size() < 2 || texts.size() % 2 != 0) {
        throw EnvironmentError(
            "the shared matrix has no complete title and spec; start the worker from the tuner of "
            "the same build");
    }
    data->title = texts[0];
    data->digest = texts[1];
    for (std::size_t i = 2; i < texts.size(); i += 2) data->spec[texts[i]] = texts[i + 1];
    data->dtype = dtype_of(data->spec);
    return std::unique_ptr<SpmvProblem>(new SpmvProblem(std::move(data)));
}

ProblemSpec SpmvProblem::spec() const {
    return data_->spec;
}
std::string SpmvProblem::title() const {
    return data_->title;
}
std::string SpmvProblem::digest() const {
    return data_->digest;
}
std::string SpmvProblem::pattern_digest() const {
    const CsrView& matrix = data_->view;
    Digest digest;
    digest.add(static_cast<std::uint64_t>(matrix.rows));
    digest.add(static_cast<std::uint64_t>(matrix.cols));
    digest.add(matrix.row_begin.data(), matrix.row_begin.size_bytes());
    digest.add(matrix.column.data(), matrix.column.size_bytes());
    return digest.text();
}
DType SpmvProblem::dtype() const {
    return data_->dtype;
}
const CsrView& SpmvProblem::matrix() const {
    return data_->view;
}

std::shared_ptr<const Layout> SpmvProblem::layout(const FormatKey& format) const {
    if (!data_->layout || data_->layout->key != format)
        data_->layout = std::make_shared<const Layout>(make_layout(data_->view, format, data_->team));
    return data_->layout;
}

double SpmvProblem::flops_nominal() const {
    return 2.0 * static_cast<double>(data_->view.stored());
}

std::vector<std::pair<std::string, double>> SpmvProblem::facts() const {
    const CsrView& matrix = data_->view;
    std::int64_t longest = 0;
    std::int64_t shortest = matrix.rows > 0 ? std::numeric_limits<std::int64_t>::max() : 0;
    std::int64_t empty = 0;
    std::int64_t bandwidth = 0;
    double squares = 0.0;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const std::int64_t length = matrix.row_length(row);
        longest = std::max(longest, length);
        shortest = std::min(shortest, length);
        empty += length == 0;
        squares += static_cast<double>(length) * static_cast<double>(length);
        if (length == 0) continue;
        const auto begin = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]);
        const std::int64_t first = matrix.column[begin];
        const std::int64_t last = matrix.column[begin + static_cast<std::size_t>(length) - 1];
        bandwidth = std::max({bandwidth, row - first, last - row});
    }
    std::vector<bool> touched(static_cast<std::size_t>(matrix.cols));
    for (const std::uint32_t column : matrix.column) touched[column] = true;
    const auto zeros = std::count(matrix.value.begin(), matrix.value.end(), 0.0);
    const auto rows = static_cast<double>(matrix.rows);
    const double mean = matrix.rows > 0 ? static_cast<double>(matrix.stored()) / rows : 0.0;
    const double variance = matrix.rows > 0 ? std::max(0.0, squares / rows - mean * mean) : 0.0;
    return {
        {"rows", rows},
        {"cols", static_cast<double>(matrix.cols)},
        {"stored", static_cast<double>(matrix.stored())},
        {"explicit_zeros", static_cast<double>(zeros)},
        {"mean_row", mean},
        {"row_deviation", std::sqrt(variance)},
        {"shortest_row", static_cast<double>(shortest)},
        {"longest_row", static_cast<double>(longest)},
        {"empty_rows", static_cast<double>(empty)},
        {"touched_columns", static_cast<double>(std::count(touched.begin(), touched.end(), true))},
        {"bandwidth", static_cast<double>(bandwidth)},
    };
}

}  // namespace rooftune::spmv
