#include "tuner/machine/audit/child.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "tuner/base/child_output.h"
#include "tuner/base/how_it_ended.h"
#include "tuner/base/interrupt.h"

namespace rooftune::audit {
namespace {

constexpr std::size_t kMostAnswer = std::size_t{1} << 20;
constexpr std::size_t kKeptErrors = 300;
// Seconds in which a child that has answered or closed its output may end by itself.
constexpr double kPatience = 0.5;

std::string killed_after(double seconds) {
    char text[64];
    std::snprintf(text, sizeof text, "killed after %.1f s", seconds);
    return text;
}

}  // namespace

ChildAnswer ask_child(const std::string& program, const std::vector<std::string>& arguments,
                      const Environment& environment, const std::string& question, double deadline_seconds) {
    ChildAnswer answer;
    Pipe in;
    Pipe out;
    for (Pipe* pipe : {&in, &out}) {
        if (const int reason = pipe->open(); reason != 0) {
            answer.detail = std::string("no pipe: ") + std::strerror(reason);
            return answer;
        }
    }
    const Descriptor errors = memory_file("audit-errors");
    ChildSetup setup{.words = {program}, .variables = environment};
    setup.words.insert(setup.words.end(), arguments.begin(), arguments.end());
    setup.descriptors = {{in.read.fd(), STDIN_FILENO}, {out.write.fd(), STDOUT_FILENO}};
    if (errors.fd() >= 0) setup.descriptors.emplace_back(errors.fd(), STDERR_FILENO);
    ChildProcess child;
    if (const int reason = child.start(setup); reason != 0) {
        answer.detail = "cannot start " + program + ": " + std::strerror(reason);
        return answer;
    }
    in.read.close();
    out.write.close();
    write_whole(in.write, question + "\n");
    in.write.close();
    LineReader reader(std::move(out.read), kMostAnswer);
    const LineReader::End read = reader.next(deadline_seconds, answer.line);
    const bool cut = read == LineReader::End::late || read == LineReader::End::interrupted;
    const ChildProcess::End end = child.end(cut ? 0.0 : kPatience);
    if (read == LineReader::End::line) {
        answer.end = ChildAnswer::End::answered;
        return answer;
    }
    if (read == LineReader::End::late) {
        answer.end = ChildAnswer::End::hung;
        answer.detail = killed_after(deadline_seconds);
        return answer;
    }
    // A signal to the whole job ends the child too, and its end may be seen before that signal arrives here.
    if (interrupted()) {
        answer.end = ChildAnswer::End::interrupted;
        answer.detail = "interrupted";
    } else {
        answer.end = ChildAnswer::End::crashed;
        answer.detail = !end.by_itself         ? "stopped answering"
                        : end.reaped_elsewhere ? std::string(kReapedElsewhere)
                                               : how_it_ended(end.status);
    }
    const std::string said = one_line(tail_of(errors, kKeptErrors));
    if (!said.empty()) answer.detail += "; it said: " + said;
    return answer;
}

}  // namespace rooftune::audit
