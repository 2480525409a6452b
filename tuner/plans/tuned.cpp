#include "tuner/plans/tuned.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/config/schema_kind.h"
#include "tuner/plans/tuned_inside.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

void add(Tuned::Inside& inside, const std::string& file) {
    const std::string& here = this_machine().fingerprint;
    const Json document = read_json_file(file);
    if (claims_to_be(document, kTunedConfigSchema)) {
        TunedConfig config = tuned_config_from(document, file);
        const bool applies = applies_to(config, here);
        inside.configs.push_back({file, std::move(config), applies});
    } else if (claims_to_be(document, kTunedSetSchema)) {
        TunedSet set = tuned_set_from(document, file);
        const bool applies = set.machine_id == here;
        inside.sets.push_back({file, std::move(set), applies});
    }
}

// Throws EnvironmentError for a folder that is there and cannot be read.
std::vector<std::string> json_files(const fs::path& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() == ".json") files.push_back(entry->path().string());
    }
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        throw EnvironmentError(folder.string() + ": cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

template <typename T>
std::size_t count_here(const std::vector<FromFile<T>>& all, bool here) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const FromFile<T>& f) { return f.here == here; }));
}

}  // namespace

const ThisMachine& this_machine() {
    static const ThisMachine machine = [] {
        const Topology topology = read_topology();
        return ThisMachine{fingerprint(topology), std::max(1, topology.numa_nodes), topology.cpu};
    }();
    return machine;
}

std::string tuned_elsewhere(const std::string& machine_id, const std::string& processor) {
    std::string text = "tuned on another machine (" + processor;
    if (processor == this_machine().processor)
        text +=
            ", as this one, but with other processing units, vector widths, caches or host: " + machine_id +
            ", here " + this_machine().fingerprint;
    return text + ")";
}

Tuned::Tuned() : inside_(std::make_shared<const Inside>()) {}
Tuned::Tuned(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

std::size_t Tuned::configs() const {
    return count_here(inside_->configs, true);
}
std::size_t Tuned::sets() const {
    return count_here(inside_->sets, true);
}
std::size_t Tuned::of_other_machines() const {
    return count_here(inside_->configs, false) + count_here(inside_->sets, false);
}
const std::vector<std::string>& Tuned::notices() const {
    return inside_->notices;
}

Tuned load_tuned(const std::string& folder) {
    auto inside = std::make_shared<Tuned::Inside>();
    inside->folder = folder;
    if (folder.empty()) {
        const char* named = std::getenv("ROOFTUNE_TUNED");
        if (named) inside->folder = named;
    }
    if (inside->folder.empty()) return Tuned(std::move(inside));
    std::error_code error;
    if (!fs::is_directory(inside->folder, error)) {
        inside->notices.push_back(
            inside->folder +
            ": there is no such folder, so every plan takes its default variant; name the "
            "one that `rooftune tune` wrote its configs to");
        return Tuned(std::move(inside));
    }
    const fs::path root(inside->folder);
    bool readable = true;
    for (const fs::path& place : {root, root / "tuned"}) {
        std::vector<std::string> files;
        try {
            files = json_files(place);
        } catch (const EnvironmentError& e) {
            inside->notices.push_back(std::string(e.what()) + "; what is in it was passed over");
            readable = false;
        }
        for (const std::string& file : files) {
            try {
                add(*inside, file);
            } catch (const std::exception& e) {
                inside->notices.push_back(std::string(e.what()) + "; passed over");
            }
        }
    }
    const Tuned tuned(inside);
    if (const std::size_t others = tuned.of_other_machines(); others > 0) {
        const auto elsewhere = [](const auto& f) { return !f.here; };
        const auto config = std::find_if(inside->configs.begin(), inside->configs.end(), elsewhere);
        const auto set = std::find_if(inside->sets.begin(), inside->sets.end(), elsewhere);
        const std::string where =
            config != inside->configs.end()
                ? tuned_elsewhere(config->what.result.machine_id, config->what.result.machine_name)
                : tuned_elsewhere(set->what.machine_id, set->what.machine_name);
        inside->notices.push_back(inside->folder + ": " + std::to_string(others) +
                                  (others == 1 ? " config was " : " configs were ") + where +
                                  " and passed over; tune here");
    } else if (readable && inside->configs.empty() && inside->sets.empty()) {
        inside->notices.push_back(inside->folder +
                                  ": there is no tuned config, so every plan takes its default variant; "
                                  "`rooftune tune FAMILY … --out DIR` writes some");
    }
    return tuned;
}

}  // namespace rooftune
