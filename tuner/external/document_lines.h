// Keys of a JSON document as the annotations that they stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/external/declaration.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::external {

/// Where a key stands, in place of file, line and column: its Text's flag.
std::string place_of_key(const StrictObject& object, std::string_view key);

/// The key's text, in one line and not empty. Throws InputError.
std::string one_line(StrictObject& object, std::string_view key);

/// A number as an expression has it.
std::string number_text(const Json& value);

/// A word as annotations have it: in quotes where it has blanks, is empty or would mean something else.
/// Throws InputError at the key where it has both kinds of quotes.
std::string quoted_word(const StrictObject& object, std::string_view key, const std::string& word);

/// The same in quotes in any case: of a parameter's value, which is no range then.
std::string word_in_quotes(const StrictObject& object, std::string_view key, const std::string& word);

/// A list of flags as annotations have them, with a blank before each. A text with blanks is several, since
/// each is looked at by itself: of one that makes arithmetic another one the reference is compiled without.
/// Quotes keep one together. Throws InputError at the key.
std::string flag_words(StrictObject& object, std::string_view key);

/// A file's name relative to the document, as an annotation has it: relative to the source.
std::string file_beside(const std::string& document_folder, const std::string& source_folder,
                        const std::string& name);

/// Reads all keys that declare something: of a program those that a description has, else those of a source.
/// Throws InputError with file, key and what was expected.
std::vector<Text> lines_of_document(StrictObject& object, const std::string& document_folder,
                                    const std::string& source_folder, Language language);

}  // namespace rooftune::external
