#include "tuner/external/variant_build.h"

#include <dlfcn.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/external/declared_space.h"

namespace rooftune::external {
namespace {

void add_macros(const Instance& instance, const Space& space, const Variant& variant,
                std::vector<std::string>& flags) {
    for (const DeclaredParameter& p : instance.declaration.parameters) {
        if (p.kind != ParameterKind::macro) continue;
        if (const std::string* value = value_of(instance.declaration, p, space, variant))
            flags.push_back("-D" + p.name.text + "=" + *value);
    }
}

Compilation compilation(const Instance& instance, const std::string& compiler, std::vector<std::string> flags,
                        const Text& call) {
    Compilation what;
    what.compiler = compiler;
    what.flags = std::move(flags);
    // Its own functions are meant by its calls, whatever this process has of the same name.
    what.flags.push_back("-Wl,-Bsymbolic");
    // A function that is nowhere is found when it is linked, and not when it is first called.
    what.flags.push_back("-Wl,--no-undefined");
    what.source = wrapped_source(instance, call);
    what.language = instance.declaration.language;
    if (!instance.path.empty())
        what.include_folder = std::filesystem::path(instance.path).parent_path().string();
    what.included = instance.included;
    return what;
}

}  // namespace

bool uses_openmp(const Instance& instance) {
    const auto has = [&](const char* word) { return instance.source.find(word) != std::string::npos; };
    return has("#pragma omp") || has("<omp.h>") || (has("_Pragma") && has("omp "));
}

std::vector<std::string> usual_flags(const Instance& instance) {
    if (instance.declaration.language == Language::opencl) return {};
    std::vector<std::string> flags{"-O3", "-march=native"};
    if (uses_openmp(instance)) flags.emplace_back("-fopenmp");
    return flags;
}

std::vector<std::string> common_flags(const Instance& instance) {
    const Declaration& d = instance.declaration;
    if (d.flags.empty()) return usual_flags(instance);
    std::vector<std::string> flags;
    for (const Text& word : d.flags) flags.push_back(word.text);
    return flags;
}

std::vector<std::string> flags_of(const Instance& instance, const Space& space, const Variant& variant) {
    std::vector<std::string> flags = common_flags(instance);
    add_macros(instance, space, variant, flags);
    for (const DeclaredParameter& p : instance.declaration.parameters) {
        if (p.kind != ParameterKind::flag) continue;
        const std::string* value = value_of(instance.declaration, p, space, variant);
        if (!value || value->find_first_not_of(' ') == std::string::npos) continue;
        const std::vector<std::string> words =
            command_words(*value, place_of(instance.declaration.file, p.name) + " " + p.name.text);
        flags.insert(flags.end(), words.begin(), words.end());
    }
    return flags;
}

std::vector<std::string> flags_from_anywhere(const std::vector<std::string>& flags,
                                             const std::string& folder) {
    namespace fs = std::filesystem;
    // Longer ones first: of -isystem the folder is not "system".
    constexpr std::array<std::string_view, 6> kOfFolders{"-idirafter", "-isystem", "-iquote",
                                                         "-I",         "-L",       "-B"};
    constexpr std::array<std::string_view, 2> kOfFiles{"-include", "-imacros"};
    const auto whole = [&](const std::string& path) {
        return (fs::path(folder) / path).lexically_normal().string();
    };
    // The compiler looks for such a file in other places too.
    const auto if_there = [&](const std::string& path) {
        std::error_code none;
        return !path.empty() && fs::exists(whole(path), none) ? whole(path) : path;
    };
    std::vector<std::string> all;
    bool is_folder_next = false, is_file_next = false;
    for (const std::string& flag : flags) {
        const auto starts = [&](std::string_view option) { return flag.starts_with(option); };
        const auto option = std::find_if(kOfFolders.begin(), kOfFolders.end(), starts);
        std::string word = flag;
        const bool is_file = is_file_next || !flag.starts_with('-');
        if (is_folder_next) {
            word = whole(flag);
        } else if (is_file) {
            word = if_there(flag);
        } else if (option != kOfFolders.end() && flag.size() > option->size()) {
            // A '=' stands for the folder of the system's headers.
            const std::string path = flag.substr(option->size());
            if (!path.starts_with('=')) word = std::string(*option) + whole(path);
        }
        is_folder_next = !is_folder_next && !is_file_next &&
                         std::find(kOfFolders.begin(), kOfFolders.end(), flag) != kOfFolders.end();
        is_file_next = !is_folder_next && !is_file &&
                       std::find(kOfFiles.begin(), kOfFiles.end(), flag) != kOfFiles.end();
        all.push_back(std::move(word));
    }
    return all;
}

std::string compiler_of(const Instance& instance, const Space& space, const Variant& variant) {
    for (const DeclaredParameter& p : instance.declaration.parameters) {
        if (p.kind != ParameterKind::compiler) continue;
        if (const std::string* value = value_of(instance.declaration, p, space, variant)) return *value;
    }
    return compiler_for(instance.declaration);
}

Compilation compilation_of(const Instance& instance, const Space& space, const Variant& variant) {
    return compilation(instance, compiler_of(instance, space, variant), flags_of(instance, space, variant),
                       instance.declaration.call);
}

Compilation reference_compilation(const Instance& instance, const Space& space, const Variant& first) {
    const Declaration& d = instance.declaration;
    std::vector<std::string> flags = flags_of(instance, space, first);
    // Behind the user's, so that these hold.
    flags.insert(flags.end(), {"-O2", "-fno-fast-math", "-ffp-contract=off"});
    return compilation(instance, compiler_for(d), std::move(flags), d.reference ? *d.reference : d.call);
}

std::vector<double> numbers_of(const Instance& instance, const Space& space, const Variant& variant) {
    std::vector<double> numbers;
    for (const Argument& a : arguments_of(instance.declaration)) {
        const auto known = instance.numbers.find(a.name);
        const int parameter = space.find(a.name);
        numbers.push_back(known != instance.numbers.end() ? known->second
                                                          : space.real(variant, parameter, 0.0));
    }
    return numbers;
}

namespace {

// What -ffast-math links into an object sets the processor to flush denormals to zero as soon as it is
// loaded, and for good: the next variant would be judged and timed by another arithmetic.
void* opened(const std::string& object) {
#ifdef __SSE__
    const unsigned int before = _mm_getcsr();
#endif
    void* const handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
#ifdef __SSE__
    _mm_setcsr(before);
#endif
    return handle;
}

}  // namespace

Loaded::Loaded(const std::string& object) : handle_(opened(object)) {
    if (handle_ == nullptr) {
        const char* const why = dlerror();
        throw VariantError(VariantError::Kind::build, std::string("it cannot be loaded: ") +
                                                          (why ? why : "for a reason that is not told"));
    }
    entry_ = reinterpret_cast<Entry>(dlsym(handle_, kEntry));
    set_threads_ = reinterpret_cast<void (*)(int)>(dlsym(handle_, "omp_set_num_threads"));
    if (entry_ == nullptr) {
        dlclose(handle_);
        throw VariantError(VariantError::Kind::build, "what was compiled lacks its entry");
    }
}

Loaded::~Loaded() {
    dlclose(handle_);
}

void Loaded::use_threads(int threads) const {
    if (set_threads_) set_threads_(threads);
}

}  // namespace rooftune::external
