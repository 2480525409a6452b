// What tells results of one problem apart, in words: the one definition for every title.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// " on OpenCL", ", cold caches" or both, to stand behind the title of a problem; empty on the CPU with warm
/// caches, which is what most results are of. `backend` may name its device ("opencl pocl-cpu"). In JSON the
/// title is the problem's alone, with backend and state as keys of their own.
std::string setting_words(std::string_view backend, std::string_view state);

}  // namespace rooftune
