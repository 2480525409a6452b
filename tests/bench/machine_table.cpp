// How far ceilings repeat: reads several machine files of one machine and prints, by kind of ceiling,
// the ratio of the largest to the smallest maximum, and of the largest to the second largest, which margins
// rest on (Ceiling::margin). With --stored BEFORE AFTER: whether any fell.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tuner/formats/machine_file.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

const Ceiling* find(const Machine& machine, const Ceiling& like) {
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == like.resource && c.when == like.when) return &c;
    }
    return nullptr;
}

std::string kind_of(const Ceiling& c) {
    std::string kind(to_text(c.resource));
    if (c.when.mix != Mix::none) kind += " " + std::string(to_text(c.when.mix));
    if (c.resource == Resource::compute) kind += c.when.chains == 1 ? ", 1 chain" : ", more chains";
    if (c.resource == Resource::bandwidth) {
        kind += c.when.footprint.value <= 1 << 20    ? ", up to 1 MiB"
                : c.when.footprint.value <= 32 << 20 ? ", up to 32 MiB"
                                                     : ", beyond";
    }
    return kind + " | " + std::to_string(c.when.threads);
}

int repeats(const std::vector<Machine>& machines) {
    struct Ratios {
        std::vector<double> smallest, second;  // largest over each
    };
    std::map<std::string, Ratios> ratios;
    for (const Ceiling& c : machines.front().ceilings) {
        std::vector<double> rates;
        for (const Machine& machine : machines) {
            if (const Ceiling* same = find(machine, c)) rates.push_back(same->max);
        }
        std::sort(rates.rbegin(), rates.rend());
        if (rates.size() != machines.size() || rates.back() <= 0.0) continue;
        Ratios& kind = ratios[kind_of(c)];
        kind.smallest.push_back(rates[0] / rates.back());
        kind.second.push_back(rates[0] / rates[1]);
    }
    std::printf(
        "| ceiling | threads | ceilings | over the smallest: median | 95 %% | largest | over the second: "
        "median | "
        "95 %% | largest |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (auto& [kind, of] : ratios) {
        std::printf("| %s | %zu |", kind.c_str(), of.smallest.size());
        for (std::vector<double>* values : {&of.smallest, &of.second}) {
            std::sort(values->begin(), values->end());
            std::printf(" %.3f | %.3f | %.3f |", median(*values),
                        (*values)[static_cast<std::size_t>(0.95 * static_cast<double>(values->size() - 1))],
                        values->back());
        }
        std::printf("\n");
    }
    return 0;
}

int stored(const Machine& before, const Machine& after) {
    std::size_t fell = 0;
    std::size_t rose = 0;
    for (const Ceiling& c : before.ceilings) {
        const Ceiling* now = find(after, c);
        if (!now || now->max < c.max) ++fell;
        if (now && now->max > c.max) ++rose;
    }
    std::printf("Of %zu stored maxima %zu fell and %zu rose.\n", before.ceilings.size(), fell, rose);
    return fell == 0 ? 0 : 1;
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    using namespace rooftune;
    try {
        if (argc == 4 && std::strcmp(argv[1], "--stored") == 0) {
            return stored(read_machine_file(argv[2]), read_machine_file(argv[3]));
        }
        std::vector<Machine> machines;
        for (int i = 1; i < argc; ++i) machines.push_back(read_machine_file(argv[i]));
        if (machines.size() < 2) {
            std::fprintf(stderr, "usage: machine_table FILE FILE... | --stored BEFORE AFTER\n");
            return 2;
        }
        return repeats(machines);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "machine_table: %s\n", error.what());
        return 2;
    }
}
