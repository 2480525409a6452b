// Plans beside oneTBB: its limits and its arenas hold for its own threads, and plans have theirs. Tasks may
// run plans; runs of plans that share threads follow each other, and a plan of one thread waits for nobody.
//
//   arenas [FOLDER OF TUNED CONFIGS]
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

#include "laplacian.h"
#include "masks.h"
#include "show.h"

namespace {

constexpr int kSide = 200;
constexpr int kTasks = 8;

int run_in_arenas(const char* folder) {
    const rooftune::Tuned tuned = load_and_tell(folder);
    const rooftune::SparseMatrix matrix = laplacian(kSide);
    std::atomic<int> wrong{0};
    // oneTBB's threads start with its first tasks.
    tbb::parallel_for(0, 1000, [](int) {});
    const Masks masks = masks_now();
    {
        const tbb::global_control to_one_thread(tbb::global_control::max_allowed_parallelism, 1);
        rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, matrix);
        show(plan.choice());
        if (!answers(plan, kSide)) ++wrong;
    }
    rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, matrix);
    show(plan.choice());
    for (const int threads : {1, 2}) {
        tbb::task_arena arena(threads);
        arena.execute([&] {
            tbb::parallel_for(0, kTasks, [&](int) {
                if (!answers(plan, kSide)) ++wrong;
            });
        });
    }
    rooftune::PlanOptions alone;
    alone.threads = 1;
    show(rooftune::spmv_plan<double>(tuned, matrix, alone).choice());
    tbb::parallel_for(0, kTasks, [&](int) {
        rooftune::SpmvPlan<double> own = rooftune::spmv_plan<double>(tuned, matrix, alone);
        if (!answers(own, kSide)) ++wrong;
    });
    const bool left_alone = tell_masks(masks), right = wrong == 0;
    std::printf("%s\n", right ? "as it must be" : "WRONG");
    return right && left_alone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return run_in_arenas(argc > 1 ? argv[1] : nullptr); });
}
