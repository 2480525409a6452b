// Linked into every test program: texts are as wide as in a pipe, whoever's terminal they are run in.
#include <cstdlib>

namespace {
[[maybe_unused]] const int kSet = setenv("COLUMNS", "100", 1);
}
