#include "tuner/formats/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "kernels/runtime/error.h"
#include "tuner/formats/json_message.h"

namespace rooftune {
namespace {

/// "line 3, column 14" of a byte in the text.
std::string place(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto newline = before.rfind('\n');
    const auto column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

// Takes a document apart without memory. The library flattens a value before it destroys it, which needs as
// much again, in a destructor that may not throw: where memory had just run out, the program ended there.
// From the leaves upwards each container is empty when its own destructor runs.
void release(Json& value) noexcept {
    if (value.is_array()) {
        auto& items = value.get_ref<Json::array_t&>();
        for (Json& item : items) release(item);
        items.clear();
    } else if (value.is_object()) {
        auto& members = value.get_ref<Json::object_t&>();
        for (auto& member : members) release(member.second);
        members.clear();
    }
}

/// Builds the document and refuses what nlohmann's own builder lets pass: a key twice, integers
/// beyond 64 bits (it would round them), depth without limit.
class Builder : public nlohmann::json_sax<Json> {
public:
    Builder(std::string_view text, const std::string& file, const JsonLimits& limits)
        : text_(text), file_(file), limits_(limits), units_left_(kLeastUnits + text.size() / kBytesOfUnit) {}
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;
    ~Builder() override { release(root_); }

    Json take() { return std::move(root_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool v) override { return add(v); }
    bool number_integer(number_integer_t v) override { return add(v); }
    bool number_unsigned(number_unsigned_t v) override { return add(v); }
    bool number_float(number_float_t v, const string_t& spelling) override {
        if (spelling.find_first_of(".eE") == string_t::npos)
            json_fault(file_, pointer(),
                       "expected a whole number within 64 bits, found " + shortened(spelling));
        return add(v);
    }
    bool string(string_t& v) override { return add(std::move(v)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        Level& level = stack_.back();
        level.key = name;
        if (!level.keys.insert(name).second)
            json_fault(file_, pointer(), "expected each key once, found \"" + shortened(name) + "\" twice");
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        const std::string spot = place(text_, position);
        if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error))
            json_fault(file_, pointer(),
                       "expected a number within the range of a double, found " + shortened(token) + " (" +
                           spot + ")");
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw InputError(
                file_ + ": expected a JSON document, found an empty file; make it again, or name another");
        if (stack_.empty() && done_)
            throw InputError(
                file_ + ": expected the end of the file after the JSON document, found more text at " + spot);
        if (stack_.empty())
            throw InputError(file_ + ": expected a JSON document, found other text at " + spot +
                             "; name another file");
        json_fault(file_, pointer(), "not valid JSON at " + spot + ": " + reason(error.what()));
    }

private:
    struct Level {
        Json* container;
        std::string key;
        std::unordered_set<std::string> keys;
    };

    /// The library's message without its own prefix and position, which we give in our own words.
    static std::string reason(std::string what) {
        if (const auto colon = what.find("syntax error"); colon != std::string::npos) what.erase(0, colon);
        return what;
    }

    std::string pointer() const {
        std::string text;
        for (const Level& level : stack_)
            text += '/' + (level.container->is_array() ? std::to_string(level.container->size())
                                                       : pointer_token(level.key));
        return text;
    }

    Json* place_value(Json value) {
        const bool is_member = !stack_.empty() && stack_.back().container->is_object();
        const std::size_t units = 1 + (is_member ? 2U : 0U) + (value.is_structured() ? 2U : 0U);
        if (units > units_left_)
            json_fault(file_, shortened(pointer()),
                       "expected fewer or longer values in a document of its size, found too many");
        units_left_ -= units;
        if (stack_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Level& level = stack_.back();
        if (level.container->is_array()) {
            level.container->push_back(std::move(value));
            return &level.container->back();
        }
        // The keys are known to differ; emplace() would search them all again for each new one.
        auto& members = level.container->get_ref<Json::object_t&>();
        static_cast<Json::object_t::Container&>(members).emplace_back(level.key, std::move(value));
        return &members.back().second;
    }

    bool add(Json value) {
        place_value(std::move(value));
        done_ = stack_.empty();
        return true;
    }

    bool open(Json container) {
        if (static_cast<int>(stack_.size()) >= limits_.depth)
            json_fault(
                file_, shortened(pointer()),
                "expected at most " + std::to_string(limits_.depth) + " levels of nesting, found more");
        Json* opened = place_value(std::move(container));
        stack_.push_back({opened, {}, {}});
        return true;
    }

    bool close() {
        stack_.pop_back();
        done_ = stack_.empty();
        return true;
    }

    // A value takes 16 bytes of memory, a container and a key 32 more, and an array that grows twice that for
    // a moment: a file of commas alone would take fifteen times its size. Documents of people have longer
    // values.
    static constexpr std::size_t kLeastUnits = 8'000'000, kBytesOfUnit = 4;

    std::string_view text_;
    const std::string& file_;
    JsonLimits limits_;
    std::size_t units_left_;
    Json root_;
    bool done_ = false;
    std::vector<Level> stack_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        throw InputError(file + ": expected at most " + std::to_string(limits.bytes) + " bytes, found " +
                         std::to_string(text.size()));
    Builder builder(text, file, limits);
    if (!Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true))
        throw InputError(file + ": not valid JSON");
    return builder.take();
}

Json read_json_file(const std::string& path, const JsonLimits& limits) {
    return parse_json(read_text_file(path, limits.bytes), path, limits);
}

std::string describe_json(const Json& value) {
    if (value.is_null()) return "null";
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_number()) return "the number " + value.dump();
    if (value.is_string()) return "the text \"" + shortened(value.get_ref<const std::string&>()) + "\"";
    if (value.is_array()) return "an array of " + std::to_string(value.size());
    return "an object with " + std::to_string(value.size()) + (value.size() == 1 ? " key" : " keys");
}

void json_mismatch(const std::string& file, const std::string& pointer, const std::string& expected,
                   const std::string& found) {
    json_fault(file, pointer, "expected " + expected + ", found " + found);
}

}  // namespace rooftune
