#include "tuner/base/execute.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "tuner/base/child_output.h"
#include "tuner/base/clock.h"
#include "tuner/base/how_it_ended.h"
#include "tuner/base/stopwatch.h"

namespace rooftune {
namespace {

constexpr std::size_t kKeptOutput = std::size_t{64} << 10;
constexpr std::size_t kKeptErrors = 400;

Execution::End end_of(std::optional<Cut> cut, int status) {
    if (!cut) return WIFSIGNALED(status) ? Execution::End::signalled : Execution::End::exited;
    switch (*cut) {
        case Cut::late:
            return Execution::End::hung;
        case Cut::flooded:
            return Execution::End::flooded;
        case Cut::interrupted:
            break;
    }
    return Execution::End::interrupted;
}

std::string how(const Execution& run, int status, double limit, const std::string& flag) {
    char text[80];
    switch (run.end) {
        case Execution::End::hung:
            // Seconds as a user writes them, 3600 and not 3.6e+03.
            std::snprintf(text, sizeof text, "killed after %.10g s, its time limit", limit);
            return flag.empty() ? text : text + (" (" + flag + ")");
        case Execution::End::flooded:
            return "killed because it wrote more than 16 MiB";
        case Execution::End::interrupted:
            return "interrupted";
        case Execution::End::signalled:
            return how_it_ended(status);
        default:
            return run.status == 0 ? "" : "it " + how_it_ended(status);
    }
}

// By the rule for this process's own slots (SystemStopwatch): more than one switch in 10 ms is others' work.
bool preempted(const rusage& usage, double seconds) {
    return static_cast<double>(usage.ru_nivcsw) > std::max(2.0, seconds / 0.01);
}

}  // namespace

Execution execute(const std::vector<std::string>& argv, double limit, const ExecuteOptions& options) {
    Execution run;
    if (argv.empty()) {
        run.detail = "no program";
        return run;
    }
    Pipe out;
    Pipe errors;
    for (Pipe* pipe : {&out, &errors}) {
        if (const int reason = pipe->open(); reason != 0) {
            run.detail = std::string("no pipe: ") + std::strerror(reason);
            return run;
        }
    }
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    ChildSetup setup{.words = argv,
                     .folder = options.folder,
                     .variables = options.variables,
                     .own_group = options.own_group};
    setup.descriptors = {{out.write.fd(), STDOUT_FILENO}, {errors.write.fd(), STDERR_FILENO}};
    if (nothing.fd() >= 0) setup.descriptors.emplace_back(nothing.fd(), STDIN_FILENO);
    std::optional<SystemStopwatch> stopwatch;
    if (options.watches) stopwatch.emplace().watch();
    const double start = monotonic_seconds();
    ChildProcess child;
    if (const int reason = child.start(setup); reason != 0) {
        run.detail = std::string("it cannot be started: ") + std::strerror(reason);
        return run;
    }
    out.write.close();
    errors.write.close();
    ChildOutput output(std::move(out.read), kKeptOutput);
    ChildOutput said(std::move(errors.read), kKeptErrors);
    const std::optional<Cut> cut = wait_for_end(
        child, {&output, &said}, {start + limit, options.most_output, options.stops_at_interrupt});
    run.seconds = monotonic_seconds() - start;
    const ChildProcess::End end = child.end(0.0);
    output.drain();
    said.drain();
    run.end = end_of(cut, end.status);
    run.status = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 0;
    run.signal = !cut && WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
    run.disturbed = stopwatch && (stopwatch->disturbed() || preempted(end.usage, run.seconds));
    run.output = output.text();
    run.detail = how(run, end.status, limit, options.limit_flag);
    if (end.reaped_elsewhere && !cut) {
        run.end = Execution::End::lost;
        run.detail = std::string(kReapedElsewhere);
    }
    if (const std::string words = said.text(); !run.detail.empty() && !words.empty())
        run.detail += "; it said: " + one_line(words);
    return run;
}

}  // namespace rooftune
