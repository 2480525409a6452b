#include "tests/support/reader/word_list.h"

#include <algorithm>

#include "tests/support/reader/numbers.h"

namespace rooftune::test {

void WordList::add(const std::string& text) {
    if (text.empty()) return;
    std::vector<std::string>& same = text.size() < kKey ? short_ : longer_[text.substr(0, kKey)];
    if (std::find(same.begin(), same.end(), text) == same.end()) same.push_back(text);
}

void WordList::find(const std::string& text,
                    const std::function<void(std::size_t, std::size_t)>& found) const {
    const auto look = [&](const std::vector<std::string>& list, std::size_t at) {
        for (const std::string& one : list) {
            if (text.compare(at, one.size(), one) == 0 && stands_alone(text, at, at + one.size()))
                found(at, one.size());
        }
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        look(short_, at);
        const auto same = longer_.find(text.substr(at, kKey));
        if (same != longer_.end()) look(same->second, at);
    }
}

bool WordList::any_begins(const std::string& beginning) const {
    const auto begins = [&](const std::string& text) { return text.starts_with(beginning); };
    if (std::any_of(short_.begin(), short_.end(), begins)) return true;
    return std::any_of(longer_.begin(), longer_.end(), [&](const auto& same) {
        return std::any_of(same.second.begin(), same.second.end(), begins);
    });
}

}  // namespace rooftune::test
