// Reads an output as part of a test: what is untrue fails. What is covered by nothing, or could be any other
// number, fails in outputs that are the same on every machine and day; where a tune is behind them, which
// says other sentences of another winner, it is a warning, or with ROOFTUNE_STRICT_READER=1 a failure, too.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/catch.h"
#include "tests/support/reader/reader.h"

namespace rooftune::test {

/// As long as it lives, programs that are started write for the widest page.
class WidePage {
public:
    WidePage() {
        if (const char* columns = std::getenv("COLUMNS")) before_ = columns;
        setenv("COLUMNS", "10000", 1);
    }
    ~WidePage() {
        if (before_) {
            setenv("COLUMNS", before_->c_str(), 1);
        } else {
            unsetenv("COLUMNS");
        }
    }
    WidePage(const WidePage&) = delete;
    WidePage& operator=(const WidePage&) = delete;

private:
    std::optional<std::string> before_;
};

/// What outputs depend on: files of the tests alone, or what was measured here and now.
enum class Outputs { fixed, measured };

/// What was read of several outputs.
class Walk {
public:
    explicit Walk(Outputs outputs = Outputs::measured) {
        const char* const strict = std::getenv("ROOFTUNE_STRICT_READER");
        strict_ = outputs == Outputs::fixed || (strict != nullptr && std::string_view(strict) == "1");
    }

    /// `least`: so many numbers are held against the JSON at the least, so that no output is empty unnoticed.
    void read(Reader reader, const std::string& command, const std::string& text, std::size_t least) {
        reader.excuse("--results [^ `]+", "suggested commands name the folder of the session");
        const Reading reading = reader.read(text);
        INFO(command << "\n" << text);
        CHECK(reading.untrue == "");
        CHECK(reading.held >= (strict_ ? least : least / 2));
        const std::string blind = reading.clean() ? reader.blind_spots(text, kAltered) : "";
        if (strict_) {
            CHECK(reading.uncovered == "");
            CHECK(blind == "");
        } else {
            if (!reading.uncovered.empty()) WARN(command << ": no claim covers\n" << reading.uncovered);
            if (!blind.empty()) WARN(command << ": nobody would notice\n" << blind);
        }
        total_.add(reading);
        ++outputs_;
    }

    int said(const std::string& claim) const {
        const auto found = total_.said.find(claim);
        return found == total_.said.end() ? 0 : found->second;
    }

    /// "read 12 outputs: 310 sentences with 900 numbers held against JSON, 80 that it has word for word and
    /// 41 that cannot be"
    std::string summary() const {
        return "read " + std::to_string(outputs_) + " outputs: " + std::to_string(total_.sentences) +
               " sentences with " + std::to_string(total_.held) + " numbers held against JSON, " +
               std::to_string(total_.repeated) + " that it has word for word and " +
               std::to_string(total_.excused) + " that cannot be";
    }

private:
    static constexpr std::size_t kAltered = 100;  ///< numbers of an output that are altered to try the judge

    Reading total_;
    int outputs_ = 0;
    bool strict_ = false;
};

}  // namespace rooftune::test
