// Whose ceilings stand behind a result: of two stores with a machine of one name, its own.
#include "tuner/engine/result_machines.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/suggested.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;
using rooftune::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Machine scaled(double by) {
    Machine machine = toy::machine();
    for (Ceiling& c : machine.ceilings) {
        for (double* rate : {&c.max, &c.p95, &c.median}) *rate *= by;
    }
    return machine;
}

std::string store_with(const TemporaryFolder& folder, const std::string& name, const Machine& machine) {
    const std::string store = folder / name;
    fs::create_directories(fs::path(store) / "machines");
    fs::create_directories(fs::path(store) / "tuned");
    write_machine_file((fs::path(store) / "machines" / (machine.id + ".json")).string(), machine);
    return store;
}

// Tuned on this machine: the ceilings that bound it are the machine's first and last.
ResultFile tuned_on(const Machine& machine, const std::string& file) {
    ResultFile result;
    result.file = file;
    result.result.machine_id = machine.id;
    for (const Ceiling* c : {&machine.ceilings.front(), &machine.ceilings.back()})
        result.result.binding_ceilings.push_back({"winner", describe(*c), "", c->max, c->p95, c->median, ""});
    return result;
}

double height(const std::optional<Machine>& machine) {
    return machine ? machine->ceilings.front().max / toy::machine().ceilings.front().max : 0.0;
}

}  // namespace

TEST_CASE("a config has the machine of the folder that it lies in, whatever the usual one holds") {
    const TemporaryFolder folder;
    const Machine own = scaled(1.0), other = scaled(2.0);
    const std::string here = store_with(folder, "here", own), usual = store_with(folder, "usual", other);
    for (const std::string& place : {here + "/tuned/a.json", here + "/a.json"}) {
        const ResultFile file = tuned_on(own, place);
        CHECK(height(machine_of_result(file, {"", usual})) == Approx(1.0));
        CHECK(height(machine_of_result(file, {usual, usual})) == Approx(2.0));  // as the user says
        CHECK(height(machine_of_results({file, file}, {"", usual})) == Approx(1.0));
        REQUIRE(machines_of({file, file}, {"", usual}).size() == 1);
    }
    CHECK(results_folder_of(here + "/tuned/a.json") == here);
    CHECK(results_folder_of(folder / "a.json") == "");
    CHECK(results_folder_of(here + "/elsewhere/a.json") == "");
}

TEST_CASE("commands are suggested on the results folder that all files lie in, and on none else") {
    const TemporaryFolder folder;
    const std::string here = store_with(folder, "here", scaled(1.0)),
                      other = store_with(folder, "other", scaled(1.0));
    const auto suggested_for = [](const std::vector<ResultFile>& files) {
        suggest_results_folder("");
        suggest_folder_of(files);
        const std::string text = suggested("machine");
        suggest_results_folder("");
        return text;
    };
    const ResultFile a = tuned_on(scaled(1.0), here + "/tuned/a.json"),
                     b = tuned_on(scaled(1.0), here + "/tuned/b.json"),
                     c = tuned_on(scaled(1.0), other + "/tuned/c.json");
    CHECK(suggested_for({a, b}) == "`rooftune machine --results " + here + "`");
    CHECK(suggested_for({a, c}) == "`rooftune machine`");
    CHECK(suggested_for({a, tuned_on(scaled(1.0), folder / "a.json")}) == "`rooftune machine`");
    CHECK(suggested_for({}) == "`rooftune machine`");
}

TEST_CASE("a file that lies in no store has the usual machine only where that is its own") {
    const TemporaryFolder folder;
    const ResultFile file = tuned_on(scaled(1.0), folder / "a.json");
    const std::string own = store_with(folder, "own", scaled(1.0)),
                      raised = store_with(folder, "raised", scaled(1.1)),
                      foreign = store_with(folder, "foreign", scaled(0.9));
    CHECK(height(machine_of_result(file, {"", own})) == Approx(1.0));
    // Later runs raised its maxima.
    CHECK(height(machine_of_result(file, {"", raised})) == Approx(1.1));
    CHECK_FALSE(machine_of_result(file, {"", foreign}));
    CHECK_FALSE(machine_of_result(file, {"", folder / "none"}));
    ResultFile older = file;
    older.result.binding_ceilings.clear();
    CHECK_FALSE(machine_of_result(older, {"", own}));
    ResultFile elsewhere = file;
    elsewhere.result.binding_ceilings.back().ceiling = "load, 1 PiB";
    CHECK_FALSE(machine_of_result(elsewhere, {"", own}));
}

TEST_CASE("results of two stores share no machine, though it has one name") {
    const TemporaryFolder folder;
    const std::string a = store_with(folder, "a", scaled(1.0)), b = store_with(folder, "b", scaled(2.0));
    const ResultFile first = tuned_on(scaled(1.0), a + "/tuned/x.json"),
                     second = tuned_on(scaled(2.0), b + "/tuned/x.json");
    CHECK_FALSE(machine_of_results({first, second}, {"", a}));
    CHECK(height(machine_of_results({second}, {"", a})) == Approx(2.0));
    CHECK_FALSE(machine_of_results({}, {"", a}));
}
