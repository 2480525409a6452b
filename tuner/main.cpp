#include "kernels/registry.h"
#include "tuner/program/program.h"

int main(int argc, char** argv) {
    return rooftune::run_program(argc, argv, rooftune::built_in_families());
}
