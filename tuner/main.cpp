#include "tuner/external/family.h"
#include "tuner/program/program.h"

int main(int argc, char** argv) {
    return rooftune::run_program(argc, argv, rooftune::all_families());
}
