// What plans leave alone in the program that they live in: masks, children, memory.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/mask.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/workers_inside.h"

// clang has another word for it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROOFTUNE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ROOFTUNE_SANITIZED
#endif
#endif

using namespace rooftune;
using namespace rooftune::test;

namespace {

// A band of three: rows × rows.
SparseMatrix band(std::int64_t rows) {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j <= std::min(rows - 1, i + 1); ++j) {
            column.push_back(static_cast<std::int32_t>(j));
            value.push_back(1.0);
        }
        begin.push_back(static_cast<std::int64_t>(column.size()));
    }
    return {rows, rows, begin.data(), column.data(), value.data()};
}

// Whether each row of a band of ones times ones is its number of entries.
bool answers(SpmvPlan<double>& plan) {
    const auto rows = static_cast<std::size_t>(plan.rows());
    const std::vector<double> x(rows, 1.0);
    std::vector<double> y(rows, -1.0);
    plan.run(x.data(), y.data());
    bool right = y.front() == 2.0 && y.back() == 2.0;
    for (std::size_t i = 1; i + 1 < rows; ++i) right = right && y[i] == 3.0;
    return right;
}

// What a child may see of its parent's plan: that it has no threads there, or the right answer where it needs
// none.
bool is_refused_or_alone(SpmvPlan<double>& plan, bool has_threads) {
    try {
        return answers(plan) && !has_threads;
    } catch (const EnvironmentError& e) {
        return has_threads && std::string(e.what()).find("fork()") != std::string::npos;
    }
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0.0, resident = 0.0;
    file >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

PlanOptions on(int threads) {
    PlanOptions options;
    options.threads = threads;
    return options;
}

}  // namespace

TEST_CASE("plans: nobody's mask changes, and threads that start meanwhile may run anywhere") {
    const std::vector<int> before = mask_of_this_thread();
    for (const int threads : {1, 0}) {
        SpmvPlan<double> plan = spmv_plan<double>({}, band(500), on(threads));
        CHECK(mask_of_this_thread() == before);
        CHECK(answers(plan));
        CHECK(mask_of_this_thread() == before);
        std::thread([&] { CHECK(mask_of_this_thread() == before); }).join();
    }
    CHECK(mask_of_this_thread() == before);
}

