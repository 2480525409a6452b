#include "tuner/external/function_hash.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <typeinfo>

#include "tuner/base/text_file.h"
#include "tuner/base/text_hash.h"

namespace rooftune::external {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";
// Reading a larger one would take longer than many a tune.
constexpr std::size_t kMostHashed = std::size_t{256} << 20;

struct Place {
    std::string object;  ///< the file
    std::uintptr_t offset = 0;
};

std::optional<Place> place_in_object(const void* address) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
        return std::nullopt;
    // The program itself has no name there.
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    return Place{is_program ? kThisProgram : map->l_name,
                 reinterpret_cast<std::uintptr_t>(address) - static_cast<std::uintptr_t>(map->l_addr)};
}

template <typename Pointer, typename Function>
const void* code_behind(const Function& function) {
    const Pointer* const pointer = function.template target<Pointer>();
    return pointer == nullptr ? nullptr : reinterpret_cast<const void*>(*pointer);
}

// Where the code is that a function was given as a pointer to; null where it was given as something else,
// whose type is its own.
template <typename Result, typename... Arguments>
const void* code_of(const std::function<Result(Arguments...)>& function) {
    const void* const may_throw = code_behind<Result (*)(Arguments...)>(function);
    return may_throw != nullptr ? may_throw : code_behind<Result (*)(Arguments...) noexcept>(function);
}

class FunctionHash {
public:
    FunctionHash() { add_file(kThisProgram); }

    template <typename Function>
    void add(const Function& function) {
        const std::type_info& type = function.target_type();
        hash_.add(type.name());
        if (!function) return;
        const void* const code = code_of(function);
        // A type's description is in the object that has its code; a pointer's may be in any.
        const std::optional<Place> place = place_in_object(code != nullptr ? code : &type);
        if (!place) return;
        add_file(place->object);
        if (code != nullptr) hash_.add(std::to_string(place->offset));
    }

    std::string text() const { return hash_.text(); }

private:
    void add_file(const std::string& path) {
        if (!added_.insert(path).second) return;
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(path, error);
        if (!error && bytes <= kMostHashed) {
            hash_.add(read_text_file(path, kMostHashed));
            return;
        }
        hash_.add(std::to_string(bytes));
        const auto changed = std::filesystem::last_write_time(path, error);
        hash_.add(std::to_string(changed.time_since_epoch().count()));
    }

    TextHash hash_;
    std::set<std::string> added_;
};

}  // namespace

std::string hash_of(const Functions& functions) {
    FunctionHash hash;
    hash.add(functions.prepare);
    hash.add(functions.run);
    if (const PlainCheck* const plain = functions.check.target<PlainCheck>())
        hash.add(plain->own);
    else
        hash.add(functions.check);
    return hash.text();
}

}  // namespace rooftune::external
