// What a command answers, on standard output.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace rooftune {

/// Writes the text as it is (JSON, CSV, drawings, Markdown): throws EnvironmentError where it could not be
/// written. Where nobody reads any more, the rest of all output is dropped in silence.
void print(const std::string& text);

/// The same of a text for people, within the width of the page (fit_page()).
void print_page(const std::string& text);

/// A stream to print() by, for what is too long to be held in memory. Flush it at the end: it fails as a file
/// does where print() throws.
class PrintedStream final : public std::ostream {
public:
    PrintedStream() : std::ostream(nullptr) { rdbuf(&buffer_); }
    ~PrintedStream() override { flush(); }

private:
    class Buffer final : public std::streambuf {
        int_type overflow(int_type c) override;
        int sync() override;
        std::string waiting_;
    };
    Buffer buffer_;
};

}  // namespace rooftune
