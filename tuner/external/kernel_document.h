// A kernel, or a program, that a JSON document describes, for those who may not write annotations into its
// source: a file of its own (configs/schema/kernel.schema.json), an object of a job file, or a T1 file of
// other tuners (t1_document.h). Each is turned into the lines that annotations would be, with places in the
// document: whatever comes behind knows one kind of declaration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/external/declaration.h"

namespace rooftune::external {

struct KernelDocument {
    std::string reference;  ///< as the key `source` of a problem names it, absolute
    std::string name;       ///< of its file, for titles
    std::string source;     ///< path of the source, absolute; empty: a program
    std::string folder;     ///< of the document, absolute
    Language language = Language::cpp;
    Text place;               ///< of the whole, for messages
    std::vector<Text> lines;  ///< annotations, each with its key's place
};

/// Whether a word names one: FILE.json, or FILE.json#POINTER for an object within it (RFC 6901).
bool names_document(std::string_view word);

/// Reads it. Throws InputError that names the file, the key, what is wrong and what to do.
KernelDocument kernel_document(const std::string& reference);

}  // namespace rooftune::external
