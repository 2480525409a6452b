#include "tests/peers/harness/family_arm.h"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"

namespace rooftune::peers {
namespace {

class FamilySubject final : public Subject {
public:
    FamilySubject(const std::string& family, const ProblemSpec& spec, Choice choice,
                  const std::map<std::string, std::string>& values, const std::vector<int>& cpus)
        : registry_(built_in_families()), target_(target_of(cpus)) {
        const Family* found = registry_.find(family);
        if (!found) throw InputError("this build has no family '" + family + "'");
        problem_ = found->problem(spec);
        space_.emplace(found->space(*problem_, target_));
        variant_ = choice == Choice::naive ? found->naive_variant(*problem_, *space_, target_)
                                           : found->default_variant(*problem_, *space_, target_);
        if (choice == Choice::given) {
            std::string why;
            const std::optional<Variant> given = space_->from_map(values, why);
            if (!given) throw InputError("the tuned variant does not exist here: " + why);
            variant_ = *given;
        }
        team_ = std::make_unique<Team>(cpus);
        bench_ = found->bench(*problem_, *space_, target_);
        prepared_ = bench_->prepare(variant_, *team_);
    }

    void run() override { prepared_->run(); }
    Correctness check(std::uint64_t seed) override {
        const std::array seeds{seed};
        return verify_answer(*prepared_, *bench_, *team_, seeds);
    }
    std::string detail() const override { return space_->to_text(variant_); }

private:
    Registry registry_;
    Target target_;
    std::unique_ptr<Problem> problem_;
    std::optional<Space> space_;
    Variant variant_;
    std::unique_ptr<Team> team_;
    std::unique_ptr<Bench> bench_;
    std::unique_ptr<Prepared> prepared_;
};

}  // namespace

Target target_of(const std::vector<int>& cpus) {
    return target_on(read_topology(), usable_widths(), static_cast<int>(cpus.size()));
}

Arm family_arm(std::string name, std::string family, ProblemSpec spec, Choice choice,
               std::map<std::string, std::string> variant) {
    Arm arm;
    arm.name = std::move(name);
    arm.make = [family = std::move(family), spec = std::move(spec), choice,
                variant = std::move(variant)](const std::vector<int>& cpus) {
        return std::make_unique<FamilySubject>(family, spec, choice, variant, cpus);
    };
    return arm;
}

}  // namespace rooftune::peers
