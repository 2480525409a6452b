#include "tuner/measure/protocol.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "tuner/measure/checked_evaluator.h"

namespace rooftune {
namespace {

using nlohmann::json;

// A message while it is written or read, member by member. One list of members, `members(Wire&, T&)`, serves
// both directions, so that they cannot come to differ.
class Wire {
public:
    explicit Wire(json& out) : out_(&out) {}
    explicit Wire(const json& in) : in_(&in) {}

    bool reading() const { return in_ != nullptr; }

    template <class T>
    void operator()(const char* key, T& value) {
        in_ ? read(in_->at(key), value) : write((*out_)[key], value);
    }

    // By position, where there are many: both ends are always the same program.
    template <class... T>
    void in_order(T&... values) {
        std::size_t at = 0;
        ((in_ ? read(in_->at(at), values) : write((*out_)[at], values), ++at), ...);
    }

private:
    template <class T>
    static void write(json& out, T& value) {
        if constexpr (std::is_enum_v<T>) {
            out = static_cast<int>(value);
        } else if constexpr (std::is_class_v<T> && requires(Wire & w) { members(w, value); }) {
            Wire inner(out);
            members(inner, value);
        } else {
            out = value;
        }
    }
    // JSON spells neither infinity, which a wrong answer's error may be, nor NaN, which a broken clock may
    // show.
    static void write(json& out, double& value) {
        if (std::isfinite(value))
            out = value;
        else
            out = std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
    }
    template <class T>
    requires std::is_class_v<T>
    static void write(json& out, std::vector<T>& values) {
        out = json::array();
        for (T& value : values) write(out.emplace_back(), value);
    }

    template <class T>
    static void read(const json& in, T& value) {
        if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(whole<int>(in));
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            value = whole<T>(in);
        } else if constexpr (std::is_class_v<T> && requires(Wire & w) { members(w, value); }) {
            Wire inner(in);
            members(inner, value);
        } else {
            in.get_to(value);
        }
    }
    static void read(const json& in, double& value) {
        value = in.is_string() ? std::strtod(in.get_ref<const std::string&>().c_str(), nullptr)
                               : in.get<double>();
    }
    // The library converts whatever is a number, also one that the type cannot hold.
    template <class T>
    static T whole(const json& in) {
        const auto number = in.get_ref<const json::number_integer_t&>();
        const bool is_held =
            in.is_number_unsigned() ? std::in_range<T>(in.get<std::uint64_t>()) : std::in_range<T>(number);
        if (!is_held) in.at(in.dump());  // throws, as whatever is no message does
        return in.get<T>();
    }
    template <class T>
    requires std::is_class_v<T> || std::is_integral_v<T>
    static void read(const json& in, std::vector<T>& values) {
        values.clear();
        for (const json& one : in) read(one, values.emplace_back());
    }

    json* out_ = nullptr;
    const json* in_ = nullptr;
};

}  // namespace

// In the namespace of what they describe, where Wire finds them.

static void members(Wire& w, SamplingRules& r) {
    w("batch_seconds", r.batch_seconds);
    w("batches", r.batches);
    w("abandon_above", r.abandon_above);
}

static void members(Wire& w, Slot& s) {
    w.in_order(s.seconds, s.repetitions, s.disturbed, s.crowded);
}

static void members(Wire& w, MeasuredTraffic& t) {
    w.in_order(t.seen, t.bytes, t.source);
}

static void members(Wire& w, Record& r) {
    w("variant", r.variant);
    w("outcome", r.outcome);
    w("detail", r.detail);
    w("slots", r.slots);
    w("error", r.error);
    w("prepare_seconds", r.prepare_seconds);
    w("traffic", r.traffic);
    w("companion", r.companion);
    if (w.reading()) refuse_impossible(r);
}

static void members(Wire& w, Ceiling& c) {
    Conditions& when = c.when;
    w.in_order(c.resource, when.dtype, when.width_bits, when.mix, when.chains, when.threads,
               when.footprint.value, when.streams, when.huge_pages, c.max, c.p95, c.median, c.windows, c.seen,
               c.source, c.excludes, when.device, when.unit, when.sparse, when.stride.value, when.prefetch,
               when.shared, when.remote, c.undisturbed, c.top, when.besides.vectors, when.besides.crossing,
               when.besides.scalars, when.besides.gathered);
    if (w.reading()) refuse_impossible(c);
}

static void members(Wire& w, WorkerSetup& s) {
    w("family", s.family);
    w("spec", s.spec);
    w("backend", s.target.backend);
    w("device", s.target.device.id);
    w("widths", s.target.width_bits);
    w("threads", s.target.threads);
    w("numa_nodes", s.target.numa_nodes);
    w("slow_gathers", s.target.slow_gathers);
    w("state", s.state);
    w("cpus", s.cpus);
    w("shared", s.shared);
}

static void members(Wire& w, MeasureRequest& r) {
    w("variant", r.variant);
    w("slots", r.slots);
    w("rules", r.rules);
    w("seeds", r.seeds);
    w("incumbent_high", r.incumbent_high);
    w("verify", r.verify);
    w("companion", r.companion);
    w("pauses", r.pauses);
}

static void members(Wire& w, RotateRequest& r) {
    w("variants", r.variants);
    w("rules", r.rules);
    w("rounds", r.rounds);
    w("seconds", r.seconds);
    w("seeds", r.seeds);
    w("beside", r.beside);
    w("turns_of_far_slower", r.turns_of_far_slower);
}

static void members(Wire& w, ProbeRequest& r) {
    w("ceilings", r.ceilings);
    w("seconds", r.seconds);
}

static void members(Wire& w, WorkerLine& line) {
    w("phase", line.phase);
    w("detail", line.detail);
    w("records", line.records);
    w("ceilings", line.ceilings);
    w("rates", line.rates);
}

// Copies, because a list that also reads takes what it could write to.
template <class T>
static std::string text_of(T message, const char* ask) {
    json out;
    if (ask) out["ask"] = ask;
    Wire w(out);
    members(w, message);
    return out.dump();
}

std::string to_text(const WorkerSetup& setup) {
    return text_of(setup, "load");
}
std::string to_text(const MeasureRequest& request) {
    return text_of(request, "measure");
}
std::string to_text(const RotateRequest& request) {
    return text_of(request, "rotate");
}
std::string to_text(const ProbeRequest& request) {
    return text_of(request, "probe");
}
std::string to_text(const WorkerLine& line) {
    return text_of(line, nullptr);
}

template <class T>
T message_from(const json& in) {
    T message;
    Wire w(in);
    members(w, message);
    return message;
}
template WorkerSetup message_from(const json& in);
template MeasureRequest message_from(const json& in);
template RotateRequest message_from(const json& in);
template ProbeRequest message_from(const json& in);
template WorkerLine message_from(const json& in);

}  // namespace rooftune
