// A space that was measured whole, as if the machine had run at one speed all the while. Minutes lie between
// the first variant and the last, and a shared machine is half as fast in some of them.
#pragma once

#include <vector>

#include "tuner/formats/record.h"

namespace rooftune {

/// Records of an exhaustive run as if at the pace of its rotation of the best (role "settle"). The rotation's
/// slots, which note their place in it, are divided by what their neighbours in time took beside their own
/// medians. Any other record that notes what the default variant took beside it (`noted_pace`) becomes one
/// slot: its median over that, times what the default took in the rotation, whose first it is: the default of
/// that time, which may be another one today. Records that note neither are left as they are, and all but the
/// rotation's where it lacks its first.
std::vector<Record> at_one_pace(std::vector<Record> records);

}  // namespace rooftune
