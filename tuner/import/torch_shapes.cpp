#include "tuner/import/torch_shapes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace rooftune::imports {
namespace {

struct TypeName {
    std::string_view torch, ours;
    double bytes;
};
constexpr std::array<TypeName, 14> kTypes{{{"float", "f32", 4},
                                           {"double", "f64", 8},
                                           {"c10::Half", "f16", 2},
                                           {"c10::BFloat16", "bf16", 2},
                                           {"signed char", "int8", 1},
                                           {"unsigned char", "int8", 1},
                                           {"short", "int16", 2},
                                           {"int", "int32", 4},
                                           {"long int", "int64", 8},
                                           {"long", "int64", 8},
                                           {"bool", "int8", 1},
                                           {"c10::Float8_e4m3fn", "f8", 1},
                                           {"c10::Float8_e5m2", "f8", 1},
                                           {"c10::qint8", "int8", 1}}};

double bytes_of_type(std::string_view torch_type) {
    for (const TypeName& type : kTypes) {
        if (type.torch == torch_type) return type.bytes;
    }
    return 0.0;
}

double elements(const Shape& shape) {
    double n = 1.0;
    for (const double size : shape) n *= size;
    return n;
}

/// Operator without its library and in-place mark: "aten::add_" → "add".
std::string plain_name(const std::string& name) {
    std::string plain = name.substr(name.find("::") == std::string::npos ? 0 : name.find("::") + 2);
    while (!plain.empty() && plain.back() == '_') plain.pop_back();
    return plain;
}

struct Product {
    double batch = 1.0, m = 0.0, n = 0.0, k = 0.0;
    bool added = false;  ///< a third operand as large as the result is read
    std::size_t a = 0, b = 1;
};

std::optional<Product> product_of(const Operator& op) {
    const std::string name = plain_name(op.name);
    const auto& in = op.inputs;
    const bool with_addend = name == "addmm" || name == "baddbmm";
    Product p;
    p.added = with_addend;
    p.a = with_addend ? 1 : 0;
    p.b = p.a + 1;
    if (in.size() <= p.b) return std::nullopt;
    const Shape &a = in[p.a], &b = in[p.b];
    if (name == "mm" || name == "addmm" || name == "_int_mm" || name == "_scaled_mm") {
        if (a.size() != 2 || b.size() != 2 || a[1] != b[0]) return std::nullopt;
        p.m = a[0], p.k = a[1], p.n = b[1];
        return p;
    }
    if (name == "bmm" || name == "baddbmm") {
        if (a.size() != 3 || b.size() != 3 || a[2] != b[1] || a[0] != b[0]) return std::nullopt;
        p.batch = a[0], p.m = a[1], p.k = a[2], p.n = b[2];
        return p;
    }
    if (name == "linear") {
        if (a.empty() || b.size() != 2 || a.back() != b[1] || b[1] <= 0.0) return std::nullopt;
        p.m = elements(a) / a.back(), p.k = b[1], p.n = b[0];
        return p;
    }
    if (name == "matmul") {
        if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) return std::nullopt;
        p.m = a[a.size() - 2], p.k = a.back(), p.n = b.back();
        // Leading dimensions broadcast: an absent one, or one of 1, repeats.
        const std::size_t dims = std::max(a.size(), b.size()) - 2;
        for (std::size_t i = 0; i < dims; ++i) {
            const auto size = [&](const Shape& s) { return i + 2 < s.size() ? s[s.size() - 3 - i] : 1.0; };
            if (size(a) != size(b) && size(a) != 1.0 && size(b) != 1.0) return std::nullopt;
            p.batch *= std::max(size(a), size(b));
        }
        return p;
    }
    return std::nullopt;
}

struct Convolution {
    double results = 0.0, per_result = 0.0;
};

/// "[2, 1]" → 2, 1; one figure repeats for every dimension.
std::vector<double> list_from(const std::string& text) {
    std::vector<double> values;
    std::string digits;
    for (const char c : text + " ") {
        if ((c >= '0' && c <= '9') || c == '-') {
            digits += c;
        } else if (!digits.empty()) {
            values.push_back(std::strtod(digits.c_str(), nullptr));
            digits.clear();
        }
    }
    return values;
}

