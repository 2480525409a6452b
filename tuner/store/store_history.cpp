#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/store/store.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"

namespace rooftune {

void Store::add_history(const std::vector<HistoryEntry>& entries) {
    Transaction transaction(*database_);
    Statement insert = database_->prepare(insert_sql("history", kHistoryContents));
    for (const HistoryEntry& e : entries) {
        insert.bind(e.machine).bind(e.kernel).bind(e.revision).bind(e.at.empty() ? utc_now() : e.at);
        insert.bind(e.entry).run();
    }
    const std::int64_t last = entries.empty() ? 0 : database_->last_id();
    transaction.commit();
    note({.history = last});
}

std::vector<HistoryEntry> Store::history() {
    Statement rows = database_->prepare(std::string("SELECT id, ") + kHistoryContents + ", " +
                                        intact_sql(kHistoryContents) + " FROM history ORDER BY id");
    std::vector<HistoryEntry> all;
    while (rows.step()) {
        if (!rows.integer(6)) {
            notices_.push_back(path_ + ", history entry " + rows.text(0) +
                               ": its checksum does not fit its contents; it was left out");
            continue;
        }
        all.push_back(
            {rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5)});
    }
    return all;
}

}  // namespace rooftune
