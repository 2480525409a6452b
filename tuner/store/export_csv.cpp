#include <ostream>

#include "kernels/runtime/error.h"
#include "tuner/base/csv_field.h"
#include "tuner/store/database.h"
#include "tuner/store/store.h"
#include "tuner/store/store_lock.h"
#include "tuner/store/store_schema.h"

namespace rooftune {

void Store::export_csv(std::ostream& out, std::optional<JobId> job) {
    out << "job,family,backend,title,problem,digest,dtype,state,threads,machine,space_version,build,run,"
           "record,at,"
           "role,superseded,variant,outcome,detail,error,prepare_seconds,slot,seconds,repetitions,"
           "disturbed\n";
    const std::string contents = kRecordContents;
    Statement rows = database_->prepare(
        "SELECT hash, family, backend, title, problem, digest, dtype, state, threads, machine, "
        "space_version, build, "
        "run, record, at, role, superseded, variant, outcome, detail, error, prepare_seconds, slots, intact "
        "FROM "
        "(SELECT id AS record, run, superseded, " +
        contents + ", checksum = rooftune_checksum(" + contents +
        ") AS intact FROM records) AS r JOIN jobs ON jobs.id = r.job WHERE ?1 IS NULL OR r.job = ?1 "
        "ORDER BY record");
    if (job)
        rows.bind(*job);
    else
        rows.bind_null();
    while (rows.step()) {
        std::vector<Slot> slots;
        try {
            if (!rows.integer(23)) throw InputError("its checksum does not fit its contents");
            slots = slots_from(rows.text(22), "its slots");
        } catch (const InputError& damage) {
            notices_.push_back(path_ + ", record " + rows.text(13) + ": " + damage.what() +
                               "; it was left out");
            continue;
        }
        std::string line;
        for (int column = 0; column < 20; ++column) line += csv_field(rows.text(column)) + ",";
        line += csv_field(rows.real(20)) + "," + csv_field(rows.real(21));
        if (slots.empty()) out << line << ",,,,\n";
        for (std::size_t i = 0; i < slots.size(); ++i)
            out << line << ',' << i << ',' << csv_field(slots[i].seconds) << ',' << slots[i].repetitions
                << ',' << (slots[i].disturbed ? 1 : 0) << '\n';
        if (!out)
            throw EnvironmentError("the samples cannot be written: the output refuses more (a full disk?)");
    }
}

}  // namespace rooftune
