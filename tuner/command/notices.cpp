#include "tuner/command/notices.h"

#include <iostream>

namespace rooftune {

Notice notices(bool quiet) {
    if (quiet) return [](const std::string&) {};
    return [](const std::string& text) { std::cerr << "rooftune: " << text << "\n"; };
}

}  // namespace rooftune
