// What earlier runs' audits saw of the estimate that sets aside.
#pragma once

#include <vector>

#include "tuner/store/store.h"

namespace rooftune {

/// Time over estimate of every set aside variant that was audited in the store's last runs of this family and
/// backend on this machine. Results of earlier versions, which have none, are passed over.
std::vector<double> audited_ratios(Store& store, const JobKey& key);

}  // namespace rooftune
