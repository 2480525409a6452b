// Matrices of Matrix Market files, as declared kernels get them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/sparse/csr.h"
#include "tuner/external/declaration.h"

namespace rooftune::external {

struct GivenMatrix {
    std::string path;  ///< of its file, absolute
    std::shared_ptr<const sparse::Csr> rows;
};

/// Reads each declared matrix: the file that `given` has for its name, relative to where the program runs,
/// else the declared one, relative to `folder`. Throws InputError with the place of the annotation or the
/// file's line.
std::vector<GivenMatrix> read_matrices(const Declaration& declaration,
                                       const std::map<std::string, std::string>& given,
                                       const std::string& folder);

/// Rows, columns and entries, by what the declaration calls them.
double size_of_matrix(const sparse::Csr& matrix, const std::string& what);

/// Writes elements [begin, end) of a part in the array's type.
void store_part(const sparse::Csr& matrix, const DeclaredArray& array, std::byte* to, std::size_t begin,
                std::size_t end);

/// All of it as bytes, and back; `text` is what packed() wrote.
std::string packed(const GivenMatrix& matrix);
GivenMatrix unpacked(const std::string& text);

std::string hash_of(const sparse::Csr& matrix);

}  // namespace rooftune::external
