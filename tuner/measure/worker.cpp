#include "tuner/measure/worker.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/how_it_ended.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/checked_evaluator.h"

namespace rooftune {
namespace {

constexpr std::size_t kMostPending = std::size_t{64} << 20;
constexpr std::size_t kKeptErrors = 400;

// A process that ended while the reference at this place ran.
WorkerAnswer blamed_on_reference(const std::string& place, WorkerAnswer end) {
    end.detail = place + " the reference does not give an answer: " + end.detail;
    end.outcome = Outcome::environment;
    return end;
}

}  // namespace

Worker::Worker(std::string program, WorkerSetup setup, int shared_descriptor)
    : program_(std::move(program)), setup_(std::move(setup)), shared_(shared_descriptor) {
    setup_.shared = shared_ >= 0;
}

Worker::~Worker() {
    stop();
}

bool Worker::start(const Deadlines& deadlines, WorkerAnswer& failure) {
    Pipe in;
    Pipe out;
    for (Pipe* pipe : {&in, &out}) {
        if (const int reason = pipe->open(); reason != 0) {
            failure.detail = std::string("no pipe for a worker: ") + std::strerror(reason);
            return false;
        }
    }
    errors_ = memory_file("worker-errors");
    const std::string parent = std::to_string(getpid());
    ChildSetup child{.words = {"rooftune", kWorkerFlag, parent},
                     .program = program_,
                     .variables = {{kWorkerMark, parent}}};
    child.descriptors = {{in.read.fd(), STDIN_FILENO}, {out.write.fd(), STDOUT_FILENO}};
    if (errors_.fd() >= 0) child.descriptors.emplace_back(errors_.fd(), STDERR_FILENO);
    if (shared_ >= 0) child.descriptors.emplace_back(shared_, kSharedDescriptor);
    if (const int reason = child_.start(child); reason != 0) {
        failure.detail = "cannot start the worker " + program_ + ": " + std::strerror(reason);
        return false;
    }
    // Where this process held them too, it would not see the worker's end.
    in.read.close();
    out.write.close();
    to_ = std::move(in.write);
    answers_ = LineReader(std::move(out.read), kMostPending);
    ++started_;
    nothing_ran_ = true;
    LineReader::End read = LineReader::End::closed;
    std::string line;
    if (send(to_text(setup_))) read = answers_.next(deadlines.load, line);
    if (read != LineReader::End::line) {
        failure = bury(read == LineReader::End::late, deadlines.load);
        failure.outcome = Outcome::environment;
        failure.detail = "the worker could not load the problem: " + failure.detail;
        return false;
    }
    std::string said;
    try {
        const WorkerLine loaded = message_from<WorkerLine>(nlohmann::json::parse(line));
        if (loaded.phase == "loaded" && loaded.detail == kernels_build()) return true;
        if (loaded.phase == "loaded") {
            stop();  // or the next question would go to it unasked
            throw EnvironmentError("the worker " + program_ + " has another build of the kernels (" +
                                   loaded.detail + ") than this program (" + kernels_build() +
                                   "); both have to come from one build of rooftune");
        }
        said = loaded.detail;
    } catch (const nlohmann::json::exception&) {
        said = "its answer is no message of a worker";
    }
    failure.detail = "the worker could not load the problem: " + said;
    stop();
    return false;
}

WorkerAnswer Worker::ask(const std::string& request, const Deadlines& deadlines) {
    WorkerAnswer answer;
    if (pid() < 0 && !start(deadlines, answer)) return answer;
    if (!send(request)) return bury(false, 0.0);
    double limit = deadlines.prepare;
    std::string reference;  // that is running
    for (;;) {
        std::string line;
        const LineReader::End read = answers_.next(limit, line);
        if (read != LineReader::End::line) {
            answer = bury(read == LineReader::End::late, limit);
            if (reference.empty() || interrupted()) return answer;
            // A variant that ran before may have done it, and memory is the machine's to give.
            const bool late = answer.outcome == Outcome::timed_out;
            const bool its_own =
                late || answer.outcome == Outcome::crashed || answer.outcome == Outcome::illegal;
            answer = blamed_on_reference(reference, std::move(answer));
            if (its_own && nothing_ran_ && !reference_answered_)
                throw InputError(answer.detail +
                                 (late ? "; give smaller sizes, or more time: $ROOFTUNE_RUN_LIMIT, in seconds"
                                       : "; mend it, every variant is judged by what it answers"));
            return answer;
        }
        try {
            answer.line = message_from<WorkerLine>(nlohmann::json::parse(line));
        } catch (const nlohmann::json::exception&) {
            // A kernel that scribbles over the pipe has failed like one that scribbles over memory.
            answer = bury(false, 0.0);
            answer.outcome = Outcome::crashed;
            answer.detail = "wrote to the worker's own output";
            return answer;
        }
        if (answer.line.phase == "reference") {
            reference = answer.line.detail;
            // It runs once in a process, and is as slow as its user likes: what variants take says nothing.
            limit = reference.empty() ? deadlines.run : std::max(deadlines.run, unknown_limits().run);
            continue;
        }
        if (answer.line.phase == "refused" && nothing_ran_ && !reference_answered_)
            throw InputError(answer.line.detail);
        // What a variant may have done before leaves the input no more than suspect, and so does a reference
        // that has answered in another process: what was measured since then is not to be lost.
        if (answer.line.phase == "refused") {
            answer.outcome = Outcome::environment;
            answer.detail = answer.line.detail;
            stop();
            return answer;
        }
        // What does not compile has not run, and before anything runs the reference has answered.
        const bool has_run = std::any_of(answer.line.records.begin(), answer.line.records.end(),
                                         [](const Record& r) { return r.outcome != Outcome::unbuildable; });
        if (answer.line.phase == "screened" || answer.line.phase == "verified" || has_run) {
            nothing_ran_ = false;
            reference_answered_ = true;
        }
        if (answer.line.phase == "done") {
            answer.outcome = Outcome::measured;
            if (answer.line.detail == kSpoiled) stop();
            return answer;
        }
        if (answer.line.phase == "failed") {
            answer.outcome = Outcome::environment;
            answer.detail = answer.line.detail;
            return answer;
        }
        limit = deadlines.run;
    }
}

void Worker::out_of_step(const char* why) {
    stop();
    last_ = {Outcome::environment, why, {}};
}

Record Worker::measure(const MeasureRequest& request, const Deadlines& deadlines) {
    last_ = ask(to_text(request), deadlines);
    const std::vector<Record>& records = last_.line.records;
    if (last_.outcome == Outcome::measured) {
        if (records.size() == 1 && records.front().variant == request.variant) return records.front();
        out_of_step("the worker answered about another variant");
    }
    Record none;
    none.outcome = last_.outcome;
    none.detail = last_.detail;
    return none;
}

Rotation Worker::rotate(const RotateRequest& request, const Deadlines& deadlines) {
    last_ = ask(to_text(request), deadlines);
    if (last_.outcome == Outcome::measured) {
        const std::vector<Record>& records = last_.line.records;
        const auto about = [](const Record& record, const auto& variant) {
            return record.variant == variant;
        };
        if (std::equal(records.begin(), records.end(), request.variants.begin(), request.variants.end(),
                       about))
            return {records, last_.line.rates, last_.line.ceilings};
        out_of_step("the worker answered about other variants");
    }
    return {std::vector<Record>(request.variants.size(), unknown(last_.detail)), {}, {}};
}

std::vector<Ceiling> Worker::probe(const ProbeRequest& request, const Deadlines& deadlines) {
    last_ = ask(to_text(request), deadlines);
    if (last_.outcome == Outcome::measured) {
        if (last_.line.ceilings.size() == request.ceilings.size()) return last_.line.ceilings;
        out_of_step("the worker answered about other ceilings");
    }
    return {};
}

void Worker::stop() {
    bury(false, 0.0);
}

bool Worker::send(const std::string& text) {
    return write_whole(to_, text + "\n");
}

WorkerAnswer Worker::bury(bool late, double seconds) {
    constexpr double kPatience = 0.5;
    WorkerAnswer answer;
    if (pid() < 0) return answer;
    // A worker at the end of its input exits by itself; one that hangs is killed with its group. The
    // wait tells its own death from ours.
    to_.close();
    const auto [by_itself, reaped_elsewhere, status, usage] = child_.end(late ? 0.0 : kPatience);
    if (interrupted()) {
        answer.outcome = Outcome::environment;
        answer.detail = "interrupted";
    } else if (late) {
        answer.outcome = Outcome::timed_out;
        char text[80];
        std::snprintf(text, sizeof text, "killed after %.1f s", seconds);
        answer.detail = text;
    } else if (reaped_elsewhere) {
        answer.detail = kReapedElsewhere;
    } else if (by_itself && WIFSIGNALED(status)) {
        const int signal_number = WTERMSIG(status);
        answer.outcome = signal_number == SIGILL    ? Outcome::illegal
                         : signal_number == SIGKILL ? Outcome::out_of_memory
                                                    : Outcome::crashed;
        answer.detail = signal_number == SIGKILL ? "killed by the system, most likely for want of memory"
                                                 : how_it_ended(status);
    } else if (by_itself && WIFEXITED(status)) {
        answer.outcome = Outcome::crashed;
        answer.detail = "the worker " + how_it_ended(status);
    } else {
        answer.detail = "the worker stopped answering";
    }
    if (answer.outcome != Outcome::timed_out) {
        const std::string said = tail_of(errors_, kKeptErrors);
        if (!said.empty()) answer.detail += "; it said: " + said;
    }
    answers_ = LineReader();
    errors_.close();
    return answer;
}

}  // namespace rooftune
