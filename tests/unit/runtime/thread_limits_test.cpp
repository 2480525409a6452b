// Who gives no further thread: by planted files, and by a limit that is really there.
#include "kernels/runtime/thread_limits.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/team.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

ReadFile files(std::map<std::string, std::string> texts) {
    return [texts = std::move(texts)](const std::string& path) -> std::optional<std::string> {
        const auto found = texts.find(path);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
}

}  // namespace

TEST_CASE("a control group that has all the tasks that it may have is named, in both versions") {
    const auto second = files({{"/proc/self/cgroup", "0::/job\n"},
                               {"/sys/fs/cgroup/job/pids.max", "64\n"},
                               {"/sys/fs/cgroup/job/pids.current", "64\n"}});
    CHECK(thread_limit_text(second, {}) ==
          "this control group has 64 of the 64 tasks that it may have (pids.max)");
    const auto first = files({{"/proc/self/cgroup", "7:pids:/job\n"},
                              {"/sys/fs/cgroup/pids/job/pids.max", "9\n"},
                              {"/sys/fs/cgroup/pids/job/pids.current", "10\n"}});
    CHECK(thread_limit_text(first, {}) ==
          "this control group has 10 of the 9 tasks that it may have (pids.max)");
}

TEST_CASE("a group that this one is in may be the one that is full, or that has the lowest limit") {
    std::map<std::string, std::string> texts{
        {"/proc/self/cgroup", "0::/user.slice/user-7.slice/session-1.scope\n"},
        {"/sys/fs/cgroup/user.slice/user-7.slice/session-1.scope/pids.max", "max\n"},
        {"/sys/fs/cgroup/user.slice/user-7.slice/session-1.scope/pids.current", "3\n"},
        {"/sys/fs/cgroup/user.slice/user-7.slice/pids.max", "50\n"},
        {"/sys/fs/cgroup/user.slice/user-7.slice/pids.current", "50\n"},
        {"/sys/fs/cgroup/user.slice/pids.max", "40\n"},
        {"/sys/fs/cgroup/user.slice/pids.current", "39\n"}};
    CHECK(thread_limit_text(files(texts), {}) ==
          "a control group that this one is in has 50 of the 50 tasks that it may have (pids.max)");
    texts["/sys/fs/cgroup/user.slice/user-7.slice/pids.current"] = "39\n";
    CHECK_THAT(thread_limit_text(files(texts), {}),
               Contains("those of a control group that this one is in (pids.max: 40, now 39)"));
}

TEST_CASE("a system that has all the tasks that it may have is named by its limit") {
    const std::map<std::string, std::string> full{{"/proc/loadavg", "0.20 0.18 0.12 2/500 11206\n"},
                                                  {"/proc/sys/kernel/threads-max", "1000\n"},
                                                  {"/proc/sys/kernel/pid_max", "500\n"}};
    CHECK(thread_limit_text(files(full), {}) ==
          "the system has 500 of the 500 tasks that it may have (kernel.pid_max)");
    auto threads = full;
    threads["/proc/sys/kernel/threads-max"] = "499\n";
    CHECK_THAT(thread_limit_text(files(threads), {}),
               Contains("of the 499 tasks") && Contains("threads-max"));
}

TEST_CASE("where no limit is seen to be reached, those that are set are told with their numbers") {
    const auto read = files({{"/proc/self/cgroup", "0::/job\n"},
                             {"/sys/fs/cgroup/job/pids.max", "64\n"},
                             {"/sys/fs/cgroup/job/pids.current", "12\n"},
                             {"/proc/loadavg", "0.20 0.18 0.12 2/80 11206\n"},
                             {"/proc/sys/kernel/threads-max", "1000\n"}});
    CHECK(
        thread_limit_text(read, {100.0, 4e9}) ==
        "one of these limits is reached: the tasks of this user (ulimit -u: 100), those of this control "
        "group "
        "(pids.max: 64, now 12), the addresses of this process (ulimit -v: 4000 MB), the memory that is left "
        "for stacks (ulimit -s)");
    const auto unlimited = files({{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/pids.max", "max\n"}});
    CHECK(thread_limit_text(unlimited, {}) ==
          "one of these limits is reached: the memory that is left for stacks (ulimit -s)");
    CHECK_FALSE(thread_limit_text(files({}), {}).empty());
}

TEST_CASE("a free team that gets no thread says at once by what limit, and the next one is right") {
    const pid_t child = ::fork();
    if (child == 0)
        end_child([] {
            // Root has as many as it likes.
            constexpr uid_t kOther = 54'321;
            if (::geteuid() == 0 && ::setuid(kOther) != 0) ::_exit(0);
            rlimit limit{};
            getrlimit(RLIMIT_NPROC, &limit);
            const rlim_t before = limit.rlim_cur;
            limit.rlim_cur = 1;
            if (setrlimit(RLIMIT_NPROC, &limit) != 0) ::_exit(0);
            const std::vector<int> cpus(3, usable_cpus().front());
            bool told = false;
            try {
                Team team(cpus, Team::Caller::free);
            } catch (const EnvironmentError& error) {
                const std::string text = error.what();
                told = text.find("of 3 threads started: ") != std::string::npos &&
                       text.find("; ask for fewer") != std::string::npos &&
                       (text.find("(ulimit -u: 1)") != std::string::npos ||
                        text.find("that it may have") != std::string::npos);
            }
            limit.rlim_cur = before;
            setrlimit(RLIMIT_NPROC, &limit);
            int shares = 0;
            Team(std::vector<int>{cpus.front()}, Team::Caller::free).run(1, [&](int) { ++shares; });
            return told && shares == 1;
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
