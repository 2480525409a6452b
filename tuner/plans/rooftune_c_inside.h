// What the functions for C are made of.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <variant>

#include "tuner/plans/rooftune.h"
#include "tuner/plans/rooftune_c.h"

struct rooftune_tuned {
    rooftune::Tuned tuned;
};

struct rooftune_plan {
    std::variant<rooftune::SpmvPlan<double>, rooftune::SpmvPlan<float>, rooftune::MatmulPlan<double>,
                 rooftune::MatmulPlan<float>, rooftune::StencilPlan<double>, rooftune::StencilPlan<float>>
        plan;
};

namespace rooftune {

/// What rooftune_error() says from now on in this thread.
void remember_error(std::string_view text);
void forget_error();

/// Calls `act`, which returns a status; an exception becomes one.
template <typename Act>
int guarded(Act&& act) {
    forget_error();
    try {
        return act();
    } catch (const InputError& e) {
        remember_error(e.what());
        return ROOFTUNE_BAD_INPUT;
    } catch (const std::bad_alloc&) {
        remember_error("out of memory; take a smaller problem");
    } catch (const std::exception& e) {
        remember_error(e.what());
    } catch (...) {
        // What a callback in C++ throws may be anything.
        remember_error("something was thrown that is no std::exception; see what the callback throws");
    }
    return ROOFTUNE_BAD_ENVIRONMENT;
}

/// A plan of what `make` returns; nullptr when it throws.
template <typename Make>
rooftune_plan* planned(const rooftune_tuned* tuned, int threads, Make&& make) {
    rooftune_plan* made = nullptr;
    guarded([&] {
        PlanOptions options;
        options.threads = threads;
        made = new rooftune_plan{make(tuned ? tuned->tuned : Tuned(), options)};
        return ROOFTUNE_OK;
    });
    return made;
}

/// The bytes that `ask` tells of a plan that is not made; 0 when it throws.
template <typename Ask>
std::size_t bytes_of_plan(const rooftune_tuned* tuned, int threads, Ask&& ask) {
    std::size_t bytes = 0;
    guarded([&] {
        PlanOptions options;
        options.threads = threads;
        bytes = ask(tuned ? tuned->tuned : Tuned(), options);
        return ROOFTUNE_OK;
    });
    return bytes;
}

/// Hands the plan, if it is of this kind, to `act`.
template <typename Plan, typename Act>
int with(rooftune_plan* plan, const char* kind, Act&& act) {
    return guarded([&] {
        Plan* of_kind = plan ? std::get_if<Plan>(&plan->plan) : nullptr;
        if (!of_kind)
            throw InputError(std::string("this is no ") + kind + " plan; make one and hand it here");
        act(*of_kind);
        return ROOFTUNE_OK;
    });
}

/// What an executor in C is to the library.
class CExecutor {
public:
    CExecutor(rooftune_executor executor, void* data) : executor_(executor), data_(data) {
        if (executor == nullptr)
            throw InputError("the executor is a null pointer; hand over a function, or run the plan without");
    }
    void operator()(int n, PlanPart part) const {
        executor_(
            data_, n, [](void* context, int i) { (*static_cast<const PlanPart*>(context))(i); }, &part);
    }

private:
    rooftune_executor executor_;
    void* data_;
};

}  // namespace rooftune
