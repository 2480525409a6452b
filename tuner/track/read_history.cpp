#include "tuner/track/read_history.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/suggested.h"
#include "tuner/store/store_files.h"

namespace rooftune::track {
namespace {

// What can be read of the rows; `notice` is told of the others, one by one.
std::vector<Entry> entries_of(const std::vector<HistoryEntry>& rows, const std::string& path,
                              const Notice& notice) {
    std::vector<Entry> entries;
    for (const HistoryEntry& row : rows) {
        const std::string from = path + ", history entry " + std::to_string(row.id);
        try {
            entries.push_back(entry_from(parse_json(row.entry, from), from));
        } catch (const InputError& error) {
            notice(std::string(error.what()) + "; it is left out");
        }
    }
    return entries;
}

std::string none_readable(const std::string& path, std::size_t rows) {
    const std::string which = rows == 1 ? "its only history entry cannot"
                                        : "none of its " + std::to_string(rows) + " history entries can";
    return path + ": " + which + " be read by this version of rooftune; what " + suggested("track record") +
           " adds from now on can";
}

}  // namespace

std::vector<Entry> readable_history(Store& store, const Notice& notice) {
    const std::vector<HistoryEntry> rows = store.history();
    std::vector<Entry> entries = entries_of(rows, store.path(), notice);
    if (entries.empty() && !rows.empty()) notice(none_readable(store.path(), rows.size()));
    return entries;
}

std::vector<Entry> read_history(const std::string& path, const Notice& notice) {
    check_store_exists(path, suggested("track record") + " makes one, or name its folder with --results");
    Store store(path, StoreUse::read);
    const std::vector<HistoryEntry> rows = store.history();
    std::vector<Entry> entries = entries_of(rows, path, notice);
    for (const std::string& text : store.notices()) notice(text);
    if (rows.empty())
        throw InputError(path + ": holds no history yet; " + suggested("track record") + " begins one");
    if (entries.empty()) throw InputError(none_readable(path, rows.size()));
    return entries;
}

}  // namespace rooftune::track
