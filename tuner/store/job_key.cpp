#include "tuner/store/job_key.h"

#include <cstdio>

#include "tuner/store/checksum.h"

namespace rooftune {
namespace {

/// A value on one line, unambiguous: the escapes cannot arise from other values.
std::string line(const std::string& name, const std::string& value) {
    std::string text = name + "=";
    for (const char c : value) {
        if (c == '\\' || c == '\n' || c == '\0')
            text += c == '\n' ? "\\n" : c == '\0' ? "\\0" : "\\\\";
        else
            text += c;
    }
    return text + "\n";
}

}  // namespace

std::string JobKey::canonical() const {
    std::string text = line("family", family) + line("backend", backend);
    if (!digest.empty()) {
        text += line("digest", digest);
    } else {
        // The length keeps "a=b" = "c" apart from "a" = "b=c".
        for (const auto& [name, value] : problem)
            text += line("problem", std::to_string(name.size()) + ":" + name + "=" + value);
    }
    return text + line("dtype", dtype) + line("state", state) + line("threads", std::to_string(threads)) +
           line("machine", machine_id) + line("space_version", std::to_string(space_version)) +
           line("build", build);
}

std::string JobKey::hash() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx",
                  static_cast<unsigned long long>(Checksum().add(canonical()).value()));
    return text;
}

}  // namespace rooftune
