#include "tuner/external/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/si.h"
#include "tuner/external/array_file.h"

namespace rooftune::external {
namespace {

constexpr double kLargest = 9007199254740992.0;  // 2^53: beyond, doubles skip whole numbers

double evaluated(const Constants& known, const std::string& text, const std::string& where) {
    static const Space kNoParameters("external", 1);
    return expression_from(kNoParameters, known, text, where).value(PartialVariant());
}

// A size as it was declared or given, "mine.cpp:3: '2 * n'" or "mine.cpp: n='2 * m'".
std::string said(const std::string& text, const std::string& where) {
    return where + (where.ends_with('=') ? "'" : " '") + text + "'";
}

// A whole number from 0 on.
std::int64_t count_from(double value, const std::string& text, const std::string& where) {
    if (std::isnan(value) || std::isinf(value))
        throw InputError(said(text, where) + " has no value here, as where something is divided by 0");
    if (value < 0.0 || value != std::floor(value))
        throw InputError(
            fmt::format("{} is {:.10g}, and a whole number from 0 on is needed", said(text, where), value));
    if (value > kLargest)
        throw InputError(fmt::format("{} is {:.3g}, more than can be counted", said(text, where), value));
    return static_cast<std::int64_t>(value);
}

}  // namespace

std::int64_t Instance::bytes_of_arrays() const {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
        bytes += counts[i] * static_cast<std::int64_t>(bytes_of(declaration.arrays[i].element));
    return bytes;
}

std::string path_of_array(const Instance& instance, const DeclaredArray& array) {
    return (std::filesystem::path(instance.source_folder) / array.file->text).lexically_normal().string();
}

Instance instance_of(Declaration declaration, const std::map<std::string, std::string>& given,
                     double available, const std::string& folder, std::vector<GivenMatrix> matrices) {
    Instance instance;
    instance.source_folder = folder;
    std::vector<std::string> names;
    for (const DeclaredNumber& n : declaration.numbers) {
        if (n.matrix < 0) names.push_back(n.name.text);
    }
    for (const DeclaredMatrix& m : declaration.matrices) names.push_back(m.name.text);
    for (const auto& [name, text] : given) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw InputError(declaration.file + ": it declares no size '" + name + "'; " +
                             (names.empty() ? "it declares none" : suggestion(name, names)));
    }
    instance.matrices = matrices.empty() ? read_matrices(declaration, given, folder) : std::move(matrices);
    for (const GivenMatrix& m : instance.matrices) instance.contents += hash_of(*m.rows);
    for (const DeclaredNumber& n : declaration.numbers) {
        if (n.matrix >= 0) {
            instance.numbers[n.name.text] =
                size_of_matrix(*instance.matrices[static_cast<std::size_t>(n.matrix)].rows, n.value.text);
            continue;
        }
        const auto other = given.find(n.name.text);
        const std::string text = other == given.end() ? n.value.text : other->second;
        const std::string where = other == given.end() ? place_of(declaration.file, n.value)
                                                       : declaration.file + ": " + n.name.text + "=";
        const double value = evaluated(instance.numbers, text, where);
        if (n.whole) count_from(value, text, where);
        if (!std::isfinite(value)) throw InputError(where + " '" + text + "' has no finite value");
        instance.numbers[n.name.text] = value;
    }
    double bytes = 0.0;
    for (const DeclaredArray& a : declaration.arrays) {
        const std::string where = place_of(declaration.file, a.count);
        const std::int64_t count =
            count_from(evaluated(instance.numbers, a.count.text, where), a.count.text, where);
        instance.counts.push_back(count);
        if (a.file) {
            const std::string path = path_of_array(instance, a), place = place_of(declaration.file, *a.file);
            check_array_file(path, a.element, static_cast<std::size_t>(count), place);
            instance.contents += hash_of_file(path);
        }
        if (a.fill) function_from("i", instance.numbers, a.fill->text, place_of(declaration.file, *a.fill));
        // What is written is there twice, and once more as numbers to compare with.
        const double copies = a.direction == Direction::in ? 1.0 : 3.0;
        bytes += copies * static_cast<double>(count) *
                 static_cast<double>(std::max<std::size_t>(8, bytes_of(a.element)));
    }
    if (bytes > available)
        throw InputError(
            fmt::format("{}: its arrays need about {} of memory to tune, and {} are free; take smaller sizes",
                        declaration.file, format_si(bytes, "B"), format_si(std::max(0.0, available), "B")));
    instance.declaration = std::move(declaration);
    return instance;
}

}  // namespace rooftune::external
