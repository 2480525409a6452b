// Plans in a program that forks: a child has none of its parent's threads, so it makes plans of its own,
// whether the parent has had none yet, has one, or has none any more.
//
//   children [FOLDER OF TUNED CONFIGS]
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "laplacian.h"
#include "masks.h"
#include "show.h"

namespace {

constexpr int kSide = 200;

/// Runs it in a child of fork(); whether it returned true there, without being killed after 30 s.
template <typename IsRight>
bool in_a_child(IsRight&& is_right) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        const int status = end_well([&] { return is_right() ? 0 : 1; });
        std::fflush(nullptr);
        _exit(status);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool makes_its_own(const rooftune::Tuned& tuned) {
    const Masks masks = masks_now();
    rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, laplacian(kSide));
    show(plan.choice());
    return answers(plan, kSide) && tell_masks(masks);
}

/// The parent's plan has no threads in a child, which is said at once; a plan of one thread needs none.
bool works_or_tells(rooftune::SpmvPlan<double>& of_parent) {
    try {
        return answers(of_parent, kSide);
    } catch (const std::exception& e) {
        std::printf("the parent's plan: %s\n", e.what());
        return std::string(e.what()).find("fork()") != std::string::npos;
    }
}

int have_children(const char* folder) {
    const rooftune::Tuned tuned = load_and_tell(folder);
    const Masks masks = masks_now();
    bool right = in_a_child([&] { return makes_its_own(tuned); });
    {
        rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(tuned, laplacian(kSide));
        show(plan.choice());
        right = answers(plan, kSide) && right;
        right = in_a_child([&] { return works_or_tells(plan) && makes_its_own(tuned); }) && right;
        right = answers(plan, kSide) && right;
    }
    right = in_a_child([&] { return makes_its_own(tuned); }) && right;
    right = makes_its_own(tuned) && right;
    const bool left_alone = tell_masks(masks);
    std::printf("%s\n", right ? "as it must be" : "WRONG");
    return right && left_alone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return have_children(argc > 1 ? argv[1] : nullptr); });
}
