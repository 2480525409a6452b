// Arrays in files: NumPy's .npy, or the elements alone, as they lie in memory.
#pragma once

#include <cstddef>
#include <string>

#include "tuner/external/declaration.h"

namespace rooftune::external {

/// Looks whether a file holds `count` elements of this type, without reading them. Throws InputError that
/// begins with `where`: for a file that cannot be read, of another type, size or order.
void check_array_file(const std::string& path, Element type, std::size_t count, const std::string& where);

/// Reads them to `to`. Throws as above; EnvironmentError where the file became another one meanwhile.
void read_array_file(const std::string& path, Element type, std::size_t count, std::byte* to,
                     const std::string& where);

/// A hash of all that it holds, in hexadecimal digits. Throws InputError where it cannot be read.
std::string hash_of_file(const std::string& path);

}  // namespace rooftune::external
