// Names of files that are made from titles.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Letters, digits, '-' and '.' as they are; whatever stands between them as one '_', and nothing at the
/// ends: "matmul 64x64x64 f64, beta 2" becomes "matmul_64x64x64_f64_beta_2".
std::string plain_name(std::string_view title);

}  // namespace rooftune
