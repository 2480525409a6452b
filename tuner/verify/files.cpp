#include "tuner/verify/files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "kernels/runtime/error.h"
#include "tuner/formats/config_catalogue.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune::verify {
namespace {

namespace fs = std::filesystem;

// What is found in the order of the paths; claims of sets wait until those of configs are complete.
struct Search {
    Found found;
    std::vector<Claim> of_sets;
    std::set<std::string> seen, of_folders;

    std::size_t asked_about() const { return found.claims.size() + of_sets.size() + found.unreadable.size(); }
};

std::string called(const std::string& schema) {
    const std::string_view name = kind_name(schema);
    return name.empty() ? "a " + schema : std::string(name);
}

void take(const CatalogueEntry& entry, bool of_folder, Search& search) {
    const std::string& file = entry.path;
    if (const auto* config = std::get_if<TunedConfig>(&entry.what)) {
        search.found.claims.push_back(claim_of(*config, file));
    } else if (const auto* set = std::get_if<TunedSet>(&entry.what)) {
        for (Claim& claim : claims_of(*set, file)) search.of_sets.push_back(std::move(claim));
    } else if (const auto* unreadable = std::get_if<Unreadable>(&entry.what)) {
        search.found.unreadable.emplace_back(file, unreadable->why);
    } else {
        const std::string& kind = std::get<OtherDocument>(entry.what).kind;
        if (of_folder && !kind.empty())
            search.found.passed_over.push_back(file + ": " + called(kind) +
                                               ", neither tuned config nor tuned set");
        else
            search.found.unreadable.emplace_back(file, file + ": neither a tuned config nor a tuned set" +
                                                           (kind.empty() ? "" : ", but " + called(kind)));
    }
}

void look_at(const std::string& path, Search& search) {
    std::error_code none;
    const bool folder = fs::is_directory(path, none);
    if (!folder && !fs::exists(path, none))
        throw InputError(path +
                         ": there is no such file or folder; name tuned configs, tuned sets, or the "
                         "folder that `rooftune tune` wrote them to");
    ConfigCatalogue catalogue = catalogue_at(path);
    check_open(catalogue);
    for (CatalogueEntry& entry : catalogue.entries)
        entry.path = fs::path(entry.path).lexically_normal().string();
    std::sort(catalogue.entries.begin(), catalogue.entries.end(),
              [](const CatalogueEntry& a, const CatalogueEntry& b) { return a.path < b.path; });
    const std::size_t before = search.asked_about();
    bool known = false;
    for (const CatalogueEntry& entry : catalogue.entries) {
        if (folder && fs::is_directory(entry.path, none)) continue;
        if (folder) search.of_folders.insert(entry.path);
        if (search.seen.insert(entry.path).second)
            take(entry, folder, search);
        else
            known = true;
    }
    if (folder && !known && before == search.asked_about())
        throw InputError(path +
                         ": there is no tuned config in this folder, nor in its folder tuned/; name "
                         "another, or make some with `rooftune tune … --out " +
                         path + "`");
}

// Programs take the newest of those for one problem.
void leave_newest(Found& found, const std::set<std::string>& of_folders) {
    std::vector<std::pair<TunedSetting, std::string>> dated;
    for (const Claim& c : found.claims) dated.emplace_back(setting_of(c.tuned), c.created);
    const std::vector<std::size_t> newest = newest_of_each(dated);
    std::vector<Claim> left;
    for (std::size_t i = 0; i < newest.size(); ++i) {
        const Claim& c = found.claims[i];
        if (newest[i] == i || !of_folders.contains(c.file))
            left.push_back(c);
        else
            found.passed_over.push_back(c.file + ": " + found.claims[newest[i]].file +
                                        " is newer, for the same problem");
    }
    found.claims = std::move(left);
}

}  // namespace

Found find_claims(const std::vector<std::string>& paths) {
    Search search;
    for (const std::string& path : paths) look_at(path, search);
    leave_newest(search.found, search.of_folders);
    for (Claim& claim : search.of_sets) search.found.claims.push_back(std::move(claim));
    return std::move(search.found);
}

}  // namespace rooftune::verify
