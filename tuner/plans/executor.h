// A plan on threads of the program's own: its OpenMP region, its arena of oneTBB, its pool.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>

namespace rooftune {

/// What an executor calls: part(i) does the share i of a plan's work.
class PlanPart {
public:
    PlanPart(void (*body)(void* context, int i), void* context) : body_(body), context_(context) {}
    void operator()(int i) const { body_(context_, i); }

private:
    void (*body_)(void*, int);
    void* context_;
};

/// executor(n, part) calls part(i) once for each i of 0 … n−1 and returns when all are done: at once, a few
/// at a time or one after the other, on any threads. It is called once a run or several times (for each
/// sweep of a stencil over its grid, for each packed block of a product), with n at most the plan's
/// choice().threads (new values and several vectors: the threads of its workers, and once or more for each
/// sixteen of them); not at all where one thread does everything.
/// The plan cannot see whether all are done: an executor that returns while a part still runs, or is still
/// queued, has it work on the next run's data, or on none that there is any more.
///
///   plan.run([](int n, auto part) {
///   #pragma omp parallel for num_threads(n) schedule(static, 1)
///       for (int i = 0; i < n; ++i) part(i);
///   }, x, y);
template <typename Executor>
concept PlanExecutor = std::invocable<Executor&, int, PlanPart>;

/// An executor as it goes into the library.
class PlanExecution {
public:
    using Call = void (*)(void* executor, int n, PlanPart part);

    PlanExecution(Call call, void* executor) : call_(call), executor_(executor) {}
    template <PlanExecutor Executor>
    static PlanExecution by(Executor& executor) {
        if constexpr (std::is_function_v<Executor>) {
            return {[](void* it, int n, PlanPart part) { reinterpret_cast<Executor*>(it)(n, part); },
                    reinterpret_cast<void*>(&executor)};
        } else {
            return of_object(executor);
        }
    }

    void operator()(int n, PlanPart part) const { call_(executor_, n, part); }

private:
    template <typename Executor>
    static PlanExecution of_object(Executor& executor) {
        return {[](void* it, int n, PlanPart part) { (*static_cast<Executor*>(it))(n, part); },
                const_cast<void*>(static_cast<const void*>(std::addressof(executor)))};
    }

    Call call_;
    void* executor_;
};

}  // namespace rooftune
