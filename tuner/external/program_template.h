// The commands of a description: words with {NAME} for the values of sizes and parameters.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tuner/external/declaration.h"

namespace rooftune::external {

/// What `verify` says where no file is compared.
inline constexpr const char* kByExitStatus = "exit status";

/// The value of a name; nullptr where the variant has no such parameter.
using ValueOf = std::function<const std::string*(const std::string& name)>;

/// A command in which {NAME} stands for a value, {{ and }} for braces. It is cut into words as a shell's is
/// before values are put in: a value is one word, or a part of one, whatever characters it has.
class CommandTemplate {
public:
    /// Throws InputError at `text`: for a name that is no size, number nor parameter of the declaration, a
    /// brace without its other, and what only a shell would understand. `word` names it in messages.
    CommandTemplate(const Declaration& declaration, const Text& text, const std::string& word);

    std::size_t number_of_words() const { return words_.size(); }
    /// Sizes, numbers and parameters that it names.
    const std::set<std::string>& names() const { return names_; }
    /// The names in its first word, which is the program.
    const std::set<std::string>& names_of_program() const { return names_of_program_; }

    /// A word with its values.
    struct Filled {
        std::string text;
        std::set<std::string> names{};  ///< whose values are in it
    };
    /// Words that name a parameter which the variant does not have are left out, and so are those that are
    /// nothing but an empty value.
    std::vector<Filled> filled(const ValueOf& value_of) const;
    /// Their texts alone.
    std::vector<std::string> words(const ValueOf& value_of) const;

private:
    struct Piece {
        std::string text;
        bool is_name = false;
    };
    using Word = std::vector<Piece>;

    Word word_from(const std::string& word) const;

    std::vector<Word> words_;
    std::set<std::string> names_, names_of_program_;
};

/// What a description must have to be one of a program. Throws InputError at the line, or flag: no command,
/// a `time` or `tolerance` that is none, a parameter that reaches the program nowhere.
void check_program(const Declaration& declaration);

}  // namespace rooftune::external
