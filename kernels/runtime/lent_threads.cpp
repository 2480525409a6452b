#include "kernels/runtime/lent_threads.h"

#include <utility>

namespace rooftune {
namespace {

// Without a destructor, which would keep a closed library in the program.
thread_local LentThreads* g_lent = nullptr;

}  // namespace

Lending::Lending(LentThreads* threads) : before_(std::exchange(g_lent, threads)) {}

Lending::~Lending() {
    g_lent = before_;
}

LentThreads* Lending::now() {
    return g_lent;
}

}  // namespace rooftune
