#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/runtime/nearest.h"
#include "tuner/base/joined.h"
#include "tuner/formats/json_message.h"
#include "tuner/formats/schema_kind.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {
namespace {

/// `did you mean "threads"?`, or the known keys when none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
    if (const std::string near = nearest(name, known); !near.empty())
        return "; did you mean \"" + near + "\"?";
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(known.size(), kMost); ++i)
        text += (i ? ", " : "; known: ") + known[i];
    if (known.size() > kMost) text += ", and " + std::to_string(known.size() - kMost) + " more";
    return text;
}

std::string range(double least, double most) {
    constexpr double kEdge = std::numeric_limits<double>::max();
    const auto spell = [](double v) { return Json(v).dump(); };
    if (least <= -kEdge && most >= kEdge) return "a number";
    if (most >= kEdge) return "a number of at least " + spell(least);
    if (least <= -kEdge) return "a number of at most " + spell(most);
    return "a number from " + spell(least) + " to " + spell(most);
}

}  // namespace

StrictObject::StrictObject(const Json& value, std::string file, std::string pointer)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {
    if (!value.is_object()) json_mismatch(file_, pointer_, "an object", describe_json(value));
}

std::string StrictObject::pointer_to(std::string_view key) const {
    return pointer_ + '/' + pointer_token(key);
}

const Json* StrictObject::peek(std::string_view key) const {
    for (const auto& member : value_->get_ref<const Json::object_t&>())
        if (member.first == key) return &member.second;
    return nullptr;
}

const Json* StrictObject::find(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
    return peek(key);
}

bool StrictObject::has(std::string_view key) {
    return find(key) != nullptr;
}

bool StrictObject::is_null(std::string_view key) {
    const Json* found = find(key);
    return found && found->is_null();
}

const Json& StrictObject::value(std::string_view key) {
    if (const Json* found = find(key)) return *found;
    // The key may be there under a slip of the pen; say so instead of only that it is missing.
    std::vector<std::string> strangers;
    for (const auto& member : value_->get_ref<const Json::object_t&>())
        if (std::find(known_.begin(), known_.end(), member.first) == known_.end())
            strangers.push_back(member.first);
    const std::string near = nearest(key, strangers);
    json_mismatch(file_, pointer_, "the key \"" + std::string(key) + "\"",
                  near.empty() ? "none of that name" : "\"" + near + "\"");
}

void StrictObject::fail(std::string_view key, const std::string& expected) const {
    const Json* found = peek(key);
    json_mismatch(file_, pointer_to(key), expected, found ? describe_json(*found) : "nothing");
}

std::string StrictObject::text(std::string_view key) {
    const Json& found = value(key);
    if (!found.is_string()) fail(key, "a text");
    return found.get<std::string>();
}

std::string StrictObject::text_or(std::string_view key, std::string fallback) {
    return has(key) ? text(key) : std::move(fallback);
}

std::string StrictObject::one_of(std::string_view key, std::initializer_list<std::string_view> allowed) {
    const std::string found = text(key);
    if (std::find(allowed.begin(), allowed.end(), found) != allowed.end()) return found;
    fail(key, "one of " + joined(std::vector<std::string>(allowed.begin(), allowed.end()), ", "));
}

double StrictObject::number(std::string_view key, double least, double most) {
    const Json& found = value(key);
    if (!found.is_number()) fail(key, range(least, most));
    const double v = found.get<double>();
    if (!(v >= least && v <= most)) fail(key, range(least, most));
    return v;
}

double StrictObject::number_or(std::string_view key, double fallback, double least, double most) {
    return has(key) ? number(key, least, most) : fallback;
}

