#include "tuner/plans/wrong_use.h"

#include <cstdint>
#include <string>

namespace rooftune {

void check_given(const void* array, std::size_t bytes, std::string_view what) {
    if (array == nullptr && bytes > 0)
        throw InputError(std::string(what) + " is a null pointer; hand over an array of " +
                         std::to_string(bytes) + " bytes");
}

void refuse_overlap(std::string_view what) {
    throw InputError(std::string(what) + " overlap, and what is written would be read; hand over two arrays");
}

void check_apart(const void* read, std::size_t read_bytes, const void* written, std::size_t written_bytes,
                 std::string_view what) {
    if (read_bytes == 0 || written_bytes == 0) return;
    const auto r = reinterpret_cast<std::uintptr_t>(read), w = reinterpret_cast<std::uintptr_t>(written);
    if (r < w + written_bytes && w < r + read_bytes) refuse_overlap(what);
}

std::shared_ptr<Workers> workers_of(const PlanOptions& options) {
    if (!options.workers) return Workers::shared(options.threads);
    if (options.threads != 0 && options.threads != options.workers->size())
        throw InputError(
            "plans: " + std::to_string(options.threads) + " threads were asked for beside workers of " +
            std::to_string(options.workers->size()) + "; leave threads at 0, or make such workers");
    return options.workers;
}

}  // namespace rooftune
