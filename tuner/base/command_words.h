// A command as a user writes it, cut into the words that its program is started with. No shell reads it.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// Words are separated by blanks. 'single quotes' keep everything, "double quotes" and bare words know
/// \ before a character. `flag` is what messages call the text. Throws InputError for an empty command, an
/// open quote, and for what only a shell would understand (| < > & ; $ and backquotes outside quotes).
std::vector<std::string> command_words(const std::string& text, const std::string& flag);

/// What a command is called where it is a heading: the file's name of its first word that is a path, else its
/// first word, without {NAME}s. "python3 tools/bench.py --n {n}" is bench.py, and so it is after /bin/sh.
/// Never empty.
std::string program_name(const std::string& command);

/// A word as a user types it so that a shell, or command_words(), hands it on as it is: in single quotes
/// where it holds blanks, quotes or anything else that they would take apart.
std::string shell_word(const std::string& word);

/// A value in a list whose parts stand between blanks: in double quotes where it holds one itself, as a
/// declaration of parameters writes it.
std::string listed_value(const std::string& value);

/// The same as shell_word() of several, with a blank between them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace rooftune
