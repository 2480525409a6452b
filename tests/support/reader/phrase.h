// A phrase in a text, as a regular expression (ECMAScript) that is only tried where its plain part stands:
// most statements have none of what most claims are about.
#pragma once

#include <regex>
#include <string>

namespace rooftune::test {

class Phrase {
public:
    explicit Phrase(const std::string& expression);

    bool is_in(const std::string& text) const;
    /// All places where it stands, from the first.
    std::sregex_iterator begin(const std::string& text) const;

private:
    std::string plain_;  ///< stands in whatever the expression matches; empty where nothing is known to
    std::regex expression_;
};

}  // namespace rooftune::test
