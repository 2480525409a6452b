#include "kernels/runtime/own_threads.h"

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>

#include "kernels/runtime/cpu_mask.h"

namespace rooftune {
namespace {

// A program's handlers run on its own threads. What a thread causes itself has to reach it, blocked or not;
// and a profiler's clock counts the time of all threads and asks those that run.
sigset_t signals_of_others() {
    sigset_t set;
    sigfillset(&set);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGVTALRM})
        sigdelset(&set, own);
    return set;
}

// Attributes of a thread that begins on one of `cpus`.
class Attributes {
public:
    Attributes() : error_(pthread_attr_init(&attributes_)), made_(error_ == 0) {}
    ~Attributes() {
        if (made_) pthread_attr_destroy(&attributes_);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    // An error number.
    int set_place(const std::vector<int>& cpus) {
        if (error_ != 0) return error_;
        const CpuMask place(cpus);
        if (place.empty()) return error_ = EINVAL;
        return error_ = pthread_attr_setaffinity_np(&attributes_, place.bytes(), place.set());
    }
    const pthread_attr_t* get() const { return &attributes_; }

private:
    pthread_attr_t attributes_{};
    int error_;
    bool made_;
};

struct Start {
    OwnThreads::Main main;
    void* context;
    int share;
};

void* run_thread(void* argument) noexcept {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    start->main(start->context, start->share);
    return nullptr;
}

}  // namespace

int OwnThreads::start(int share, const std::vector<int>& cpus, Main main, void* context) {
    auto argument = std::make_unique<Start>(Start{main, context, share});
    const std::string name = "rooftune-" + std::to_string(share);
    Attributes attributes;
    if (const int error = attributes.set_place(cpus); error != 0) return error;
    sigset_t before;
    const sigset_t blocked = signals_of_others();
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_t thread{};
    const int error = pthread_create(&thread, attributes.get(), run_thread, argument.get());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) return error;
    static_cast<void>(argument.release());
    threads_.push_back(thread);
    pthread_setname_np(thread, name.c_str());
    return 0;
}

void OwnThreads::join() {
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    threads_.clear();
}

}  // namespace rooftune
