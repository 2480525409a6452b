#include "tuner/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace rooftune {
namespace {

std::atomic<int> requests{0};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may only touch lock-free atomics");

std::function<bool()> stop_asked;

void on_signal(int) {
    if (requests.fetch_add(1) > 0) _exit(130);
}

// Where a terminal is closed, kernel and shell send one each: the second is no haste.
void on_hangup(int) {
    int none = 0;
    requests.compare_exchange_strong(none, 1);
}

}  // namespace

void watch_for_interrupt() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {
        action.sa_handler = on_hangup;
        sigaction(SIGHUP, &action, nullptr);
    }
    // A reader of standard output that went away (`| head`) is no reason to end before all is written to
    // files.
    signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
    return requests.load() > 0 || (stop_asked && stop_asked());
}

StopRequest::StopRequest(std::function<bool()> stop) {
    stop_asked = std::move(stop);
}

StopRequest::~StopRequest() {
    stop_asked = nullptr;
}

}  // namespace rooftune
