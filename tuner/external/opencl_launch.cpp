#include "tuner/external/opencl_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/elements.h"
#include "tuner/external/variant_build.h"

namespace rooftune::external {
namespace {

struct Scalar {
    std::string_view name;  // as OpenCL C has it
    std::size_t bytes;
    bool whole;
    double least, most;
};
constexpr double kMostLong = 9223372036854774784.0, kMostUlong = 18446744073709549568.0;
constexpr std::array<Scalar, 17> kScalars{
    {{"char", 1, true, -128, 127},
     {"uchar", 1, true, 0, 255},
     {"unsigned char", 1, true, 0, 255},
     {"short", 2, true, -32768, 32767},
     {"ushort", 2, true, 0, 65535},
     {"unsigned short", 2, true, 0, 65535},
     {"int", 4, true, -2147483648.0, 2147483647.0},
     {"uint", 4, true, 0, 4294967295.0},
     {"unsigned int", 4, true, 0, 4294967295.0},
     {"long", 8, true, -kMostLong, kMostLong},
     {"ulong", 8, true, 0, kMostUlong},
     {"unsigned long", 8, true, 0, kMostUlong},
     {"long long", 8, true, -kMostLong, kMostLong},
     {"half", 2, false, -65504, 65504},
     {"float", 4, false, -3.4028234e38, 3.4028234e38},
     {"double", 8, false, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()},
     {"size_t", 8, true, 0, kMostUlong}}};

const Scalar* scalar_named(std::string_view type) {
    for (const Scalar& s : kScalars) {
        if (s.name == type) return &s;
    }
    return nullptr;
}

template <typename T>
void put(opencl::Kernel& kernel, int at, double value) {
    kernel.set(at, static_cast<T>(value));
}

void put(opencl::Kernel& kernel, int at, const Scalar& type, double value) {
    if (!type.whole) {
        if (type.bytes == 8) return put<double>(kernel, at, value);
        if (type.bytes == 4) return put<float>(kernel, at, value);
        return kernel.set(at, half_from_double(value));
    }
    const bool sign = type.least < 0;
    switch (type.bytes) {
        case 1:
            return sign ? put<std::int8_t>(kernel, at, value) : put<std::uint8_t>(kernel, at, value);
        case 2:
            return sign ? put<std::int16_t>(kernel, at, value) : put<std::uint16_t>(kernel, at, value);
        case 4:
            return sign ? put<std::int32_t>(kernel, at, value) : put<std::uint32_t>(kernel, at, value);
        default:
            return sign ? put<std::int64_t>(kernel, at, value) : put<std::uint64_t>(kernel, at, value);
    }
}

enum class Use { variant, reference };

// Flags by which arithmetic is another one than the source has.
bool changes_answers(const std::string& flag) {
    constexpr std::array<std::string_view, 7> kFlags{"-cl-single-precision-constant",
                                                     "-cl-fast-relaxed-math",
                                                     "-cl-unsafe-math-optimizations",
                                                     "-cl-mad-enable",
                                                     "-cl-finite-math-only",
                                                     "-cl-denorms-are-zero",
                                                     "-cl-no-signed-zeros"};
    return std::find(kFlags.begin(), kFlags.end(), flag) != kFlags.end();
}

// One kernel with one call of it.
class Launcher {
public:
    Launcher(opencl::Context& context, const Instance& instance, const Space& space, const Variant& variant)
        : context_(context), instance_(instance), space_(space), variant_(variant) {}

    OpenclLaunch launch(const Text& text, const std::vector<opencl::Buffer>& buffers, Use use) {
        const OpenclCall call = opencl_call(instance_.declaration, text);
        OpenclLaunch l;
        l.kernel = built(call, use, true);
        auto told = context_.arguments_of(l.kernel);
        if (!told) {  // of a binary from the cache some devices do not tell
            l.kernel = built(call, use, false);
            told = context_.arguments_of(l.kernel);
        }
        if (!told)
            fail(call.kernel, "the device does not tell what arguments a kernel has, and they are needed");
        if (told->size() != call.arguments.size())
            fail(call.kernel, fmt::format("the call gives {} arguments, and the kernel {} has {}",
                                          call.arguments.size(), call.kernel.text, told->size()));
        double local_bytes = 0.0;
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
            set(l.kernel, static_cast<int>(i), call.arguments[i], (*told)[i], buffers, local_bytes);
        const double most = context_.device().local_memory.value;
        if (local_bytes > most)
            throw VariantError(VariantError::Kind::resources,
                               fmt::format("it wants {:.0f} bytes of local memory and the device has {:.0f}",
                                           local_bytes, most));
        return l;
    }

