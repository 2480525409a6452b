// Golden output for kernels that JSON documents describe: every mistake that can be made in one, and in a
// job file, each with its key.
#include "tests/support/golden.h"
#include "tests/support/mistakes.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

const std::string kKernelDocument = R"doc({
  "schema": "rooftune/kernel/1",
  "source": "mine.c",
  "sizes": {"n": 64},
  "arrays": {
    "x": {"direction": "in", "type": "f64", "count": "n"},
    "y": {"direction": "out", "type": "f64", "count": "n"}
  },
  "parameters": {"T": [1, 2, 4], "OPT": {"values": ["-O2", "-O3"], "kind": "flag"}},
  "flops": "2*n",
  "call": "f(n, x, y)"
})doc";

const std::vector<Change> kKernelMistakes{
    {"another schema", R"({"schema": "rooftune/kernel/2"})"},
    {"no schema", R"({"schema": null})"},
    {"a machine file", R"({"schema": "rooftune/machine/1"})"},
    {"a job file", R"({"schema": "rooftune/job/1"})"},
    {"an unknown key", R"({"flop": "2*n"})"},
    {"neither source nor command", R"({"source": null})"},
    {"both of them", R"({"command": "./bench"})"},
    {"a source that is not there", R"({"source": "other.c"})"},
    {"a source that is none", R"({"source": "mine.py"})"},
    {"a key of programs", R"({"build": "make"})"},
    {"a key of kernels", R"({"source": null, "arrays": null, "flops": 1, "command": "/bin/echo"})"},
    {"no call", R"({"call": null})"},
    {"an empty call", R"({"call": " "})"},
    {"a call in two lines", R"p({"call": "f(n,\n x, y)"})p"},
    {"no output", R"({"arrays": {"y": null}})"},
    {"a size that is a list", R"({"sizes": {"n": [64]}})"},
    {"a size that is no whole number", R"({"sizes": {"n": 2.5}})"},
    {"a size of an unknown name", R"({"sizes": {"n": "m"}})"},
    {"a name that is none", R"({"sizes": {"2n": 64}})"},
    {"sizes in a list", R"({"sizes": ["n"]})"},
    {"two of one name", R"({"reals": {"x": 1}})"},
    {"an array without a type", R"({"arrays": {"x": {"type": null}}})"},
    {"an array of an unknown type", R"({"arrays": {"x": {"type": "f63"}}})"},
    {"an array in an unknown direction", R"({"arrays": {"x": {"direction": "input"}}})"},
    {"an unknown key of an array", R"({"arrays": {"x": {"fill": "i"}}})"},
    {"an output with values", R"({"arrays": {"y": {"values": 0}}})"},
    {"an array with values and a file", R"({"arrays": {"x": {"values": 0, "file": "x.npy"}}})"},
    {"a file that is not there", R"({"arrays": {"x": {"file": "x.npy"}}})"},
    {"a matrix that is not there", R"({"matrices": {"A": "nowhere.mtx"}})"},
    {"no values", R"({"parameters": {"T": []}})"},
    {"a value that is none", R"({"parameters": {"T": [1, true]}})"},
    {"a value twice", R"({"parameters": {"T": [1, 1]}})"},
    {"a value with both quotes", R"({"parameters": {"OPT": {"values": ["-DA='\" b'"]}}})"},
    {"a range that runs backwards", R"({"parameters": {"T": "64:8:x2"}})"},
    {"an unknown kind", R"({"parameters": {"OPT": {"kind": "flags"}}})"},
    {"a condition of an unknown parameter", R"({"parameters": {"OPT": {"when": "U > 1"}}})"},
    {"a rule of an unknown parameter", R"({"where": ["TT < 4"]})"},
    {"a rule that is no text", R"({"where": [4]})"},
    {"an empty rule", R"({"where": [""]})"},
    {"work of an unknown name", R"({"flops": "2*m"})"},
    {"work that is no number", R"({"flops": true})"},
    {"arithmetic of an unknown type", R"({"arithmetic": "f16"})"},
    {"work items of a kernel in C", R"({"global": ["n"]})"},
    {"flags that are none", R"({"flags": [3]})"},
};

const std::string kJobDocument = R"doc({
  "schema": "rooftune/job/1",
  "kernels": {"mine": {"source": "mine.c", "sizes": {"n": 64}, "call": "f(n, y, y)",
              "arrays": {"y": {"direction": "inout", "type": "f64", "count": "n"}}}},
  "problems": [{"kernel": "mine", "problem": {"n": "128"}}]
})doc";

const std::vector<Change> kJobMistakes{
    {"an unknown kernel", R"({"problems": [{"kernel": "mime"}]})"},
    {"a kernel of no kind", R"({"problems": [{"kernel": 3}]})"},
    {"a kernel of a family", R"({"problems": [{"kernel": "mine", "family": "spmv"}]})"},
    {"a kernel and a source", R"({"problems": [{"kernel": "mine", "problem": {"source": "mine.c"}}]})"},
    {"a size that it does not have", R"({"problems": [{"kernel": "mine", "problem": {"m": "3"}}]})"},
    {"a mistake in the kernel", R"({"kernels": {"mine": {"flop": 3}}})"},
    {"a mistake in the entry's own kernel", R"({"problems": [{"kernel": {"source": "mine.c"}}]})"},
    {"kernels in a list", R"({"kernels": []})"},
};

}  // namespace

TEST_CASE("a mistake in a kernel's document: file, key, what and what to do; status 2") {
    check_golden("own/document_mistakes.txt", told_of_changes(kKernelMistakes, kKernelDocument));
}

TEST_CASE("a mistake in a job with kernels of its own: the same") {
    check_golden("own/job_mistakes.txt", told_of_changes(kJobMistakes, kJobDocument));
}
