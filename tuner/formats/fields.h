// A document described once. A list of fields, `void fields(Fields& f, Report& r)` with a line a field, is
// what the writer follows and what the strict reader follows, so that the two cannot come to differ and a new
// field is one line here and one in the struct.
//
//     void fields(Fields& f, CeilingReport& c) {
//         f.one_of("of", c.of, {"problem", "winner"});
//         f("ceiling", c.ceiling);
//         f("max", c.max);                                // a number of at least 0
//         if (f.has("seen", !c.seen.empty())) f("seen", c.seen);  // a key that older files lack
//     }
//
// The list of a struct stands in the struct's namespace, where `f(key, struct)` finds it. Fields is one class
// with two directions and no template, so that a list is compiled once; what a kind of value looks like in
// JSON, both ways, is in fields.cpp.
#pragma once

#include <concepts>
#include <optional>

#include "tuner/formats/strict_json.h"

namespace rooftune {

/// An object while it is written or read, key by key in the order of the list. Reading throws InputError as
/// StrictObject does, and needs every key that the list asks for; finish() refuses all others.
class Fields {
public:
    /// Writes: makes `out` an object and appends to it. `out` must outlive this.
    explicit Fields(Json& out);
    /// Reads. The JSON value must outlive this.
    explicit Fields(StrictObject in);

    /// For what only one direction can do: rules among fields, and values that follow from others.
    bool reading() const { return in_.has_value(); }

    /// "schema", which must be exactly this. The first line of a document's list, so that a file of another
    /// version is called that and not a file with unknown keys. `older` is what to do about a file that an
    /// older version of this program wrote.
    void schema(std::string_view name, std::string_view older = {});

    void operator()(std::string_view key, std::string& value);
    void operator()(std::string_view key, bool& value);
    void operator()(std::string_view key, int& value, int least = 0,
                    int most = std::numeric_limits<int>::max());
    void operator()(std::string_view key, std::uint64_t& value);
    /// Reading: within [least, most]. What is not finite is written as null, which this does not read.
    void operator()(std::string_view key, double& value, double least = 0.0,
                    double most = std::numeric_limits<double>::max());
    void operator()(std::string_view key, std::vector<std::string>& values);
    void operator()(std::string_view key, std::vector<std::int64_t>& values);
    void operator()(std::string_view key, std::vector<double>& values);
    /// Objects whose keys are free.
    void operator()(std::string_view key, std::map<std::string, std::string>& values);
    void operator()(std::string_view key, std::map<std::string, std::uint64_t>& values);
    void operator()(std::string_view key, std::vector<std::pair<std::string, double>>& values);

    /// A text out of a closed set.
    void one_of(std::string_view key, std::string& value, std::initializer_list<std::string_view> allowed);
    /// Reading: a field that says what the others may be, before its own place in the list; it may be
    /// missing.
    void ahead(std::string_view key, std::string& value);
    /// A number that no field holds because the format fixes it.
    void always(std::string_view key, int value);
    /// A value that follows from those of `source`, and must be what they say.
    void follows(std::string_view key, const Json& value, const std::string& source);

    // Values that null stands for, where there is nothing to say.
    /// null ↔ the empty text
    void text_or_null(std::string_view key, std::string& value);
    /// null for what is not finite; read as `when_null`. Otherwise of at least 0.
    void number_or_null(std::string_view key, double& value, double when_null);
    /// null for what is not above 0 or not finite; read as 0. Otherwise of at least `least`.
    void positive_or_null(std::string_view key, double& value, double least = 0.0);

    /// A key that may be missing: whether it follows. Writing, as told; reading, whether it is there.
    bool has(std::string_view key, bool written);
    /// A key that may be null: the same, and writes the null.
    bool known(std::string_view key, bool written);
    /// A key that must be null here; `expected` says why.
    void null(std::string_view key, std::string_view expected);

    /// An object with the list of its struct, or with the list that a function of its Fields is.
    template <class T>
    void operator()(std::string_view key, T& value) {
        Fields inner = object(key);
        fields(inner, value);
        inner.finish();
    }
    template <std::invocable<Fields&> List>
    void inside(std::string_view key, const List& list) {
        Fields inner = object(key);
        list(inner);
        inner.finish();
    }
    /// An array of objects, likewise; `list` gets Fields and an element. All elements exist from the start,
    /// so that a rule of one may ask for their number.
    template <class T>
    void operator()(std::string_view key, std::vector<T>& values) {
        each(key, values, [](Fields& f, T& value) { fields(f, value); });
    }
    template <class T, class List>
    void each(std::string_view key, std::vector<T>& values, const List& list) {
        std::vector<Fields> elements = objects(key, values.size());
        values.resize(elements.size());
        for (std::size_t i = 0; i < elements.size(); ++i) {
            list(elements[i], values[i]);
            elements[i].finish();
        }
    }

    /// Reading: throws InputError at the key unless `holds`, for a rule that no type of field knows. `found`
    /// is what stands there, where the value itself would say too little.
    void require(bool holds, std::string_view key, std::string_view expected,
                 std::string_view found = {}) const;
    /// Reading: throws InputError for the first key that the list did not ask for.
    void finish() const;

private:
    Fields object(std::string_view key);
    std::vector<Fields> objects(std::string_view key, std::size_t size);
    /// Throws std::logic_error for a key that the list has twice.
    void put(std::string_view key, Json value);

    std::optional<StrictObject> in_;
    Json* out_ = nullptr;
};

/// What the list of a struct writes. Copies, because a list that also reads takes what it could write to.
template <class T>
void write_fields(Json& out, T value) {
    Fields f(out);
    fields(f, value);
}

/// What the list of a struct reads.
template <class T>
T read_fields(StrictObject object) {
    T value;
    Fields f(std::move(object));
    fields(f, value);
    f.finish();
    return value;
}

}  // namespace rooftune
