#include "kernels/spmv/phrase.h"

#include <algorithm>
#include <cctype>

namespace rooftune::spmv {

std::string phrase(const std::map<std::string, std::string>& variant) {
    const auto value = [&](const char* name) {
        const auto at = variant.find(name);
        return at == variant.end() ? std::string() : at->second;
    };
    const std::string format = value("format");
    if (format.empty()) return "";
    std::string text = format;
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (format == "sell" && !value("chunk").empty()) {
        text += "-" + value("chunk");
        if (!value("sigma").empty()) text += "-" + value("sigma");
    }
    if (std::string block = value("block"); format == "bcsr" && !block.empty()) {
        if (const auto x = block.find('x'); x != std::string::npos) block.replace(x, 1, "×");
        text += " " + block;
    }
    if (!value("index").empty()) text += " with " + value("index") + "-bit indices";
    const std::string threads = value("threads");
    if (!threads.empty()) text += " on " + threads + (threads == "1" ? " thread" : " threads");
    return text;
}

}  // namespace rooftune::spmv
