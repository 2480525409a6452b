#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#if defined(__SANITIZE_ADDRESS__)
/// The drivers behind OpenCL keep what they made until the process ends.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}
#endif
