// Standard input, output and error of a process that was started without some of them.
#pragma once

namespace rooftune {

/// Where one of the three is closed, opens something in its place that cannot be read or written: otherwise
/// the next file that is opened, a lock or a store, gets its number, and what is printed is written into it.
/// Writing to it fails as writing to a closed one does (EBADF). Call it before anything is opened.
void hold_standard_descriptors();

}  // namespace rooftune
