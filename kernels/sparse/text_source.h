// The bytes of a text file, plain or gzip (told apart by content, not by name), as a stream.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace rooftune::sparse {

/// What is wrong with the bytes and what to do; whoever reads lines adds file and line.
struct SourceFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class TextSource {
public:
    virtual ~TextSource() = default;
    /// Fills up to `bytes` at `to` and returns how many; 0 only at the end of a sound file. Throws
    /// SourceFault on a read error and on gzip data that are cut, damaged, or followed by anything
    /// (a second member included). What was sound before a fault is handed out first.
    virtual std::size_t read(char* to, std::size_t bytes) = 0;

    /// Opens a regular file. Throws SourceFault when there is none, when it is something else (a
    /// folder, a FIFO, a device), when it is empty, and when it is in another compressed format.
    static std::unique_ptr<TextSource> open(const std::string& path);
};

}  // namespace rooftune::sparse
