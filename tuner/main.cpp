#include "tuner/cli/main.h"
#include "kernels/registry.h"

int main(int argc, char** argv) {
    return rooftune::run_program(argc, argv, rooftune::built_in_families());
}
