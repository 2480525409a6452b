// Plans in a program with threads of its own: one plan that all of them run, whose runs follow each other; a
// plan of one thread for each, which run side by side; and one that a thread makes that is bound to a single
// processing unit, and stays there.
//
//   threads [FOLDER OF TUNED CONFIGS]
#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "laplacian.h"
#include "masks.h"
#include "show.h"

namespace {

constexpr int kSide = 200;
constexpr int kThreads = 4;

/// Runs it on so many threads at once, each with its number, and waits for all.
void on_threads(const std::function<void(int)>& act) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(act, t);
    for (std::thread& thread : threads) thread.join();
}

/// Binds the thread that calls to the processing unit that it is on.
bool stay_here() {
    const int cpu = sched_getcpu();
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<std::size_t>(cpu), &here);
    return sched_setaffinity(0, sizeof here, &here) == 0;
}

int run_on_threads(const char* folder) {
    const rooftune::Tuned tuned = load_and_tell(folder);
    const rooftune::SparseMatrix matrix = laplacian(kSide);
    const Masks masks = masks_now();
    std::atomic<int> wrong{0};
    {
        rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, matrix);
        show(plan.choice());
        on_threads([&](int) {
            for (int run = 0; run < 5; ++run)
                if (!answers(plan, kSide)) ++wrong;
        });
    }
    on_threads([&](int thread) {
        rooftune::PlanOptions alone;
        alone.threads = 1;
        rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, matrix, alone);
        if (thread == 0) show(plan.choice());
        if (!answers(plan, kSide)) ++wrong;
    });
    bool stayed = true;
    std::thread([&] {
        if (!stay_here()) std::printf("WRONG: a thread could not be bound\n");
        const Masks bound = masks_now();
        rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, matrix);
        show(plan.choice());
        if (!answers(plan, kSide)) ++wrong;
        stayed = tell_masks(bound);
    }).join();
    const bool left_alone = tell_masks(masks) && stayed, right = wrong == 0;
    std::printf("%s\n", right ? "as it must be" : "WRONG");
    return right && left_alone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return run_on_threads(argc > 1 ? argv[1] : nullptr); });
}