    opencl::Range range(const std::vector<Text>& global, const std::vector<Text>& local) {
        opencl::Range r;
        r.any_local = local.empty();
        for (std::size_t i = 0; i < global.size(); ++i) {
            const std::size_t all = items(global[i]);
            const std::size_t group = local.empty() ? 1 : items(local[i]);
            if (group == 0) fail(local[i], "'" + local[i].text + "' is 0, and a work-group has one item");
            r.local[i] = group;
            r.global[i] = (all + group - 1) / group * group;
        }
        return r;
    }

private:
    [[noreturn]] void fail(const Text& at, const std::string& what) const {
        throw VariantError(VariantError::Kind::build, place_of(instance_.declaration.file, at) + " " + what);
    }

    double value(const Text& text) const {
        return expression_from(space_, instance_.numbers, text.text,
                               place_of(instance_.declaration.file, text))
            .value(variant_);
    }

    std::size_t items(const Text& text) const {
        const double v = value(text);
        constexpr double kMost = 1e15;
        if (!(v >= 0.0) || v > kMost)
            fail(text, fmt::format("'{}' is {:.10g}, and a number of work items is needed", text.text, v));
        return static_cast<std::size_t>(std::ceil(v));
    }

    opencl::Kernel built(const OpenclCall& call, Use use, bool use_cache) {
        std::string options = "-cl-kernel-arg-info";
        if (!instance_.included.empty()) {
            const std::string folder = std::filesystem::path(instance_.path).parent_path().string();
            if (folder.find_first_of(" \t\"'") != std::string::npos)
                fail(call.kernel, "it includes a file beside it, and the name of its folder, " + folder +
                                      ", has blanks or quotes, which options of OpenCL cannot hold; move it");
            options += " -I " + folder;
        }
        for (const std::string& flag : flags_of(instance_, space_, variant_)) {
            if (flag.starts_with("-D") && is_parameter(flag) && !is_option(flag)) continue;
            if (use == Use::reference && changes_answers(flag)) continue;
            options += " " + flag;
            // What lies there may change, and is not part of what a binary is known by.
            use_cache = use_cache && !flag.starts_with("-I");
        }
        try {
            return context_.kernel(source(use), options, call.kernel.text, use_cache);
        } catch (const VariantError& error) {
            throw VariantError(error.kind, with_own_name(error.what()));
        }
    }

    // What no option can say stands before the text, whose lines keep their numbers for devices that count by
    // `#line`; PoCL does not.
    std::string source(Use use) const {
        std::string before;
        if (use == Use::reference) before += "#pragma OPENCL FP_CONTRACT OFF\n";
        for (const std::string& flag : flags_of(instance_, space_, variant_)) {
            if (!flag.starts_with("-D") || !is_parameter(flag) || is_option(flag)) continue;
            const std::size_t equals = flag.find('=');
            before += "#define " + flag.substr(2, equals - 2) + " " + flag.substr(equals + 1) + "\n";
        }
        if (!before.empty()) before += "#line 1\n";
        // Devices keep what they built by its text: a change of what it includes must be one of it.
        const std::string behind = instance_.included.empty() ? "" : "\n// " + instance_.included + "\n";
        return before + instance_.source + behind;
    }

    // Compilers name the file that the text was put into.
    std::string with_own_name(std::string message) const {
        for (const std::string_view name : {"tempfile_", "<stdin>", "<kernel>"}) {
            for (std::size_t at = message.find(name); at != std::string::npos; at = message.find(name, at)) {
                const std::size_t before = message.find_last_of(" \n\"", at);
                const std::size_t begin = before == std::string::npos ? 0 : before + 1;
                const std::size_t end = std::min(message.find_first_of(": \n", at), message.size());
                message.replace(begin, end - begin, instance_.declaration.file);
                at = begin + instance_.declaration.file.size();
            }
        }
        return message;
    }

    /// Whether it is one word for every device.
    static bool is_option(const std::string& flag) {
        return flag.find_first_of(" \t\"'\\()") == std::string::npos;
    }

    bool is_parameter(const std::string& flag) const {
        const DeclaredParameter* p = instance_.declaration.parameter(flag.substr(2, flag.find('=') - 2));
        return p && p->kind == ParameterKind::macro;
    }

    void set(opencl::Kernel& kernel, int at, const OpenclArgument& argument,
             const opencl::KernelArgument& told, const std::vector<opencl::Buffer>& buffers,
             double& local_bytes) {
        const auto is_another = [&](const char* given) {
            fail(argument.text, fmt::format("argument {} of the kernel is {}, and the call gives {}", at + 1,
                                            told.type, given));
        };
        switch (argument.kind) {
            case OpenclArgument::Kind::array:
                if (!told.in_buffer) is_another("an array");
                check_element(argument, at, told);
                return kernel.set(at, buffers[argument.array]);
            case OpenclArgument::Kind::local_memory: {
                if (!told.in_local_memory) is_another("local memory");
                const double bytes = static_cast<double>(items(argument.text)) *
                                     static_cast<double>(bytes_of(argument.element));
                local_bytes += bytes;
                if (local_bytes > context_.device().local_memory.value) return;  // refused by the caller
                return kernel.set_local(at, std::max<std::size_t>(1, static_cast<std::size_t>(bytes)));
            }
            case OpenclArgument::Kind::number:
                if (told.in_buffer || told.in_local_memory) is_another("a number");
                return set_number(kernel, at, argument, told);
        }
    }

