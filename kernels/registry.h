// The families, by name. An explicit list: one line a family.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/contract/family.h"

namespace rooftune {

class Registry {
public:
    void add(std::unique_ptr<Family> family) { families_.push_back(std::move(family)); }
    const std::vector<std::unique_ptr<Family>>& families() const { return families_; }
    /// nullptr when there is none of that name.
    const Family* find(std::string_view name) const;

private:
    std::vector<std::unique_ptr<Family>> families_;
};

/// Every family of this build.
Registry built_in_families();

}  // namespace rooftune