/// Input [N, C, H, W], weight [K, C/groups, R, S], bias; then stride, padding, dilation (as text). Needs
/// the arguments that are no tensors, since the result's size follows from them.
std::optional<Convolution> convolution_of(const Operator& op) {
    const std::string name = plain_name(op.name);
    const bool known = name == "conv1d" || name == "conv2d" || name == "conv3d" || name == "convolution" ||
                       name == "_convolution" || name == "cudnn_convolution" || name == "mkldnn_convolution";
    if (!known || op.inputs.size() < 2) return std::nullopt;
    const Shape &x = op.inputs[0], &w = op.inputs[1];
    if (x.size() < 3 || w.size() != x.size() || op.concrete.size() < 6) return std::nullopt;
    // cudnn and mkldnn put padding before stride.
    const bool padding_first = name == "cudnn_convolution" || name == "mkldnn_convolution";
    const std::size_t first = name == "cudnn_convolution" ? 2 : 3;
    const std::vector<double> one = list_from(op.concrete[first]), two = list_from(op.concrete[first + 1]),
                              dilation = list_from(op.concrete[first + 2]);
    const std::vector<double>&stride = padding_first ? two : one, &padding = padding_first ? one : two;
    Convolution c;
    c.results = x[0] * w[0];
    c.per_result = w[1];
    for (std::size_t d = 2; d < x.size(); ++d) {
        const auto of = [&](const std::vector<double>& list, double otherwise) {
            if (list.empty()) return otherwise;
            return d - 2 < list.size() ? list[d - 2] : list[0];
        };
        const double s = of(stride, 1.0), step = of(dilation, 1.0);
        if (s <= 0.0) return std::nullopt;
        const double span = x[d] + 2.0 * of(padding, 0.0) - step * (w[d] - 1.0) - 1.0;
        if (span < 0.0) return std::nullopt;
        c.results *= static_cast<double>(static_cast<long long>(span / s)) + 1.0;
        c.per_result *= w[d];
    }
    return c;
}

bool is_elementwise(const std::string& name) {
    constexpr std::array<std::string_view, 16> kNames{
        "add",  "sub", "mul", "div",  "relu",  "gelu", "sigmoid",   "tanh",
        "silu", "exp", "neg", "sqrt", "rsqrt", "pow",  "clamp_min", "maximum"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Broadcast result of an elementwise operator.
double elementwise_results(const Operator& op) {
    std::size_t dims = 0;
    for (const Shape& s : op.inputs) dims = std::max(dims, s.size());
    double n = dims > 0 ? 1.0 : 0.0;
    for (std::size_t i = 0; i < dims; ++i) {
        double size = 1.0;
        for (const Shape& s : op.inputs) {
            if (i < s.size()) size = std::max(size, s[s.size() - 1 - i]);
        }
        n *= size;
    }
    return n;
}

std::optional<double> results_of(const Operator& op) {
    if (const auto p = product_of(op)) return p->batch * p->m * p->n;
    if (const auto c = convolution_of(op)) return c->results;
    if (is_elementwise(plain_name(op.name))) {
        const double n = elementwise_results(op);
        if (n > 0.0) return n;
    }
    return std::nullopt;
}

}  // namespace

std::optional<double> flops_by_shape(const Operator& op) {
    if (const auto p = product_of(op)) return 2.0 * p->batch * p->m * p->n * p->k;
    if (const auto c = convolution_of(op)) return 2.0 * c->results * c->per_result;
    return results_of(op);
}

std::optional<double> bytes_by_shape(const Operator& op) {
    const std::optional<double> results = results_of(op);
    if (!results) return std::nullopt;
    double bytes = 0.0, widest = 0.0;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const double size = i < op.types.size() ? bytes_of_type(op.types[i]) : 0.0;
        if (op.inputs[i].empty()) continue;
        if (size == 0.0) return std::nullopt;
        bytes += size * elements(op.inputs[i]);
        widest = std::max(widest, size);
    }
    return widest > 0.0 ? std::optional(bytes + widest * *results) : std::nullopt;
}

std::string type_name(std::string_view torch_type) {
    for (const TypeName& type : kTypes) {
        if (type.torch == torch_type) return std::string(type.ours);
    }
    return "";
}

std::string shapes_text(const Operator& op) {
    std::string text;
    for (const Shape& shape : op.inputs) {
        if (shape.empty()) continue;
        if (!text.empty()) text += " · ";
        for (std::size_t i = 0; i < shape.size(); ++i) {
            char size[32];
            std::snprintf(size, sizeof size, "%s%.0f", i > 0 ? "×" : "", shape[i]);
            text += size;
        }
    }
    return text;
}

}  // namespace rooftune::imports
