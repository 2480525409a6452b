#include "kernels/matmul/phrase.h"

namespace rooftune::matmul {

std::string phrase(const std::map<std::string, std::string>& variant) {
    const auto value = [&](const std::string& name) {
        const auto it = variant.find(name);
        return it == variant.end() ? std::string() : it->second;
    };
    const std::string threads = value("threads") + (value("threads") == "1" ? " thread" : " threads");
    if (value("method") == "triple_loop") return "the triple loop on " + threads;
    if (value("tile").empty()) return "";
    std::string text = value("tile") + " tile of ";
    text += value("simd") == "scalar" ? "scalars" : value("simd") + "-bit vectors";
    for (const char* block : {"kc", "mc", "nc"}) {
        const std::string size = value(block);
        if (!size.empty() && size != "whole") text += std::string(", ") + block + " " + size;
    }
    const bool a = value("pack_a") == "yes";
    const bool b = value("pack_b") == "yes";
    text += a && b ? ", A and B packed" : a ? ", A packed" : b ? ", B packed" : ", nothing packed";
    if (!value("loop").empty())
        text += ", threaded over " + std::string(value("loop") == "2d" ? "m and n" : value("loop"));
    return text + " on " + threads;
}

}  // namespace rooftune::matmul
