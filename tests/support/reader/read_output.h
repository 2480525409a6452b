// Reads an output as part of a test: what is untrue, or covered by nothing, or could be any other number,
// fails.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

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

/// What was read of several outputs.
class Walk {
public:
    /// `least`: so many numbers are held against the JSON at the least, so that no output is empty unnoticed.
    void read(const Reader& reader, const std::string& command, const std::string& text, std::size_t least) {
        const Reading reading = reader.read(text);
        INFO(command << "\n" << text);
        CHECK(reading.untrue == "");
        CHECK(reading.uncovered == "");
        CHECK(reading.held >= least);
        if (reading.clean()) CHECK(reader.blind_spots(text, kAltered) == "");
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
};

}  // namespace rooftune::test
