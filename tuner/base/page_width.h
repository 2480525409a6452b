// How wide the page is that a person reads.
#pragma once

namespace rooftune {

inline constexpr int kNarrowestPage = 40, kPipedPage = 100, kWidestPage = 10'000;  ///< columns

/// Columns that standard output has: COLUMNS where it says a number, else the terminal's width, else (a pipe,
/// a file) kPipedPage; within kNarrowestPage and kWidestPage.
int page_width();

/// The same of standard error, which may be the terminal where standard output is not; kWidestPage where it
/// is none and COLUMNS says nothing: programs look for whole messages in logs.
int error_page_width();

/// The same of what was found: the text of COLUMNS (null: not set) and the terminal's columns (0: no
/// terminal).
int page_width_of(const char* columns, int terminal);

}  // namespace rooftune
