// Software prefetch that no compiler removes (on x86-64).
#pragma once

namespace rooftune {

/// Begins loading the cache line of `at` into every level. Nothing is read: any address will do, mapped or
/// not.
///
/// In assembly, since g++ takes a function whose body is nothing but __builtin_prefetch for one without an
/// effect and deletes the calls of it, unless it happens to be inlined before: so the stencil's kernels had
/// prefetched nothing, whatever their parameter said. tests/structure counts the instructions in
/// the machine code of every kernel that has the parameter, and of the probes.
[[gnu::always_inline]] inline void prefetch_line(const void* at) {
#if defined(__x86_64__)
    __asm__ volatile("prefetcht0 %0" : : "m"(*static_cast<const char*>(at)));
#else
    __builtin_prefetch(at);
#endif
}

}  // namespace rooftune
