#include "kernels/matmul/opencl_phrase.h"

namespace rooftune::matmul {

std::string opencl_phrase(const std::map<std::string, std::string>& variant) {
    const auto value = [&](const std::string& name) {
        const auto it = variant.find(name);
        return it == variant.end() ? std::string() : it->second;
    };
    if (value("method") == "element") return "one work item an element of C";
    if (value("item_rows").empty()) return "";
    std::string text = value("item_rows") + (value("item_rows") == "1" ? " row of " : " rows of ");
    if (value("vector") == "1") {
        text += value("item_vectors") + (value("item_vectors") == "1" ? " element" : " elements");
    } else {
        text += value("item_vectors") + (value("item_vectors") == "1" ? " vector of " : " vectors of ") +
                value("vector");
    }
    text += " an item, " + value("group_rows") + "x" + value("group_columns") + " items a group, ";
    const std::string local = value("local");
    text += local == "none" ? "nothing" : local == "both" ? "A and B" : local == "a" ? "A" : "B";
    text += " in local memory";
    if (!value("k_block").empty()) text += " by " + value("k_block") + " steps";
    return text + (value("unroll") == "1" ? "" : ", unrolled by " + value("unroll"));
}

}  // namespace rooftune::matmul
