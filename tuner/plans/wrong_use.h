// What a program may do wrong with a plan, told at the call where that is cheap to see. For plans.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/workers.h"

namespace rooftune {

/// What a plan holds. Throws InputError for one that was moved away.
template <typename Inside>
Inside& held(const std::unique_ptr<Inside>& inside) {
    if (!inside) throw InputError("this plan was moved to another one, which has what it held; call that");
    return *inside;
}

/// Throws InputError for a null pointer to an array that has elements. `what`: "spmv: x".
void check_given(const void* array, std::size_t bytes, std::string_view what);

/// Throws the InputError for an array that is written and lies over one that is read. `what`: "spmv: x and
/// y".
[[noreturn]] void refuse_overlap(std::string_view what);

/// The same where these two do.
void check_apart(const void* read, std::size_t read_bytes, const void* written, std::size_t written_bytes,
                 std::string_view what);

/// The workers that a plan is to have. Throws InputError where `threads` says another number than there are
/// of `workers`, and what Workers::shared() throws.
std::shared_ptr<Workers> workers_of(const PlanOptions& options);

}  // namespace rooftune
