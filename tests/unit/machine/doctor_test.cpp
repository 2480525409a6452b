#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/machine/doctor.h"

using namespace rooftune;

namespace {

// A folder of captured files that stands for the system's root.
struct Root {
    std::filesystem::path path;
    Root() {
        std::string name = (std::filesystem::temp_directory_path() / "rooftune-root-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Root() { std::filesystem::remove_all(path); }
    void put(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((path / file.substr(1)).parent_path());
        std::ofstream(path / file.substr(1)) << text;
    }
    SystemFiles files() const { return SystemFiles(path.string()); }
};

const Finding& find(const std::vector<Finding>& all, const std::string& what) {
    for (const Finding& f : all) {
        if (f.what == what) return f;
    }
    FAIL("no finding about " + what);
    return all.front();
}

Topology two_cores() {
    Topology t;
    t.cores = t.threads = 2;
    t.memory = Bytes(32e9);
    return t;
}

std::string process_line(int pid, const std::string& command, int user, int system, int start, int cpu) {
    return std::to_string(pid) + " (" + command + ") R 1 1 1 0 -1 4194304 98 0 0 0 " + std::to_string(user) +
           " " + std::to_string(system) + " 0 0 20 0 1 0 " + std::to_string(start) +
           " 3133440 416 1 2 3 4 0 0 0 0 0 0 0 0 0 17 " + std::to_string(cpu) + " 0 0 0 0 0\n";
}

}  // namespace

TEST_CASE("a process's line is read though its command holds spaces and parentheses") {
    int pid = 0;
    ProcessTicks p;
    REQUIRE(parse_process_stat(process_line(42, "a (b) c) d", 30, 12, 777, 1), pid, p));
    CHECK(pid == 42);
    CHECK(p.command == "a (b) c) d");
    CHECK(p.ticks == 42.0);
    CHECK(p.started == 777.0);
    CHECK(p.last_cpu == 1);
    for (const char* wrong : {"", "42", "42 (x", "42 (x) R 1", ") 42 ("})
        CHECK_FALSE(parse_process_stat(wrong, pid, p));
}

TEST_CASE("a planted half load and stolen time are named; a quiet system is not accused") {
    const Root before;
    before.put("/proc/stat",
               "cpu  1 2 3 4\ncpu0 100 0 0 1000 0 0 0 10 0 0\ncpu1 100 0 0 1000 0 0 0 10 0 0\nintr 5\n");
    before.put("/proc/77/stat", process_line(77, "hog", 10, 0, 5, 1));
    before.put("/proc/78/stat", process_line(78, "mild", 10, 0, 5, 0));
    before.put("/proc/79/stat", process_line(79, "far away", 10, 0, 5, 7));
    const Root after;
    after.put("/proc/stat",
              "cpu  1 2 3 4\ncpu0 105 0 0 1095 0 0 0 10 0 0\ncpu1 150 0 0 1045 0 0 0 15 0 0\nintr 5\n");
    after.put("/proc/77/stat", process_line(77, "hog", 55, 5, 5, 1));
    after.put("/proc/78/stat", process_line(78, "mild", 15, 0, 5, 0));
    after.put("/proc/79/stat", process_line(79, "far away", 110, 0, 5, 7));
    after.put("/proc/80/stat", process_line(80, "new one", 20, 0, 900, 0));
    after.put("/proc/self/stat", "not a process id\n");
    const LoadReport load =
        compare_snapshots(take_snapshot(before.files()), take_snapshot(after.files()), {0, 1}, {});
    CHECK(load.stolen_share == Approx(5.0 / 200.0));
    REQUIRE(load.processes.size() == 2);
    CHECK(load.processes[0].command == "hog");
    CHECK(load.processes[0].pid == 77);
    CHECK(load.processes[0].cores == Approx(0.5));
    CHECK(load.processes[1].command == "new one");
    const std::string text = findings_text(check_load(load, 1.0));
    CHECK(text.find("hog (pid 77) uses 50 % of a core") != std::string::npos);
    CHECK(find(check_load(load, 1.0), "stolen time").severity == Severity::warning);

    const LoadReport own =
        compare_snapshots(take_snapshot(before.files()), take_snapshot(after.files()), {0, 1}, {77, 80});
    CHECK(own.processes.empty());
    const LoadReport quiet =
        compare_snapshots(take_snapshot(before.files()), take_snapshot(before.files()), {0, 1}, {});
    CHECK(quiet.processes.empty());
    CHECK(find(check_load(quiet, 1.0), "stolen time").severity == Severity::fine);
    CHECK(compare_snapshots({}, {}, {0}, {}).processes.empty());
}

TEST_CASE("a process id used again does not inherit the ticks of the one before") {
    LoadSnapshot before;
    LoadSnapshot after;
    before.cpus[0] = {1000, 0, 0};
    after.cpus[0] = {1100, 50, 0};
    before.processes[5] = {"old", 5000, 0, 10};
    after.processes[5] = {"young", 50, 0, 990};
    const LoadReport load = compare_snapshots(before, after, {0}, {});
    REQUIRE(load.processes.size() == 1);
    CHECK(load.processes[0].cores == Approx(0.5));
}

TEST_CASE("settings as they should be raise no warning; nothing at all raises no crash") {
    const Root root;
    root.put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    root.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    root.put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    root.put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    root.put("/sys/fs/cgroup/memory.max", "max\n");
    root.put("/proc/meminfo", "MemTotal: 100 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
    for (const Finding& f : check_settings(root.files(), two_cores())) CHECK(f.severity <= Severity::note);
    const Root empty;
    const std::vector<Finding> unknown = check_settings(empty.files(), two_cores());
    CHECK(unknown.size() == 7);
    // A person is told what a summary says, and no key of a document.
    const std::string& advice = find(unknown, "clock frequency").advice;
    CHECK_THAT(advice, Catch::Contains("of the roof as probed just now") && !Catch::Contains("fraction_of"));
}

TEST_CASE("settings that disturb are found, each with advice") {
    const Root root;
    root.put("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    root.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    root.put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    root.put("/proc/self/cgroup", "0::/box\n");
    root.put("/sys/fs/cgroup/box/cpu.max", "50000 100000\n");
    root.put("/sys/fs/cgroup/box/memory.max", "1073741824\n");
    root.put("/proc/meminfo", "SwapTotal: 4000000 kB\nSwapFree: 1000000 kB\n");
    Topology t = two_cores();
    t.hypervisor = "KVM";
    const std::vector<Finding> all = check_settings(root.files(), t);
    for (const char* what : {"transparent huge pages", "clock frequency", "clock source",
                             "container's processor limit", "container's memory limit", "swap"}) {
        INFO(what);
        CHECK(find(all, what).severity >= Severity::warning);
        CHECK_FALSE(find(all, what).advice.empty());
    }
    CHECK(find(all, "container's processor limit").detail.find("0.5 of 2") != std::string::npos);
    CHECK(find(all, "virtual machine").detail.find("KVM") != std::string::npos);
}

TEST_CASE("limits of version-1 groups are read below the group's own path") {
    const Root root;
    root.put("/proc/self/cgroup", "4:memory:/job/7\n2:cpu,cpuacct:/job/7\n");
    root.put("/sys/fs/cgroup/cpu/job/7/cpu.cfs_quota_us", "150000\n");
    root.put("/sys/fs/cgroup/cpu/job/7/cpu.cfs_period_us", "100000\n");
    root.put("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "8589934592\n");
    const std::vector<Finding> all = check_settings(root.files(), two_cores());
    CHECK(find(all, "container's processor limit").severity == Severity::problem);
    CHECK(find(all, "container's memory limit").severity == Severity::note);
    root.put("/sys/fs/cgroup/cpu/job/7/cpu.cfs_quota_us", "-1\n");
    root.put("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "9223372036854771712\n");
    const std::vector<Finding> none = check_settings(root.files(), two_cores());
    CHECK(find(none, "container's processor limit").severity == Severity::fine);
    CHECK(find(none, "container's memory limit").severity == Severity::fine);
}

TEST_CASE("siblings are known by topology or by their peak") {
    Topology t = two_cores();
    CHECK(check_siblings(t, 1.98).severity == Severity::fine);
    CHECK(check_siblings(t, 1.02).severity == Severity::warning);
    // Beside others two threads do no more than one on any machine.
    CHECK(check_siblings(t, 0.97, true).severity == Severity::note);
    CHECK(check_siblings(t, 0.97, true).detail.find("cannot be told") != std::string::npos);
    CHECK(check_siblings(t, 1.98, true).severity == Severity::fine);
    // More than twice the peak of one is a disturbed probe, and no fine machine.
    CHECK(check_siblings(t, 2.15).severity == Severity::fine);
    CHECK(check_siblings(t, 3.85).severity == Severity::note);
    CHECK(check_siblings(t, 3.85, true).severity == Severity::note);
    CHECK(check_siblings(t, 3.85).detail.find("contradict each other") != std::string::npos);
    CHECK(check_siblings(t, 3.85).advice.find("idle") != std::string::npos);
    CHECK(check_siblings(t, std::nullopt).severity == Severity::fine);
    t.cores = 1;
    CHECK(check_siblings(t, std::nullopt).severity == Severity::note);
}

TEST_CASE("timer, counters and disk are judged by what they show") {
    CHECK(check_timer(20e-9, 30e-9).severity == Severity::fine);
    CHECK(check_timer(4e-3, 30e-9).severity == Severity::warning);
    CHECK(check_counters(true, "").severity == Severity::fine);
    CHECK(check_counters(false, "No such file").detail.find("No such file") != std::string::npos);
    CHECK(check_disk("/x", 1e9, 2e8).severity == Severity::fine);
    CHECK(check_disk("/x", 1e8, 2e8).severity == Severity::problem);
}

TEST_CASE("this machine is examined without a team") {
    DoctorOptions options;
    options.sample_seconds = 0.05;
    const std::vector<Finding> all = examine(two_cores(), {0}, nullptr, options);
    CHECK(all.size() >= 12);
    for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].severity >= all[i].severity);
    options.folder = "/dev/null/folder";
    CHECK(find(examine(two_cores(), {0}, nullptr, options), "disk").severity == Severity::problem);
}

TEST_CASE("the disk is that of the folder which results go to, also before it is made") {
    const test::TemporaryFolder folder;
    DoctorOptions options;
    options.sample_seconds = 0.05;
    options.wanted_bytes = 0.0;
    for (const std::string& place : {folder.path(), folder.file("new/results")}) {
        options.folder = place;
        const Finding disk = find(examine(two_cores(), {0}, nullptr, options), "disk");
        CHECK(disk.detail.ends_with(" free in " + folder.path()));
        CHECK(disk.severity == Severity::fine);
    }
}

TEST_CASE("a folder that cannot be written is told from a full disk") {
    const test::TemporaryFolder folder;
    REQUIRE(::chmod(folder.path().c_str(), 0555) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        // As somebody who is not root, since root may write anywhere.
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
        DoctorOptions options;
        options.sample_seconds = 0.05;
        options.folder = folder.path();
        bool told = false;
        for (const Finding& f : examine(two_cores(), {0}, nullptr, options))
            told = told || (f.what == "disk" && f.severity == Severity::problem &&
                            f.detail.find("cannot be written: Permission denied") != std::string::npos);
        ::_exit(told ? 0 : 4);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        WARN("skipped: this process may not become another user");
        return;
    }
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
