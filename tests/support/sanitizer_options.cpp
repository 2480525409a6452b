// What the sanitizers have to know of the libraries behind the tests. Linked into every test program.
#if defined(__SANITIZE_ADDRESS__)
/// LLVM, inside OpenCL's drivers, gives the thread that compiles a signal stack of its own, which the
/// sanitizer would take for its own and unmap when the thread ends.
extern "C" const char* __asan_default_options() {
    return "use_sigaltstack=0";
}
/// The drivers behind OpenCL keep what they made until the process ends.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}
#endif
