#include "tuner/machine/audit/case.h"

#include "tuner/base/si.h"

namespace rooftune::audit {

std::string describe(const Case& c) {
    std::string text = c.peer + " " + c.kernel + ", " + std::string(to_text(c.dtype));
    if (!c.level.empty()) text += ", " + c.level;
    return text + ", " + format_plural(c.threads, "thread");
}

std::string_view to_text(Outcome o) {
    switch (o) {
        case Outcome::measured:
            return "measured";
        case Outcome::absent:
            return "absent";
        case Outcome::wrong:
            return "wrong answer";
        case Outcome::failed:
            return "failed";
        case Outcome::crashed:
            return "crashed";
        case Outcome::hung:
            return "hung";
    }
    return "failed";
}

}  // namespace rooftune::audit
