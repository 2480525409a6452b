#include "tuner/replay/recorded_space.h"

#include <algorithm>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/text_lines.h"
#include "tuner/measure/statistics.h"
#include "tuner/replay/formats.h"
#include "tuner/replay/rooftune_file.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/search/strategies/strategy.h"

namespace rooftune {
namespace {

[[noreturn]] void refuse_space(const std::string& path) {
    throw InputError(path +
                     ": not a recorded space; expected a Kernel Tuner cache (\"cache\"), T4 (\"results\"), "
                     "KTT's output (\"Results\"), what `rooftune export` wrote, or a rooftune.db");
}

// A source, a matrix, a table: where in it JSON ends is of no use to anybody.
bool is_no_document(std::string_view text) {
    const std::size_t begin = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    return begin != std::string_view::npos && text[begin] != '{' && text[begin] != '[';
}

RecordedSpace from_document(const Json& document, const std::string& path) {
    try {
        if (is_rooftune_records(document)) return from_rooftune_records(document, path).space;
        if (document.contains("cache")) return formats::from_kernel_tuner(document, path);
        if (document.contains("results")) return formats::from_t4(document, path);
        if (document.contains("Results")) return formats::from_ktt(document, path);
    } catch (const Json::exception& error) {
        throw InputError(path + ": a value of another kind than its format has there: " + error.what());
    }
    refuse_space(path);
}

RecordedSpace from_text(const std::string& text, const std::string& path) {
    if (is_no_document(text)) refuse_space(path);
    bool cut_short = false;
    const Json document = formats::parse_recorded(text, path, &cut_short);
    RecordedSpace space = from_document(document, path);
    if (cut_short) space.drawn = Drawn::cut_short;
    return space;
}

}  // namespace

std::string_view to_text(Drawn drawn) {
    switch (drawn) {
        case Drawn::whole:
            return "whole";
        case Drawn::uniform:
            return "uniform";
        case Drawn::searched:
            return "searched";
        case Drawn::cut_short:
            return "cut_short";
        case Drawn::unknown:
            break;
    }
    return "unknown";
}

std::vector<double> RecordedSpace::sorted() const {
    std::vector<double> seconds;
    for (const RecordedConfiguration& c : configurations) {
        if (const auto time = usable_time(c.seconds)) seconds.push_back(*time);
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

double RecordedSpace::unknown_cost() const {
    std::vector<double> known;
    for (const RecordedConfiguration& c : configurations) {
        if (c.cost > 0.0) known.push_back(c.cost);
    }
    return known.empty() ? 1.0 : median(known);
}

ListedLandscape RecordedSpace::landscape() const {
    std::vector<int> values;
    for (const RecordedParameter& p : parameters) values.push_back(static_cast<int>(p.values.size()));
    std::vector<std::vector<int>> points;
    for (const RecordedConfiguration& c : configurations) {
        std::vector<int>& point = points.emplace_back(c.values);
        for (std::size_t p = 0; p < point.size(); ++p) {
            if (parameters[p].values[static_cast<std::size_t>(point[p])] == kAbsentValue) point[p] = -1;
        }
    }
    return ListedLandscape(values, points);
}

void check_distinct(const RecordedSpace& space, const std::string& path) {
    std::set<std::vector<int>> seen;
    for (const RecordedConfiguration& c : space.configurations) {
        if (seen.insert(c.values).second) continue;
        std::string what;
        for (std::size_t p = 0; p < c.values.size(); ++p)
            what += (p > 0 ? ", " : "") + space.parameters[p].name + " " +
                    space.parameters[p].values[static_cast<std::size_t>(c.values[p])];
        throw InputError(path + ": the configuration " + what + " is there twice");
    }
}

RecordedSpace read_recorded_space(const std::string& path, const std::string& job,
                                  std::vector<std::string>* notices) {
    const RecordedSpace space =
        is_store_file(path) ? read_store_job(path, job, notices).space : from_text(read_import(path), path);
    check_distinct(space, path);
    if (space.sorted().empty())
        throw InputError(path + ": no configuration with a time; there is nothing to find");
    return space;
}

}  // namespace rooftune
