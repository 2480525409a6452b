#include "tuner/plans/tuned.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/formats/config_catalogue.h"
#include "tuner/plans/tuned_inside.h"

namespace rooftune {
namespace {

// Throws what this_machine() throws.
void add(Tuned::Inside& inside, CatalogueEntry& entry) {
    const std::vector<std::string>& here = this_machine().fingerprints;
    if (auto* config = std::get_if<TunedConfig>(&entry.what)) {
        const bool applies = std::any_of(here.begin(), here.end(), [&](const std::string& fingerprint) {
            return applies_to(*config, fingerprint);
        });
        inside.configs.push_back({entry.path, std::move(*config), applies});
    } else if (auto* set = std::get_if<TunedSet>(&entry.what)) {
        const bool applies = std::find(here.begin(), here.end(), set->machine_id) != here.end();
        inside.sets.push_back({entry.path, std::move(*set), applies});
    } else if (const auto* unreadable = std::get_if<Unreadable>(&entry.what)) {
        inside.notices.push_back(unreadable->why + "; passed over");
    }
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
        return ThisMachine{fingerprint(topology), fingerprints_here(), topology};
    }();
    return machine;
}

std::string tuned_elsewhere(const std::string& machine_id, const std::string& processor) {
    std::string text = "tuned on another machine (" + processor;
    if (processor == this_machine().topology.cpu)
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
std::size_t Tuned::notice_count() const {
    return inside_->notices.size();
}
const std::string& Tuned::notice(std::size_t index) const {
    if (index >= inside_->notices.size())
        throw InputError("there are " + std::to_string(inside_->notices.size()) +
                         " notices, counted from 0, and no " + std::to_string(index));
    return inside_->notices[index];
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
    if (!std::filesystem::is_directory(inside->folder, error)) {
        inside->notices.push_back(
            inside->folder +
            ": there is no such folder, so every plan takes its default variant; name the "
            "one that `rooftune tune` wrote its configs to");
        return Tuned(std::move(inside));
    }
    ConfigCatalogue catalogue;
    try {
        catalogue = catalogue_at(inside->folder);
    } catch (const std::exception& e) {
        // Whatever is wrong with what was tuned, the program goes on with what is safe.
        catalogue.closed.push_back(inside->folder + ": cannot be read: " + e.what());
    }
    for (const std::string& why : catalogue.closed)
        inside->notices.push_back(why + "; what is in it was passed over");
    for (CatalogueEntry& entry : catalogue.entries) {
        try {
            add(*inside, entry);
        } catch (const std::exception& e) {
            inside->notices.push_back(std::string(e.what()) + "; passed over");
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
    } else if (catalogue.closed.empty() && inside->configs.empty() && inside->sets.empty()) {
        inside->notices.push_back(inside->folder +
                                  ": there is no tuned config, so every plan takes its default variant; "
                                  "`rooftune tune FAMILY … --out DIR` writes some");
    }
    return tuned;
}

}  // namespace rooftune
