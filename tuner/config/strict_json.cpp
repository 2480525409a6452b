#include "tuner/config/strict_json.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"

namespace rooftune {
namespace {

std::string escaped(std::string_view key) {
    std::string text;
    for (const char c : key) {
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += c;
    }
    return text;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kMost = 60;
    if (text.size() <= kMost) return std::string(text);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;  // not inside a character
    return std::string(text.substr(0, end)) + "…";
}

[[noreturn]] void at(const std::string& file, const std::string& pointer, const std::string& what) {
    throw InputError(file + ": at " + (pointer.empty() ? "the top" : pointer) + ": " + what);
}

/// "line 3, column 14" of a byte in the text.
std::string place(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto newline = before.rfind('\n');
    const auto column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

/// Builds the document and refuses what nlohmann's own builder lets pass: a key twice, integers
/// beyond 64 bits (it would round them), depth without limit.
class Builder : public nlohmann::json_sax<Json> {
public:
    Builder(std::string_view text, const std::string& file, const JsonLimits& limits)
        : text_(text), file_(file), limits_(limits) {}

    Json take() { return std::move(root_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool v) override { return add(v); }
    bool number_integer(number_integer_t v) override { return add(v); }
    bool number_unsigned(number_unsigned_t v) override { return add(v); }
    bool number_float(number_float_t v, const string_t& spelling) override {
        if (spelling.find_first_of(".eE") == string_t::npos)
            at(file_, pointer(), "expected a whole number within 64 bits, found " + shortened(spelling));
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
            at(file_, pointer(), "expected each key once, found \"" + shortened(name) + "\" twice");
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        const std::string spot = place(text_, position);
        if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error))
            at(file_, pointer(),
               "expected a number within the range of a double, found " + shortened(token) + " (" + spot +
                   ")");
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw InputError(file_ + ": expected a JSON document, found an empty file");
        if (stack_.empty() && done_)
            throw InputError(
                file_ + ": expected the end of the file after the JSON document, found more text at " + spot);
        at(file_, pointer(), "not valid JSON at " + spot + ": " + reason(error.what()));
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
                                                       : escaped(level.key));
        return text;
    }

    Json* place_value(Json value) {
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
            at(file_, shortened(pointer()),
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

    std::string_view text_;
    const std::string& file_;
    JsonLimits limits_;
    Json root_;
    bool done_ = false;
    std::vector<Level> stack_;
};

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

std::string read_text_file(const std::string& path, std::size_t most_bytes) {
    // O_NONBLOCK: opening a FIFO nobody writes to would otherwise wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        const int why = errno;
        throw InputError(path + ": cannot be opened: " + std::strerror(why) +
                         (why == ENOENT ? "; check the path" : ""));
    }
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{descriptor};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw EnvironmentError(path + ": " + std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        throw InputError(path + ": expected a regular file, found " +
                         (S_ISDIR(status.st_mode) ? "a directory" : "something else"));
    const auto too_large = [&] {
        return InputError(path + ": expected at most " + std::to_string(most_bytes) + " bytes, found more");
    };
    if (static_cast<std::uint64_t>(status.st_size) > most_bytes) throw too_large();
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size()) text.resize(text.size() + 4096);
        const ssize_t got = ::read(descriptor, text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw EnvironmentError(path + ": cannot be read: " + std::strerror(errno));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > most_bytes) throw too_large();
    }
    text.resize(filled);
    return text;
}

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
    at(file, pointer, "expected " + expected + ", found " + found);
}

StrictObject::StrictObject(const Json& value, std::string file, std::string pointer)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {
    if (!value.is_object()) json_mismatch(file_, pointer_, "an object", describe_json(value));
}

std::string StrictObject::pointer_to(std::string_view key) const {
    return pointer_ + '/' + escaped(key);
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
    std::string list;
    for (const std::string_view word : allowed) list += (list.empty() ? "" : ", ") + std::string(word);
    fail(key, "one of " + list);
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

std::int64_t StrictObject::integer_or(std::string_view key, std::int64_t fallback, std::int64_t least,
                                      std::int64_t most) {
    return has(key) ? integer(key, least, most) : fallback;
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
    const Json& found = value("schema");
    if (!found.is_string() || found.get_ref<const std::string&>() != expected)
        fail("schema", "the text \"" + std::string(expected) + "\"");
}

void StrictObject::finish() const {
    for (const auto& member : value_->get_ref<const Json::object_t&>()) {
        if (std::find(known_.begin(), known_.end(), member.first) != known_.end()) continue;
        at(file_, pointer_to(member.first),
           "unknown key \"" + shortened(member.first) + "\"" + suggestion(member.first, known_));
    }
}

}  // namespace rooftune
