// `rooftune machine --audit`: whatever is installed here, against this machine's ceilings.
#pragma once

#include <vector>

#include "tuner/command/command_line.h"
#include "tuner/command/common_flags.h"
#include "tuner/machine/audit/peer.h"

namespace rooftune {

struct AuditFlags {
    bool audit = false;
    int passes = 1;
    bool frozen = false;
};

void add_audit_flags(Command& app, AuditFlags& flags);

/// Runs the audit and writes what it says to standard output. Ceilings that rose are kept in the machine's
/// file. Returns 0, or 1 when something above a ceiling is left unexplained. The program must answer
/// `--audit-child` with the same peers. Throws InputError and EnvironmentError.
int audit_machine(const CommonFlags& common, const AuditFlags& flags, const std::vector<audit::Peer>& peers);

}  // namespace rooftune