std::int64_t StrictObject::integer(std::string_view key, std::int64_t least, std::int64_t most) {
    const Json& found = value(key);
    std::string expected = "a whole number";
    if (least != std::numeric_limits<std::int64_t>::min() ||
        most != std::numeric_limits<std::int64_t>::max()) {
        expected += " of at least " + std::to_string(least);
        if (most != std::numeric_limits<std::int64_t>::max())
            expected += " and at most " + std::to_string(most);
    }
    if (!found.is_number_integer()) fail(key, expected);
    if (found.is_number_unsigned() &&
        found.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        fail(key, expected);
    const auto v = found.get<std::int64_t>();
    if (v < least || v > most) fail(key, expected);
    return v;
}

std::uint64_t StrictObject::count(std::string_view key) {
    const Json& found = value(key);
    if (!found.is_number_integer() || (!found.is_number_unsigned() && found.get<std::int64_t>() < 0))
        fail(key, "a whole number of at least 0");
    return found.get<std::uint64_t>();
}

int StrictObject::small(std::string_view key, int least) {
    return static_cast<int>(integer(key, least, std::numeric_limits<int>::max()));
}

bool StrictObject::flag(std::string_view key) {
    const Json& found = value(key);
    if (!found.is_boolean()) fail(key, "true or false");
    return found.get<bool>();
}

bool StrictObject::flag_or(std::string_view key, bool fallback) {
    return has(key) ? flag(key) : fallback;
}

StrictObject StrictObject::object(std::string_view key) {
    return {value(key), file_, pointer_to(key)};
}

const Json& StrictObject::array(std::string_view key) {
    const Json& found = value(key);
    if (!found.is_array()) fail(key, "an array");
    return found;
}

std::vector<StrictObject> StrictObject::objects(std::string_view key) {
    std::vector<StrictObject> all;
    for (const Json& element : array(key))
        all.emplace_back(element, file_, pointer_to(key) + '/' + std::to_string(all.size()));
    return all;
}

std::vector<std::string> StrictObject::texts(std::string_view key) {
    std::vector<std::string> all;
    for (const Json& element : array(key)) {
        if (!element.is_string())
            json_mismatch(file_, pointer_to(key) + '/' + std::to_string(all.size()), "a text",
                          describe_json(element));
        all.push_back(element.get<std::string>());
    }
    return all;
}

std::vector<std::int64_t> StrictObject::integers(std::string_view key) {
    std::vector<std::int64_t> all;
    for (const Json& element : array(key)) {
        const bool beyond = element.is_number_unsigned() && element.get<std::uint64_t>() > (UINT64_MAX >> 1);
        if (!element.is_number_integer() || beyond)
            json_mismatch(file_, pointer_to(key) + '/' + std::to_string(all.size()), "a whole number",
                          describe_json(element));
        all.push_back(element.get<std::int64_t>());
    }
    return all;
}

std::vector<double> StrictObject::numbers(std::string_view key) {
    std::vector<double> all;
    for (const Json& element : array(key)) {
        if (!element.is_number())
            json_mismatch(file_, pointer_to(key) + '/' + std::to_string(all.size()), "a number",
                          describe_json(element));
        all.push_back(element.get<double>());
    }
    return all;
}

std::map<std::string, std::string> StrictObject::text_map(std::string_view key) {
    const StrictObject inner = object(key);
    std::map<std::string, std::string> all;
    for (const auto& [name, element] : inner.value_->get_ref<const Json::object_t&>()) {
        if (!element.is_string()) inner.fail(name, "a text");
        all.emplace(name, element.get<std::string>());
    }
    return all;
}

std::vector<std::pair<std::string, double>> StrictObject::number_map(std::string_view key) {
    const StrictObject inner = object(key);
    std::vector<std::pair<std::string, double>> all;
    for (const auto& [name, element] : inner.value_->get_ref<const Json::object_t&>()) {
        if (!element.is_number()) inner.fail(name, "a number");
        all.emplace_back(name, element.get<double>());
    }
    return all;
}

void StrictObject::schema(std::string_view expected) {
    if (pointer_.empty()) check_kind(*value_, file_, expected);
    const Json& found = value("schema");
    if (!found.is_string() || found.get_ref<const std::string&>() != expected)
        fail("schema", "the text \"" + std::string(expected) + "\"");
}

void StrictObject::finish() const {
    for (const auto& member : value_->get_ref<const Json::object_t&>()) {
        if (std::find(known_.begin(), known_.end(), member.first) != known_.end()) continue;
        json_fault(file_, pointer_to(member.first),
                   "unknown key \"" + shortened(member.first) + "\"" + suggestion(member.first, known_));
    }
}

}  // namespace rooftune
