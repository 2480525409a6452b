#include "tuner/formats/fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

/// Throws InputError, with what to do, for a document whose "schema" is an earlier version of `schema`.
void refuse_older(StrictObject& object, std::string_view schema, std::string_view what_to_do) {
    if (!object.has("schema")) return;
    const Json& found = object.value("schema");
    if (!found.is_string()) return;
    const auto& text = found.get_ref<const std::string&>();
    const std::string_view name = schema.substr(0, schema.rfind('/') + 1);
    // Versions so far are one digit, so that texts of equal length compare as numbers do.
    if (!text.starts_with(name) || text.size() != schema.size() || text >= schema) return;
    json_mismatch(
        object.file(), object.pointer_to("schema"), "the text \"" + std::string(schema) + "\"",
        describe_json(found) + ", which an older version of this program wrote: " + std::string(what_to_do));
}

/// Equal as sets of keys and values; `==` of ordered objects also asks for the same order.
bool same(const Json& a, const Json& b) {
    if (!a.is_object() || !b.is_object()) return a == b;
    if (a.size() != b.size()) return false;
    for (const auto& [key, value] : a.items()) {
        const auto other = b.find(key);
        if (other == b.end() || !same(value, *other)) return false;
    }
    return true;
}

}  // namespace

Fields::Fields(Json& out) : out_(&out) {
    out = Json::object();
}

Fields::Fields(StrictObject in) : in_(std::move(in)) {}

void Fields::put(std::string_view key, Json value) {
    if (!out_->emplace(std::string(key), std::move(value)).second)
        throw std::logic_error("a list of fields has \"" + std::string(key) + "\" twice");
}

void Fields::schema(std::string_view name, std::string_view older) {
    if (!in_) return put("schema", name);
    if (!older.empty()) refuse_older(*in_, name, older);
    in_->schema(name);
}

void Fields::operator()(std::string_view key, std::string& value) {
    in_ ? void(value = in_->text(key)) : put(key, value);
}

void Fields::operator()(std::string_view key, bool& value) {
    in_ ? void(value = in_->flag(key)) : put(key, value);
}

void Fields::operator()(std::string_view key, int& value, int least, int most) {
    in_ ? void(value = static_cast<int>(in_->integer(key, least, most))) : put(key, value);
}

void Fields::operator()(std::string_view key, std::uint64_t& value) {
    in_ ? void(value = in_->count(key)) : put(key, value);
}

void Fields::operator()(std::string_view key, double& value, double least, double most) {
    in_ ? void(value = in_->number(key, least, most)) : put(key, finite_or_null(value));
}

void Fields::operator()(std::string_view key, std::vector<std::string>& values) {
    in_ ? void(values = in_->texts(key)) : put(key, values);
}

void Fields::operator()(std::string_view key, std::vector<std::int64_t>& values) {
    in_ ? void(values = in_->integers(key)) : put(key, values);
}

void Fields::operator()(std::string_view key, std::vector<double>& values) {
    if (in_) {
        values = in_->numbers(key);
        return;
    }
    Json all = Json::array();
    for (const double value : values) all.push_back(finite_or_null(value));
    put(key, std::move(all));
}

void Fields::operator()(std::string_view key, std::map<std::string, std::string>& values) {
    in_ ? void(values = in_->text_map(key)) : put(key, values);
}

void Fields::operator()(std::string_view key, std::map<std::string, std::uint64_t>& values) {
    if (!in_) return put(key, values);
    StrictObject inner = in_->object(key);
    values.clear();
    for (const auto& [name, value] : in_->value(key).items()) values[name] = inner.count(name);
}

void Fields::operator()(std::string_view key, std::vector<std::pair<std::string, double>>& values) {
    if (in_) {
        values = in_->number_map(key);
        return;
    }
    Json all = Json::object();
    for (const auto& [name, value] : values) all[name] = finite_or_null(value);
    put(key, std::move(all));
}

void Fields::one_of(std::string_view key, std::string& value,
                    std::initializer_list<std::string_view> allowed) {
    in_ ? void(value = in_->one_of(key, allowed)) : put(key, value);
}

void Fields::ahead(std::string_view key, std::string& value) {
    if (in_ && in_->has(key)) value = in_->text(key);
}

void Fields::always(std::string_view key, int value) {
    in_ ? void(in_->number(key, value, value)) : put(key, value);
}

void Fields::follows(std::string_view key, const Json& value, const std::string& source) {
    if (!in_) return put(key, value);
    if (!same(in_->value(key), value)) in_->fail(key, "what " + source + " says, " + value.dump());
}

void Fields::text_or_null(std::string_view key, std::string& value) {
    if (known(key, !value.empty()))
        (*this)(key, value);
    else
        value.clear();
}

void Fields::number_or_null(std::string_view key, double& value, double when_null) {
    if (known(key, std::isfinite(value)))
        (*this)(key, value);
    else
        value = when_null;
}

void Fields::positive_or_null(std::string_view key, double& value, double least) {
    if (known(key, std::isfinite(value) && value > 0.0))
        (*this)(key, value, least);
    else
        value = 0.0;
}

bool Fields::has(std::string_view key, bool written) {
    return in_ ? in_->has(key) : written;
}

bool Fields::known(std::string_view key, bool written) {
    if (in_) return !in_->is_null(key);
    if (!written) put(key, nullptr);
    return written;
}

void Fields::null(std::string_view key, std::string_view expected) {
    if (!in_) return put(key, nullptr);
    if (!in_->is_null(key)) in_->fail(key, std::string(expected));
}

Fields Fields::object(std::string_view key) {
    if (in_) return Fields(in_->object(key));
    put(key, nullptr);
    return Fields(out_->back());
}

std::vector<Fields> Fields::objects(std::string_view key, std::size_t size) {
    std::vector<Fields> all;
    if (in_) {
        for (StrictObject& element : in_->objects(key)) all.emplace_back(std::move(element));
        return all;
    }
    put(key, Json::array());
    Json& array = out_->back();
    array.get_ref<Json::array_t&>().resize(size);
    for (Json& element : array) all.emplace_back(element);
    return all;
}

void Fields::require(bool holds, std::string_view key, std::string_view expected,
                     std::string_view found) const {
    if (!in_ || holds) return;
    if (found.empty()) in_->fail(key, std::string(expected));
    json_mismatch(in_->file(), in_->pointer_to(key), std::string(expected), std::string(found));
}

void Fields::finish() const {
    if (in_) in_->finish();
}

}  // namespace rooftune
