#include "tuner/formats/setting_words.h"

namespace rooftune {

std::string setting_words(std::string_view backend, std::string_view state) {
    return std::string(backend.starts_with("opencl") ? " on OpenCL" : "") +
           (state == "cold" ? ", cold caches" : "");
}

}  // namespace rooftune
