#include "tuner/base/process_identity.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "kernels/runtime/file_text.h"

namespace rooftune {
namespace {

std::string contents(const std::string& path) {
    return file_text(path).value_or("");
}

std::string boot_id() {
    std::string text = contents("/proc/sys/kernel/random/boot_id");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

}  // namespace

bool parse_process_stat(const std::string& text, char& state, std::int64_t& start) {
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return false;
    std::istringstream fields(text.substr(name_end + 1));
    if (!(fields >> state)) return false;
    // proc(5): state is field 3, starttime field 22.
    std::string skipped;
    for (int field = 4; field < 22; ++field)
        if (!(fields >> skipped)) return false;
    return static_cast<bool>(fields >> start);
}

ProcessIdentity this_process() {
    ProcessIdentity self;
    self.pid = ::getpid();
    self.boot = boot_id();
    char state = 0;
    if (!parse_process_stat(contents("/proc/self/stat"), state, self.start)) self.start = 0;
    return self;
}

bool alive(const ProcessIdentity& process) {
    if (process.pid <= 0) return false;
    const std::string boot = boot_id();
    if (!boot.empty() && !process.boot.empty() && boot != process.boot) return false;
    if (::kill(static_cast<pid_t>(process.pid), 0) != 0 && errno == ESRCH) return false;
    char state = 0;
    std::int64_t start = 0;
    if (!parse_process_stat(contents("/proc/" + std::to_string(process.pid) + "/stat"), state, start))
        return true;
    if (state == 'Z' || state == 'X') return false;
    return process.start == 0 || process.start == start;
}

}  // namespace rooftune
