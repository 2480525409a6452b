// The toy's work with a lie planted in it: what a bound believes, and what an estimate does.
#pragma once

#include <functional>
#include <span>
#include <utility>

#include "tests/support/toy.h"

namespace rooftune::test {

/// Bytes that variants read at least, and probably.
class PlantedModel final : public WorkModel {
public:
    using Amount = std::function<double(const PartialVariant&)>;
    PlantedModel(const Space& space, Amount bytes, Amount likely)
        : toy_(space), bytes_(std::move(bytes)), likely_(std::move(likely)) {}
    Work work(const PartialVariant& v) const override {
        Work w = toy_.work(v);
        const double share = w.heaviest_traffic.reads.value / w.traffic.reads.value;
        w.traffic.reads = Bytes(bytes_(v));
        w.heaviest_traffic.reads = Bytes(bytes_(v) * share);
        return w;
    }
    Traits traits(const PartialVariant& v) const override { return toy_.traits(v); }
    void likely_traffic(const Variant& v, std::span<const Bytes>, std::span<Bytes> bytes) const override {
        for (Bytes& b : bytes) b = Bytes(likely_(v));
    }

private:
    toy::Model toy_;
    Amount bytes_, likely_;
};

inline bool is_padded(const PartialVariant& v) {
    return v[0] == 2;
}

}  // namespace rooftune::test
