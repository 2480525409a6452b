#include "tuner/measure/protocol.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tuner/measure/checked_evaluator.h"

namespace rooftune {
namespace {

using nlohmann::json;

json rules_to_json(const SamplingRules& rules) {
    return {{"batch_seconds", rules.batch_seconds},
            {"batches", rules.batches},
            {"abandon_above", rules.abandon_above}};
}

SamplingRules rules_from(const json& j) {
    return {j.at("batch_seconds").get<double>(), j.at("batches").get<int>(),
            j.at("abandon_above").get<double>()};
}

// JSON spells neither infinity, which a wrong answer's error may be, nor NaN, which a broken clock may show.
json number(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}
double number_from(const json& j) {
    return j.is_string() ? std::strtod(j.get<std::string>().c_str(), nullptr) : j.get<double>();
}

json record_to_json(const Record& record) {
    json slots = json::array();
    for (const Slot& slot : record.slots)
        slots.push_back({number(slot.seconds), slot.repetitions, slot.disturbed});
    return {{"variant", record.variant},
            {"outcome", to_text(record.outcome)},
            {"detail", record.detail},
            {"slots", slots},
            {"error", number(record.error)},
            {"prepare_seconds", number(record.prepare_seconds)},
            {"traffic", {record.traffic.seen, number(record.traffic.bytes), record.traffic.source}}};
}

Record record_from(const json& j) {
    Record record;
    record.variant = j.at("variant").get<std::map<std::string, std::string>>();
    if (!outcome_from(j.at("outcome").get<std::string>(), record.outcome))
        record.outcome = Outcome::environment;
    record.detail = j.at("detail").get<std::string>();
    for (const json& slot : j.at("slots")) {
        record.slots.push_back({number_from(slot.at(0)), slot.at(1).get<int>(), slot.at(2).get<bool>()});
    }
    record.error = number_from(j.at("error"));
    record.prepare_seconds = number_from(j.at("prepare_seconds"));
    const json& traffic = j.at("traffic");
    record.traffic = {traffic.at(0).get<bool>(), number_from(traffic.at(1)),
                      traffic.at(2).get<std::string>()};
    refuse_impossible(record);
    return record;
}

// Conditions by position: both ends are always the same program.
json ceiling_to_json(const Ceiling& c) {
    const Conditions& w = c.when;
    return {static_cast<int>(c.resource),
            static_cast<int>(w.dtype),
            w.width_bits,
            static_cast<int>(w.mix),
            w.chains,
            w.threads,
            w.footprint.value,
            w.streams,
            w.huge_pages,
            number(c.max),
            number(c.p95),
            number(c.median),
            c.windows,
            c.seen,
            c.source,
            c.excludes,
            w.device,
            w.unit,
            w.sparse,
            w.stride.value,
            static_cast<int>(w.prefetch),
            w.shared,
            w.remote};
}

Ceiling ceiling_from(const json& j) {
    Ceiling c;
    Conditions& w = c.when;
    c.resource = static_cast<Resource>(j.at(0).get<int>());
    w.dtype = static_cast<DType>(j.at(1).get<int>());
    w.width_bits = j.at(2).get<int>();
    w.mix = static_cast<Mix>(j.at(3).get<int>());
    w.chains = j.at(4).get<int>();
    w.threads = j.at(5).get<int>();
    w.footprint = Bytes(j.at(6).get<double>());
    w.streams = j.at(7).get<int>();
    w.huge_pages = j.at(8).get<bool>();
    c.max = number_from(j.at(9));
    c.p95 = number_from(j.at(10));
    c.median = number_from(j.at(11));
    c.windows = j.at(12).get<int>();
    c.seen = j.at(13).get<std::string>();
    c.source = j.at(14).get<std::string>();
    c.excludes = j.at(15).get<bool>();
    w.device = j.at(16).get<std::string>();
    w.unit = j.at(17).get<std::string>();
    w.sparse = j.at(18).get<bool>();
    w.stride = Bytes(j.at(19).get<double>());
    w.prefetch = static_cast<Prefetch>(j.at(20).get<int>());
    w.shared = j.at(21).get<bool>();
    w.remote = j.at(22).get<bool>();
    refuse_impossible(c);
    return c;
}

json ceilings_to_json(const std::vector<Ceiling>& ceilings) {
    json out = json::array();
    for (const Ceiling& c : ceilings) out.push_back(ceiling_to_json(c));
    return out;
}

std::vector<Ceiling> ceilings_from(const json& j) {
    std::vector<Ceiling> out;
    for (const json& c : j) out.push_back(ceiling_from(c));
    return out;
}

}  // namespace

json to_json(const WorkerSetup& s) {
    return {{"ask", "load"},
            {"family", s.family},
            {"spec", s.spec},
            {"backend", to_text(s.target.backend)},
            {"device", s.target.device.id},
            {"widths", s.target.width_bits},
            {"threads", s.target.threads},
            {"numa_nodes", s.target.numa_nodes},
            {"state", to_text(s.state)},
            {"cpus", s.cpus},
            {"shared", s.shared}};
}

WorkerSetup setup_from(const json& j) {
    WorkerSetup s;
    s.family = j.at("family").get<std::string>();
    s.spec = j.at("spec").get<ProblemSpec>();
    s.target.backend = backend_from(j.at("backend").get<std::string>()).value_or(Backend::cpu);
    s.target.device.id = j.at("device").get<std::string>();
    s.target.width_bits = j.at("widths").get<std::vector<int>>();
    s.target.threads = j.at("threads").get<int>();
    s.target.numa_nodes = j.at("numa_nodes").get<int>();
    s.state = state_from(j.at("state").get<std::string>()).value_or(State::warm);
    s.cpus = j.at("cpus").get<std::vector<int>>();
    s.shared = j.at("shared").get<bool>();
    return s;
}

json to_json(const MeasureRequest& r) {
    return {{"ask", "measure"},  {"variant", r.variant},
            {"slots", r.slots},  {"rules", rules_to_json(r.rules)},
            {"seeds", r.seeds},  {"incumbent_high", r.incumbent_high},
            {"verify", r.verify}};
}

MeasureRequest measure_from(const json& j) {
    return {j.at("variant").get<std::map<std::string, std::string>>(),
            rules_from(j.at("rules")),
            j.at("slots").get<int>(),
            j.at("incumbent_high").get<double>(),
            j.at("seeds").get<std::vector<std::uint64_t>>(),
            j.at("verify").get<bool>()};
}

json to_json(const RotateRequest& r) {
    return {{"ask", "rotate"},    {"variants", r.variants}, {"rules", rules_to_json(r.rules)},
            {"rounds", r.rounds}, {"seconds", r.seconds},   {"seeds", r.seeds}};
}

RotateRequest rotate_from(const json& j) {
    return {j.at("variants").get<std::vector<std::map<std::string, std::string>>>(),
            rules_from(j.at("rules")), j.at("rounds").get<int>(), j.at("seconds").get<double>(),
            j.at("seeds").get<std::vector<std::uint64_t>>()};
}

json to_json(const ProbeRequest& r) {
    return {{"ask", "probe"}, {"ceilings", ceilings_to_json(r.ceilings)}, {"seconds", r.seconds}};
}

ProbeRequest probe_from(const json& j) {
    return {ceilings_from(j.at("ceilings")), j.at("seconds").get<double>()};
}

json to_json(const WorkerLine& line) {
    json records = json::array();
    for (const Record& record : line.records) records.push_back(record_to_json(record));
    return {{"phase", line.phase},
            {"detail", line.detail},
            {"records", records},
            {"ceilings", ceilings_to_json(line.ceilings)}};
}

WorkerLine line_from(const std::string& text) {
    const json j = json::parse(text);
    WorkerLine line;
    line.phase = j.at("phase").get<std::string>();
    line.detail = j.at("detail").get<std::string>();
    for (const json& record : j.at("records")) line.records.push_back(record_from(record));
    line.ceilings = ceilings_from(j.at("ceilings"));
    return line;
}

}  // namespace rooftune
