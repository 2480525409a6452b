#include "tuner/validity/files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/config/schema_kind.h"

namespace rooftune::validity {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> json_files(const std::string& folder) {
    std::vector<std::string> paths;
    for (const fs::path& place : {fs::path(folder), fs::path(folder) / "tuned"}) {
        std::error_code error;
        for (fs::directory_iterator entry(place, error), end; !error && entry != end;
             entry.increment(error)) {
            std::error_code unknown;
            if (entry->path().extension() == ".json" && !fs::is_directory(entry->path(), unknown))
                paths.push_back(entry->path().lexically_normal().string());
        }
        if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
            throw EnvironmentError(place.string() + ": cannot be read: " + error.message() +
                                   "; make it readable, or name files in it");
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

// "rooftune/tune-result/4" of a document of ours; empty for others.
std::string kind_of(const Json& document) {
    if (!document.is_object()) return "";
    const auto schema = document.find("schema");
    if (schema == document.end() || !schema->is_string()) return "";
    const auto& text = schema->get_ref<const std::string&>();
    return text.starts_with("rooftune/") ? text : "";
}

void read(const std::string& file, bool of_folder, Found& found, std::vector<Claim>& of_sets) {
    try {
        const Json document = read_json_file(file);
        if (claims_to_be(document, kTunedConfigSchema)) {
            found.claims.push_back(claim_of(tuned_config_from(document, file), file));
        } else if (claims_to_be(document, kTunedSetSchema)) {
            for (Claim& claim : claims_of(tuned_set_from(document, file), file))
                of_sets.push_back(std::move(claim));
        } else if (const std::string kind = kind_of(document); of_folder && !kind.empty()) {
            found.passed_over.push_back(file + ": a " + kind + ", neither tuned config nor tuned set");
        } else {
            found.unreadable.emplace_back(file, file + ": neither a tuned config nor a tuned set" +
                                                    (kind.empty() ? std::string() : ", but a " + kind));
        }
    } catch (const InputError& error) {
        found.unreadable.emplace_back(file, error.what());
    } catch (const EnvironmentError& error) {
        found.unreadable.emplace_back(file, error.what());
    }
}

// Programs take the newest of those for one problem.
void leave_newest(Found& found, const std::set<std::string>& of_folders) {
    std::map<std::string, std::pair<std::string, std::string>> newest;  // date and file
    for (const Claim& c : found.claims) {
        auto& [created, file] = newest[subject(c)];
        // Dates are written so that later ones compare greater.
        if (file.empty() || created < c.created) {
            created = c.created;
            file = c.file;
        }
    }
    std::erase_if(found.claims, [&](const Claim& c) {
        const std::string& file = newest[subject(c)].second;
        if (file == c.file || !of_folders.contains(c.file)) return false;
        found.passed_over.push_back(c.file + ": " + file + " is newer, for the same problem");
        return true;
    });
}

}  // namespace

Found find_claims(const std::vector<std::string>& paths) {
    Found found;
    std::set<std::string> seen, of_folders;
    std::vector<Claim> of_sets;
    for (const std::string& path : paths) {
        std::error_code none;
        const bool folder = fs::is_directory(path, none);
        if (!folder && !fs::exists(path, none))
            throw InputError(path +
                             ": there is no such file or folder; name tuned configs, tuned sets, or the "
                             "folder that `rooftune tune` wrote them to");
        const std::vector<std::string> files =
            folder ? json_files(path) : std::vector<std::string>{fs::path(path).lexically_normal().string()};
        const std::size_t before = found.claims.size() + of_sets.size() + found.unreadable.size();
        bool known = false;
        for (const std::string& file : files) {
            if (folder) of_folders.insert(file);
            known = known || seen.contains(file);
            if (seen.insert(file).second) read(file, folder, found, of_sets);
        }
        if (folder && !known && before == found.claims.size() + of_sets.size() + found.unreadable.size())
            throw InputError(path +
                             ": there is no tuned config in this folder, nor in its folder tuned/; name "
                             "another, or make some with `rooftune tune … --out " +
                             path + "`");
    }
    leave_newest(found, of_folders);
    for (Claim& claim : of_sets) found.claims.push_back(std::move(claim));
    return found;
}

}  // namespace rooftune::validity
