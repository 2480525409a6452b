#include "tuner/track/read_history.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/store/store.h"

namespace rooftune::track {

std::vector<Entry> read_history(const std::string& path, const Notice& notice) {
    if (!std::filesystem::exists(path))
        throw InputError(
            path +
            ": there is no store yet; `rooftune track record` makes one, or name its folder with "
            "--results");
    Store store(path, StoreUse::read);
    std::vector<Entry> entries;
    for (const HistoryEntry& row : store.history()) {
        const std::string from = path + ", history entry " + std::to_string(row.id);
        try {
            entries.push_back(entry_from(parse_json(row.entry, from), from));
        } catch (const InputError& error) {
            notice(std::string(error.what()) + "; it is left out");
        }
    }
    for (const std::string& text : store.notices()) notice(text);
    if (entries.empty())
        throw InputError(path + ": holds no history yet; `rooftune track record` begins one");
    return entries;
}

}  // namespace rooftune::track
