// What a user declares of a kernel stands in comments of its own source, which stays a program without us:
// "// rooftune: size n = 1<<24", "/* rooftune: flops 2*n */", or a block of such lines.
#pragma once

#include <string>
#include <vector>

namespace rooftune::external {

/// A piece of text, and where it stands in the source.
struct Text {
    std::string text;
    int line = 0;    ///< from 1
    int column = 0;  ///< of its first character, from 1
    /// Where it was given elsewhere, what messages say in place of file, line and column: a flag of the
    /// command line, or a key of a JSON document ("mine.json: at /flops").
    std::string flag{};
};

/// The annotations of a source in their order, without the mark and blanks at either end; each is one line.
/// A comment that begins with the mark and goes over several lines is one annotation a line.
std::vector<Text> annotations_of(const std::string& source);

}  // namespace rooftune::external
