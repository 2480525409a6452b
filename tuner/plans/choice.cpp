#include "tuner/plans/choice.h"

#include <memory>
#include "kernels/runtime/error.h"
#include "tuner/plans/choice_inside.h"

namespace rooftune {
namespace {

const std::pair<std::string, std::string>& at(const std::shared_ptr<const PlanParameters::Inside>& inside,
                                              std::size_t index) {
    const std::size_t size = inside ? inside->all.size() : 0;
    if (index >= size)
        throw InputError("a plan's variant has " + std::to_string(size) +
                         " parameters, counted from 0, and no " + std::to_string(index));
    return inside->all[index];
}

}  // namespace

PlanParameters::PlanParameters(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

std::size_t PlanParameters::size() const {
    return inside_ ? inside_->all.size() : 0;
}
const std::string& PlanParameters::name(std::size_t index) const {
    return at(inside_, index).first;
}
const std::string& PlanParameters::value(std::size_t index) const {
    return at(inside_, index).second;
}

PlanParameters parameters_of(const std::map<std::string, std::string>& values) {
    auto inside = std::make_shared<PlanParameters::Inside>();
    inside->all.assign(values.begin(), values.end());
    return PlanParameters(std::move(inside));
}

}  // namespace rooftune
