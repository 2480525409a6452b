#include "tuner/command/notices.h"

#include "tuner/base/standard_error.h"

namespace rooftune {

Notice notices(bool quiet) {
    if (quiet) return [](const std::string&) {};
    return [](const std::string& text) { tell(text); };
}

}  // namespace rooftune
