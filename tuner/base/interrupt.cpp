#include "tuner/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace rooftune {
namespace {

std::atomic<int> requests{0};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may only touch lock-free atomics");

std::atomic<int> deferred{0};  // the signal that came

std::function<bool()> stop_asked;

void on_signal(int) {
    if (requests.fetch_add(1) > 0) _exit(130);
}

// Where a terminal is closed, kernel and shell send one each: the second is no haste.
void on_hangup(int) {
    int none = 0;
    requests.compare_exchange_strong(none, 1);
}

// The program is to end by the signal itself, as it would have without us.
void on_deferred(int number) {
    if (deferred.exchange(number) == 0) return;
    signal(number, SIG_DFL);
    raise(number);
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
    return requests.load() > 0 || deferred.load() != 0 || (stop_asked && stop_asked());
}

DeferredSignals::DeferredSignals() {
    struct sigaction action {};
    action.sa_handler = on_deferred;
    // What waits for something is the program's own, and goes on.
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        const bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
        if (is_default && sigaction(number, &action, nullptr) == 0) taken_.push_back(number);
    }
}

DeferredSignals::~DeferredSignals() {
    for (const int number : taken_) {
        struct sigaction now {};
        sigaction(number, nullptr, &now);
        // The program may have taken it over meanwhile.
        if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == on_deferred) signal(number, SIG_DFL);
    }
    if (taken_.empty()) return;
    if (const int came = deferred.exchange(0); came != 0) raise(came);
}

StopRequest::StopRequest(std::function<bool()> stop) {
    stop_asked = std::move(stop);
}

StopRequest::~StopRequest() {
    stop_asked = nullptr;
}

}  // namespace rooftune
