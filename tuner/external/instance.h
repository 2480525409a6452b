// A declared kernel with numbers for its sizes: what is tuned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/external/declaration.h"
#include "tuner/external/given_matrix.h"
#include "tuner/search/enumerate/expression.h"

namespace rooftune::external {

struct Instance {
    Declaration declaration;
    std::string path;                  ///< of the source, absolute; empty: the built-in example
    std::string source;                ///< its text, as it was when it was read
    std::string included;              ///< a hash of the files that it includes by "name", as they were then
    Constants numbers;                 ///< by name, of sizes and reals
    std::vector<std::int64_t> counts;  ///< elements, by array
    std::vector<GivenMatrix> matrices{};
    std::string contents{};       ///< a hash of the files that arrays and matrices are read from
    std::string source_folder{};  ///< where files are that annotations name
    std::string folder{};         ///< of a program: where it is built and run, absolute
    std::string build_state{};    ///< of a program: the file that tells what was built last
    /// The JSON document that describes it, as a problem names it; empty: nothing but the source does. And
    /// what it says, with the place of the whole.
    std::string document{};
    Text document_place{};
    std::vector<Text> document_lines{};

    std::int64_t bytes_of_arrays() const;
};

/// The numbers of `given` (name to text, expressions allowed) in place of the declared ones, and the files of
/// `given` for declared matrices; other files lie in `folder`. Throws InputError for a name that is not
/// declared, a size that is no whole number from 0 on or too large to count, for arrays that would not fit
/// into `available` bytes, and for files that do not hold what is declared. `matrices`: those that were read
/// already.
Instance instance_of(Declaration declaration, const std::map<std::string, std::string>& given,
                     double available, const std::string& folder = "",
                     std::vector<GivenMatrix> matrices = {});

/// Path of the file that an array's elements are in.
std::string path_of_array(const Instance& instance, const DeclaredArray& array);

}  // namespace rooftune::external
