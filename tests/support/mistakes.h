// Mistakes planted in annotations, descriptions or JSON documents, and what `check` says of each.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/session.h"

namespace rooftune::test {

struct Mistake {
    std::string name;
    std::vector<std::string> lines;
    std::vector<std::string> sizes{};
};

/// Lines that are right, with one more behind them, or in place of the one that begins so.
inline std::vector<std::string> changed(std::vector<std::string> right, const std::string& wrong,
                                        const std::string& in_place_of = "") {
    if (in_place_of.empty()) right.push_back(wrong);
    for (std::string& line : right) {
        if (!in_place_of.empty() && line.starts_with(in_place_of)) line = wrong;
    }
    return right;
}

/// A text with another one in place of each of these.
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// What `rooftune check` says of each in a file of this name, where every line begins with `mark`; it has to
/// end with status 2 and nothing on standard output. Where the file lies is written FOLDER.
inline std::string told_of(const std::vector<Mistake>& mistakes, const std::string& name,
                           const std::string& mark, const std::string& behind) {
    const TemporaryFolder folder;
    std::string text;
    for (const Mistake& mistake : mistakes) {
        const std::string file = folder / name;
        std::ofstream source(file);
        for (const std::string& line : mistake.lines) source << mark << line << "\n";
        source << behind;
        source.close();
        std::vector<std::string> words{program(), "check", file};
        words.insert(words.end(), mistake.sizes.begin(), mistake.sizes.end());
        const Finished f = run(words);
        INFO(mistake.name << ": " << f.out << f.error);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        text += mistake.name + "\n  " + f.told();
    }
    const std::string there = folder / "";
    return replaced(text, there.substr(0, there.size() - 1), "FOLDER");
}

/// A change of a JSON document that is right: a merge patch, or a list of operations.
struct Change {
    std::string name;
    std::string patch;
};

/// What `rooftune check` says of a JSON document after each change, with status 2; beside it are the sources
/// mine.c and mine.cl, of a kernel f.
inline std::string told_of_changes(const std::vector<Change>& changes, const std::string& document) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.c") << "void f(long n, double* x, double* y) { y[0] = x[0] * n; }\n";
    std::ofstream(folder / "mine.cl") << "__kernel void f(__global float* x) { x[get_global_id(0)] = 1; }\n";
    std::string text;
    for (const Change& change : changes) {
        nlohmann::ordered_json changed = nlohmann::ordered_json::parse(document);
        const nlohmann::ordered_json patch = nlohmann::ordered_json::parse(change.patch);
        if (patch.is_array())
            changed = changed.patch(patch);
        else
            changed.merge_patch(patch);
        std::ofstream(folder / "mine.json") << changed.dump(2) << "\n";
        const Finished f = run({program(), "check", folder / "mine.json"});
        INFO(change.name << ": " << f.out << f.error);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        text += change.name + "\n  " + f.told();
    }
    const std::string there = folder / "";
    return replaced(text, there.substr(0, there.size() - 1), "FOLDER");
}

}  // namespace rooftune::test
