// What an audit says: for people, and for programs.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/machine/audit/audit.h"

namespace rooftune::audit {

/// A peer as it was found, or not.
struct Presence {
    std::string peer;
    bool found = false;
    std::string detail;   ///< its version; when not found, why
    std::string package;  ///< Debian's; empty when it is part of this program
};

struct Report {
    std::string machine;  ///< in words
    std::vector<Presence> peers;
    Audit audit;
};

/// A headline, the measurements above a ceiling with their explanations, the ceilings with the fastest code
/// under each, and who took part. Markdown that reads well on a terminal.
std::string to_text(const Report& report, const Machine& machine);

/// Schema "rooftune/audit/1".
Json to_json(const Report& report, const Machine& machine);

/// 0 when nothing above a ceiling is left unexplained, else 1.
int status_of(const Audit& audit);

}  // namespace rooftune::audit
