// A space that was measured whole, as if the machine had run at one speed all the while. Minutes lie between
// the first variant and the last, and a shared machine is half as fast in some of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/config/record.h"

namespace rooftune {

/// Records of an exhaustive run with their slots divided by the pace of the moment and multiplied by the
/// default variant's time in the rotation of the best (role "settle"). A record that notes "pace T s" was
/// measured while the default took T; slots of the rotation, which note their place in it, are divided by
/// what their neighbours in time took beside their own medians. Records that note neither are left as they
/// are.
std::vector<Record> at_one_pace(std::vector<Record> records,
                                const std::map<std::string, std::string>& default_variant);

}  // namespace rooftune
