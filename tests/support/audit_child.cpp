// Answers for the faulty peers.
#include "tests/support/audit_child.h"

#include "tuner/machine/audit/serve.h"

#if defined(__SANITIZE_ADDRESS__)
/// A peer that crashes dies of its signal, as without the sanitizer, and not of the sanitizer's report.
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_abort=0";
}
#endif

int main(int argc, char** argv) {
    using namespace rooftune::audit;
    return serve_if_asked(argc, argv, test::faulty_peers()).value_or(2);
}
