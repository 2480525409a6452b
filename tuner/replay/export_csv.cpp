#include <algorithm>
#include <array>

#include "tuner/base/csv_field.h"
#include "tuner/measure/statistics.h"
#include "tuner/replay/export_formats.h"

namespace rooftune {
namespace {

constexpr std::array<const char*, 14> kColumns{"job",
                                               "record",
                                               "at_utc",
                                               "role",
                                               "outcome",
                                               "detail",
                                               "error_over_tolerance",
                                               "prepare_seconds",
                                               "slots",
                                               "disturbed_slots",
                                               "median_seconds",
                                               "low_seconds",
                                               "high_seconds",
                                               "least_seconds"};
constexpr int kFullInterval = 8;

std::string column_of(const std::string& parameter) {
    const bool taken = std::find(kColumns.begin(), kColumns.end(), parameter) != kColumns.end();
    return csv_field((taken ? "parameter_" : "") + parameter);
}

// Median, its interval, and the least; empty cells without slots.
std::string times_of(const Record& record) {
    if (record.slots.empty()) return ",,,";
    const TimeInterval t = interval_of(record.slots);
    const bool full = t.slots >= kFullInterval;
    return csv_field(t.median) + "," + (full ? csv_field(t.low) : "") + "," +
           (full ? csv_field(t.high) : "") + "," + csv_field(t.min);
}

}  // namespace

std::string csv_text(const RecordedJob& job, const std::vector<StoredRecord>& records) {
    std::string text;
    for (const char* column : kColumns) text += (text.empty() ? "" : ",") + std::string(column);
    for (const RecordedParameter& p : job.space.parameters) text += "," + column_of(p.name);
    text += "\r\n";
    const std::string hash = job.key.hash();
    for (const StoredRecord& stored : records) {
        const Record& r = stored.record;
        const auto disturbed =
            std::count_if(r.slots.begin(), r.slots.end(), [](const Slot& s) { return s.disturbed; });
        text += hash + "," + std::to_string(stored.id) + "," + csv_field(r.when) + "," + csv_field(r.role) +
                "," + csv_field(std::string(to_text(r.outcome))) + "," + csv_field(r.detail) + "," +
                csv_field(r.error) + "," + csv_field(r.prepare_seconds) + "," +
                std::to_string(r.slots.size()) + "," + std::to_string(disturbed) + "," + times_of(r);
        for (const RecordedParameter& p : job.space.parameters) {
            const auto value = r.variant.find(p.name);
            text += "," + (value == r.variant.end() ? "" : csv_field(value->second));
        }
        text += "\r\n";
    }
    return text;
}

}  // namespace rooftune
