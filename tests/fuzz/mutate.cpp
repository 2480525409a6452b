#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace rooftune::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
    return end == 0 ? 0 : static_cast<std::size_t>(random() % end);
}

// What readers stumble over: ends of ranges, signs, halves of characters, what a terminal acts on.
constexpr std::array<std::string_view, 34> kAwkward{"0",
                                                    "-1",
                                                    "1",
                                                    "2147483647",
                                                    "2147483648",
                                                    "-2147483649",
                                                    "4294967296",
                                                    "9223372036854775807",
                                                    "9223372036854775808",
                                                    "18446744073709551616",
                                                    "1e308",
                                                    "1e309",
                                                    "-1e-400",
                                                    "1e-310",
                                                    "nan",
                                                    "inf",
                                                    "-inf",
                                                    "0x10",
                                                    "1,5",
                                                    "1.",
                                                    ".5",
                                                    "1e",
                                                    "",
                                                    " ",
                                                    "\n",
                                                    "\r\n",
                                                    "\t",
                                                    "\"",
                                                    "\\",
                                                    "\\u0000",
                                                    "\x1b[31m",
                                                    "\xc3",
                                                    "\xef\xbb\xbf",
                                                    "../../etc"};

struct Range {
    std::size_t begin = 0, size = 0;
};

// Short pieces mostly, long ones now and then.
Range some_range(const std::string& text, Random& random) {
    const std::size_t begin = below(random, text.size() + 1);
    const std::size_t most = below(random, 4) == 0 ? text.size() : 16;
    return {begin, std::min(text.size() - begin, below(random, most + 1))};
}

Range some_number(const std::string& text, Random& random) {
    const std::size_t from = below(random, text.size() + 1);
    const std::size_t begin = text.find_first_of("0123456789", from);
    if (begin == std::string::npos) return {};
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", begin), text.size());
    return {begin, end - begin};
}

Json awkward_value(Random& random) {
    switch (below(random, 12)) {
        case 0:
            return nullptr;
        case 1:
            return true;
        case 2:
            return -1;
        case 3:
            return 0;
        case 4:
            return std::int64_t{9'223'372'036'854'775'807};
        case 5:
            return std::uint64_t{18'446'744'073'709'551'615U};
        case 6:
            return 1e308;
        case 7:
            return -5e-324;
        case 8:
            return "";
        case 9:
            return std::string(below(random, 3000), 'x');
        case 10:
            return Json::array();
        default:
            return Json::object();
    }
}

Json* some_value(Json& document, Random& random) {
    Json* at = &document;
    while (at->is_structured() && !at->empty() && below(random, 6) != 0) {
        auto it = at->begin();
        std::advance(it, static_cast<std::ptrdiff_t>(below(random, at->size())));
        at = &*it;
    }
    return at;
}

bool change_json(std::string& text, Random& random) {
    Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return false;
    Json* at = some_value(document, random);
    switch (below(random, 5)) {
        case 0:
            *at = awkward_value(random);
            break;
        case 1:
            *at = Json(*some_value(document, random));
            break;
        case 2:
            if (at->is_structured() && !at->empty()) {
                auto it = at->begin();
                std::advance(it, static_cast<std::ptrdiff_t>(below(random, at->size())));
                at->erase(it);
            }
            break;
        case 3:
            if (at->is_array()) {
                for (std::size_t i = below(random, 40); i > 0; --i) at->push_back(awkward_value(random));
            } else if (at->is_object()) {
                (*at)[std::string(1 + below(random, 5), 'k')] = awkward_value(random);
            } else {
                *at = Json::array({*at, *at});
            }
            break;
        default:
            if (at->is_string()) {
                *at = at->get<std::string>() + std::string(kAwkward[below(random, kAwkward.size())]);
            } else if (at->is_number()) {
                *at = -at->get<double>() * 1e3;
            }
    }
    text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    return true;
}

void change_bytes(std::string& text, const Material& material, Random& random) {
    const auto put = [&](std::string_view piece) { text.insert(below(random, text.size() + 1), piece); };
    switch (below(random, 10)) {
        case 0:
            if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1U << below(random, 8));
            break;
        case 1:
            if (!text.empty()) text[below(random, text.size())] = static_cast<char>(random());
            break;
        case 2: {
            const Range out = some_range(text, random);
            text.erase(out.begin, out.size);
            break;
        }
        case 3: {
            const Range piece = some_range(text, random);
            const std::string copy = text.substr(piece.begin, piece.size);
            for (std::size_t i = 1 + below(random, 8); i > 0; --i) text.insert(piece.begin, copy);
            break;
        }
        case 4: {
            const Range piece = some_range(text, random);
            const std::string moved = text.substr(piece.begin, piece.size);
            text.erase(piece.begin, piece.size);
            put(moved);
            break;
        }
        case 5:
            if (const Range number = some_number(text, random); number.size > 0)
                text.replace(number.begin, number.size, kAwkward[below(random, kAwkward.size())]);
            break;
        case 6:
            put(kAwkward[below(random, kAwkward.size())]);
            break;
        case 7:
            if (!material.words.empty()) put(material.words[below(random, material.words.size())]);
            break;
        case 8:
            if (!material.seeds.empty()) {
                const std::string& other = material.seeds[below(random, material.seeds.size())];
                const Range piece = some_range(other, random);
                put(std::string_view(other).substr(piece.begin, piece.size));
            }
            break;
        default:
            text.resize(below(random, text.size() + 1));
    }
}

}  // namespace

std::string mutated(std::string input, const Material& material, Random& random, std::size_t most_bytes) {
    constexpr std::size_t kMostChanges = 6;
    const bool by_values = below(random, 2) == 0;
    for (std::size_t i = 1 + below(random, kMostChanges); i > 0; --i) {
        if (by_values && change_json(input, random)) continue;
        change_bytes(input, material, random);
    }
    if (input.size() > most_bytes) input.resize(most_bytes);
    return input;
}

}  // namespace rooftune::fuzz
