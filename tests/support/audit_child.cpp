// Answers for the faulty peers.
#include "tests/support/audit_child.h"

#include "tuner/audit/serve.h"

int main(int argc, char** argv) {
    using namespace rooftune::audit;
    return serve_if_asked(argc, argv, test::faulty_peers()).value_or(2);
}
