#include "kernels/stencil/phrase.h"

namespace rooftune::stencil {

std::string phrase(const std::map<std::string, std::string>& variant) {
    const auto value = [&](const char* name) {
        const auto at = variant.find(name);
        return at == variant.end() ? std::string() : at->second;
    };
    const std::string simd = value("simd");
    if (simd.empty()) return "";
    std::string text = simd == "plain" ? "the plain loop" : simd == "scalar" ? "scalar" : simd + "-bit";
    const auto add = [&](const std::string& words) { text += ", " + words; };
    const auto other_than = [&](const char* name, const std::string& usual) {
        const std::string is = value(name);
        return !is.empty() && is != usual;
    };
    if (other_than("depth", "1")) add(value("depth") + " steps a pass");
    if (other_than("rows", "1x1")) add(value("rows") + " register block");
    if (other_than("unroll", "1")) add("unrolled by " + value("unroll"));
    if (other_than("store", "regular")) add("non-temporal stores");
    if (other_than("streams", "1")) add(value("streams") + " streams");
    if (other_than("prefetch", "0")) add("prefetch " + value("prefetch") + " B ahead");
    if (other_than("padding", "0"))
        add(value("padding") + (value("padding") == "1" ? " line of padding" : " lines of padding"));
    if (other_than("pages", "huge")) add("small pages");
    if (other_than("block_y", "whole") || other_than("block_z", "whole"))
        add("blocks " + value("block_y") + "x" + value("block_z"));
    if (other_than("partition", "z"))
        add(value("partition") == "y" ? std::string("slabs in y") : std::string("blocks dealt out"));
    const std::string threads = value("threads");
    if (!threads.empty()) text += " on " + threads + (threads == "1" ? " thread" : " threads");
    return text;
}

}  // namespace rooftune::stencil
