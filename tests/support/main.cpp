// The main of every program of tests. Version 2 of Catch2 is compiled here; version 3 is a library.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

int main(int argc, char** argv) {
    return Catch::Session().run(argc, argv);
}