    // An array of other elements than are declared would be filled, judged and bounded as what it is not.
    void check_element(const OpenclArgument& argument, int at, const opencl::KernelArgument& told) const {
        std::string type = told.type;
        while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.pop_back();
        const Scalar* scalar = scalar_named(meaning_of(type));
        while (!scalar && !type.empty() && std::isdigit(static_cast<unsigned char>(type.back()))) {
            type.pop_back();  // of a vector the elements
            scalar = scalar_named(type);
        }
        const Element declared = instance_.declaration.arrays[argument.array].element;
        if (scalar && scalar->bytes != bytes_of(declared))
            fail(argument.text,
                 fmt::format("argument {} of the kernel is {}, and the array {} has elements of {}", at + 1,
                             told.type, argument.text.text, to_text(declared)));
    }

    void set_number(opencl::Kernel& kernel, int at, const OpenclArgument& argument,
                    const opencl::KernelArgument& told) {
        const double v = value(argument.text);
        if (!std::isfinite(v))
            fail(argument.text, "'" + argument.text.text + "' has no value for this variant");
        // Not every device objects to an argument of another size: what is not known is not tried.
        const Scalar* type = scalar_named(meaning_of(told.type));
        if (type == nullptr)
            fail(argument.text,
                 fmt::format("argument {} of the kernel has the type {}, and a number is given in those of "
                             "OpenCL C: char, short, int, long, with a u before them, half, float, double",
                             at + 1, told.type));
        if ((type->whole && v != std::floor(v)) || v < type->least || v > type->most)
            fail(argument.text,
                 fmt::format("'{}' is {:.17g}, which {} cannot hold", argument.text.text, v, told.type));
        put(kernel, at, *type, v);
    }

    // What a name of the source's own stands for: devices tell the name.
    std::string meaning_of(std::string type) const {
        constexpr int kMostSteps = 8;
        for (int step = 0; step < kMostSteps && !scalar_named(type); ++step) {
            const std::string meant = typedef_of(type);
            if (meant.empty()) break;
            type = meant;
        }
        return type;
    }

    // "typedef unsigned int name;" without a name of its own in between; empty: the source has none.
    std::string typedef_of(const std::string& name) const {
        const std::string& text = instance_.source;
        constexpr std::string_view kWord = "typedef";
        for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
            const std::size_t end = text.find(';', at);
            if (end == std::string::npos) break;
            std::istringstream words(text.substr(at + kWord.size(), end - at - kWord.size()));
            std::string type, last;
            for (std::string word; words >> word; last = word)
                type += (type.empty() || last.empty() ? "" : " ") + last;
            if (last == name) return type;
        }
        return "";
    }

    opencl::Context& context_;
    const Instance& instance_;
    const Space& space_;
    const Variant& variant_;
};

}  // namespace

namespace {

void check_items(const opencl::Context& context, const OpenclLaunch& l) {
    if (l.range.any_local) return;
    std::size_t items = 1;
    for (const std::size_t n : l.range.local) items *= n;
    if (const std::size_t most = context.most_items(l.kernel); items > most)
        throw VariantError(
            VariantError::Kind::resources,
            fmt::format("a work-group has {} items, and the device takes {} of this kernel", items, most));
}

}  // namespace

OpenclLaunch opencl_launch(opencl::Context& context, const Instance& instance, const Space& space,
                           const Variant& variant, const std::vector<opencl::Buffer>& buffers) {
    const Declaration& d = instance.declaration;
    Launcher launcher(context, instance, space, variant);
    OpenclLaunch l = launcher.launch(d.call, buffers, Use::variant);
    l.range = launcher.range(d.global, d.local);
    check_items(context, l);
    return l;
}

OpenclLaunch opencl_reference(opencl::Context& context, const Instance& instance, const Space& space,
                              const Variant& first, const std::vector<opencl::Buffer>& buffers) {
    const Declaration& d = instance.declaration;
    Launcher launcher(context, instance, space, first);
    if (!d.reference) {
        OpenclLaunch l = launcher.launch(d.call, buffers, Use::reference);
        l.range = launcher.range(d.global, d.local);
        check_items(context, l);
        return l;
    }
    OpenclLaunch l = launcher.launch(*d.reference, buffers, Use::reference);
    const std::vector<Text> over = opencl_call(d, *d.reference).over;
    l.range = launcher.range(over, {});
    if (over.empty()) l.range.any_local = false;
    return l;
}

}  // namespace rooftune::external