TEST_CASE(
    "plans: a child of fork() is told that the parent's plan has no threads there, and can make its own") {
    SpmvPlan<double> plan = spmv_plan<double>({}, band(500), on(0));
    const bool has_threads = Workers::shared(0)->size() > 1;
    REQUIRE(answers(plan));
    const pid_t child = ::fork();
    if (child == 0)
        end_child([&] {
            bool right = is_refused_or_alone(plan, has_threads);
            {
                SpmvPlan<double> own = spmv_plan<double>({}, band(700), on(0));
                SpmvPlan<double> gone = std::move(plan);
                right = right && answers(own);
            }
            SpmvPlan<double> alone = spmv_plan<double>({}, band(300), on(1));
            return right && answers(alone);
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(answers(plan));
}

TEST_CASE("plans: a child waits for nothing that another thread of its parent held when it was made") {
    for (const int threads : {1, 0}) {
        SpmvPlan<double> plan = spmv_plan<double>({}, band(5000), on(threads));
        const bool has_threads = Workers::shared(threads)->size() > 1;
        std::atomic<bool> enough{false};
        std::atomic<int> runs{0};
        std::thread other([&] {
            std::vector<double> x(5000, 1.0), y(5000);
            for (; !enough; ++runs) plan.run(x.data(), y.data());
        });
        while (runs < 2) std::this_thread::yield();
        for (int round = 0; round < 10; ++round) {
            const pid_t child = ::fork();
            if (child == 0)
                end_child([&] {
                    const bool right = is_refused_or_alone(plan, has_threads);
                    SpmvPlan<double> own = spmv_plan<double>({}, band(300), on(threads));
                    return right && answers(own);
                });
            int status = 0;
            REQUIRE(::waitpid(child, &status, 0) == child);
            CHECK(WIFEXITED(status));
            CHECK(WEXITSTATUS(status) == 0);
        }
        enough = true;
        other.join();
    }
}

TEST_CASE("plans: those of one thread share nothing that they would wait for") {
    CHECK(Workers::shared(1) != Workers::shared(1));
    Workers workers(1);
    const auto first = workers.inside().lock();
    const auto second = workers.inside().lock();  // would never return if it were the first one's
    OneAtATime one, another;
    const auto of_one = workers.inside().lock(&one);
    const auto of_another = workers.inside().lock(&another);
    CHECK(of_one.plan.owns_lock());
    CHECK(of_another.plan.owns_lock());
}

TEST_CASE("plans: small ones take little memory") {
    const auto each = [](std::int64_t rows, int number) {
        const SparseMatrix matrix = band(rows);
        std::vector<SpmvPlan<double>> plans;
        plans.reserve(static_cast<std::size_t>(number));
        plans.push_back(spmv_plan<double>({}, matrix, on(1)));  // with what is made once
        const double before = resident_bytes();
        for (int i = 1; i < number; ++i) plans.push_back(spmv_plan<double>({}, matrix, on(1)));
        CHECK(answers(plans.back()));
        return (resident_bytes() - before) / (number - 1);
    };
#if !defined(ROOFTUNE_SANITIZED)
    CHECK(each(3, 101) <= 64.0 * 1024);
    CHECK(each(300, 101) <= 100.0 * 1024);
#else
    static_cast<void>(each(3, 11));
#endif
}

#if !defined(ROOFTUNE_SANITIZED)
TEST_CASE("plans: what they say that they hold is what the process grows by") {
    // What is made once, threads and their stacks, is there before.
    answers(*std::make_unique<SpmvPlan<double>>(spmv_plan<double>({}, band(500), on(0))));
    // The heap's, and up to a huge page for each array, where the system gives these to all.
    constexpr double kAside = 16e6;
    // What is free is the C library's to keep, such as what was needed to convert.
    const auto resident = [] {
        malloc_trim(0);
        return resident_bytes();
    };
    const auto check_growth = [&](double before, std::size_t stated) {
        const double grown = resident() - before;
        INFO(grown << " bytes more, of a plan that states " << stated);
        CHECK(grown <= static_cast<double>(stated) + kAside);
        CHECK(grown >= 0.8 * static_cast<double>(stated) - kAside);
    };
    {
        const auto rows = std::int64_t{1'000'000};
        const SparseMatrix matrix = band(rows);
        std::vector<double> x(static_cast<std::size_t>(rows), 1.0), y(x);
        const double before = resident();
        SpmvPlan<double> plan = spmv_plan<double>({}, matrix, on(0));
        plan.run(x.data(), y.data());
        CHECK(plan.memory_bytes() > 30e6);
        check_growth(before, plan.memory_bytes());
        plan.run_transposed(1.0, x.data(), 0.0, y.data());
        CHECK(plan.memory_bytes() > 60e6);
        check_growth(before, plan.memory_bytes());
    }
    {
        const double before = resident();
        StencilShape shape;
        shape.nx = shape.ny = shape.nz = 160;
        shape.steps = 4;
        StencilPlan<double> plan = stencil_plan<double>({}, shape, on(0));
        plan.fill([](std::int64_t, std::int64_t, std::int64_t) { return 1.0; });
        plan.run();
        CHECK(plan.memory_bytes() > 60e6);
        check_growth(before, plan.memory_bytes());
    }
    {
        constexpr std::size_t kSize = 1500;
        const std::vector<double> a(kSize * kSize, 1.0), b(a);
        std::vector<double> c(a);
        const double before = resident();
        MatmulShape shape;
        shape.m = shape.n = shape.k = static_cast<std::int64_t>(kSize);
        MatmulPlan<double> plan = matmul_plan<double>({}, shape, on(0));
        plan.run(a.data(), b.data(), c.data());
        check_growth(before, plan.memory_bytes());
    }
}
#endif

TEST_CASE("plans: many at once are not many mappings") {
    const SparseMatrix matrix = band(300);
    std::vector<SpmvPlan<double>> plans;
    for (int i = 0; i < 2000; ++i) plans.push_back(spmv_plan<double>({}, matrix, on(1)));
    std::ifstream maps("/proc/self/maps");
    int lines = 0;
    for (std::string line; std::getline(maps, line);) ++lines;
    CHECK(lines < 20'000);
    CHECK(answers(plans.front()));
}
