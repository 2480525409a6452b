#include "tuner/program/program.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_descriptors.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"
#include "tuner/command/command_line.h"
#include "tuner/engine/worker_program.h"
#include "tuner/machine/audit/peers.h"
#include "tuner/machine/audit/serve.h"
#include "tuner/program/commands.h"
#include "tuner/store/machine_lock.h"
#include "tuner/track/selftest_arm.h"

namespace rooftune {
namespace {

constexpr int kUsage = 2;
constexpr int kEnvironment = 3;
constexpr int kInterrupted = 130;

int complain(const std::string& text, int status) {
    tell(text);
    return status;
}

// What is behind "--" is another program's.
bool says_quiet(int argc, char** argv) {
    for (int i = 1; i < argc && argv[i] != std::string_view("--"); ++i) {
        if (argv[i] == std::string_view("--quiet")) return true;
    }
    return false;
}

// On a line of its own, where a progress bar may be drawn.
void tell_of_waiting(const std::string& text) {
    if (isatty(STDERR_FILENO) == 1) std::fputs("\r\x1b[K", stderr);
    tell(text);
}

// Memory may also end in a destructor, of a large document say, which may not throw. All that was measured is
// in the store by then.
[[noreturn]] void end_without_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view kText = "rooftune: not enough memory\n";
        static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
        _exit(kEnvironment);
    } catch (...) {
    }
    std::abort();
}

}  // namespace

int run_program(int argc, char** argv, Registry registry) {
    hold_standard_descriptors();
    if (const auto status = serve_worker(argc, argv, registry)) return *status;
    if (const auto status = audit::serve_if_asked(argc, argv, audit::built_in_peers())) return *status;
    if (const auto status = run_arm_if_asked(argc, argv)) return *status;
    std::set_terminate(end_without_memory);
    CommandLine line("rooftune", "Auto-tuning of HPC kernels guided by roofline bounds.",
                     std::string("rooftune ") + ROOFTUNE_VERSION);
    Command program = line.root();
    program.needs_command();
    program.footer(
        "Exit status: 0 done; 1 done, and the answer is no (no variant works, REGRESSED);\n"
        "2 bad usage or input; 3 machine or environment; 130 after Ctrl-C, with everything so far written.");
    add_all_commands(program, registry);
    if (argc == 1) {
        std::cerr << line.help();
        return kUsage;
    }
    try {
        int answered = 0;
        const Action action = line.parse(argc, argv, answered);
        if (!action) return answered;
        watch_for_interrupt();
        if (!says_quiet(argc, argv)) MachineLock::tell(tell_of_waiting);
        const int status = action();
        if (const double waited = MachineLock::waited_seconds(); waited >= 1.0 && !says_quiet(argc, argv))
            tell_of_waiting(format_duration(waited) + " of this went by waiting for others that measured");
        return interrupted() ? kInterrupted : status;
    } catch (const InputError& error) {
        return complain(error.what(), kUsage);
    } catch (const EnvironmentError& error) {
        return complain(error.what(), kEnvironment);
    } catch (const std::filesystem::filesystem_error& error) {
        // Somebody named what cannot be a file, or its folder is not for us.
        const std::error_code why = error.code();
        const bool is_named_wrongly = why == std::errc::filename_too_long ||
                                      why == std::errc::too_many_symbolic_link_levels ||
                                      why == std::errc::not_a_directory;
        return complain(printable(error.path1().string()) + ": " + why.message() +
                            (is_named_wrongly ? "; name another file or folder" : ""),
                        is_named_wrongly ? kUsage : kEnvironment);
    } catch (const std::bad_alloc&) {
        return complain("not enough memory; try a smaller problem or fewer threads", kEnvironment);
    } catch (const std::exception& error) {
        return complain(
            std::string("internal error: ") + error.what() + "; please report it with the command",
            kEnvironment);
    }
}

}  // namespace rooftune
