#include "tuner/ceilings/plan_memory.h"

#include "kernels/probe/joint.h"

namespace rooftune {
namespace {

using probe::Target;

struct MixStreams {
    Mix mix;
    std::vector<int> streams;
};

// Non-temporal mixes last: they leave the footprint out of the caches. Stores get fewer streams than
// the others: every mix must be there at every footprint, but their number of streams matters less.
const std::vector<MixStreams>& memory_mixes() {
    static const std::vector<MixStreams> mixes{
        {Mix::load, {1, 2, 4, 8, 16, 32}},
        {Mix::update, {1, 2, 4, 8, 16}},
        {Mix::two_loads_store, {1, 4}},
        {Mix::store, {1, 8}},
        {Mix::copy, {1, 4}},
        {Mix::nt_copy, {1, 2, 4, 8}},
        {Mix::nt_store, {1, 4}},
    };
    return mixes;
}

// Conditions that are no longer the fastest take few streams: they tell a ratio, not a roof.
const std::vector<int> kFewStreams{1, 4};

Target walk(Mix mix, int streams, int threads, Bytes footprint) {
    Target t;
    t.resource = Resource::bandwidth;
    t.when.mix = mix;
    t.when.streams = streams;
    t.when.threads = threads;
    t.when.footprint = footprint;
    t.when.huge_pages = true;
    return t;
}

Target chase(Bytes footprint, bool huge) {
    Target t;
    t.resource = Resource::latency;
    t.when.footprint = footprint;
    t.when.huge_pages = huge;
    return t;
}

}  // namespace

const std::vector<double>& probed_strides() {
    static const std::vector<double> strides{64.0, 128.0, 256.0, 4096.0, 4096.0 + 64.0};
    return strides;
}

TargetGroup joint_group(Bytes footprint, int threads, bool gathers) {
    TargetGroup group;
    const auto add = [&](Mix mix, const LoadsBesides& besides) {
        for (const int streams : probe::kJointStreams) {
            Target t = walk(mix, streams, threads, footprint);
            t.resource = Resource::joint;
            t.when.besides = besides;
            group.push_back(t);
        }
    };
    if (gathers) {
        for (const LoadsBesides& besides : probe::kJointIndexed) add(Mix::load, besides);
        return group;
    }
    for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) {
        for (const LoadsBesides& besides : probe::kJointVectors) add(mix, besides);
    }
    return group;
}

TargetGroup walk_group(Bytes footprint, int threads) {
    TargetGroup group;
    for (const MixStreams& entry : memory_mixes()) {
        for (const int streams : entry.streams) group.push_back(walk(entry.mix, streams, threads, footprint));
    }
    return group;
}

TargetGroup plain_code_group(const Topology& topology, Bytes footprint, int threads) {
    TargetGroup group;
    for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy}) {
        for (const int streams : kFewStreams) {
            group.push_back(walk(mix, streams, threads, footprint));
            group.back().when.huge_pages = false;
        }
    }
    for (const int width : topology.width_bits) {
        for (const Mix mix : {Mix::load, Mix::update}) {
            group.push_back(walk(mix, 1, threads, footprint));
            group.back().when.width_bits = width;
        }
    }
    return group;
}

TargetGroup prefetch_group(Bytes footprint, int threads) {
    TargetGroup group;
    for (const Mix mix : {Mix::load, Mix::update}) {
        for (const int streams : kFewStreams) {
            for (const Prefetch prefetch : {Prefetch::off, Prefetch::on}) {
                group.push_back(walk(mix, streams, threads, footprint));
                group.back().when.prefetch = prefetch;
            }
        }
    }
    return group;
}

TargetGroup shared_group(Bytes footprint, int threads) {
    TargetGroup group;
    for (const int streams : kFewStreams) {
        group.push_back(walk(Mix::load, streams, threads, footprint));
        group.back().when.shared = true;
    }
    return group;
}

TargetGroup remote_group(Bytes footprint, int threads) {
    TargetGroup group;
    for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy}) {
        for (const int streams : kFewStreams) group.push_back(walk(mix, streams, threads, footprint));
    }
    if (threads == 1) group.push_back(chase(footprint, true));
    for (Target& target : group) target.when.remote = true;
    return group;
}

std::vector<TargetGroup> latency_groups(const std::vector<Bytes>& sizes,
                                        const std::vector<bool>& huge_pages) {
    std::vector<TargetGroup> groups;
    for (const Bytes size : sizes) {
        TargetGroup& group = groups.emplace_back();
        for (const bool huge : huge_pages) group.push_back(chase(size, huge));
    }
    return groups;
}

std::vector<TargetGroup> strided_groups(const std::vector<Bytes>& sizes, int threads) {
    std::vector<TargetGroup> groups;
    for (const Bytes size : sizes) {
        TargetGroup& group = groups.emplace_back();
        for (const double stride : probed_strides()) {
            Target t;
            t.resource = Resource::strided;
            t.when.threads = threads;
            t.when.footprint = size;
            t.when.huge_pages = true;
            t.when.stride = Bytes(stride);
            group.push_back(t);
        }
    }
    return groups;
}

TargetGroup gather_group(const std::vector<Bytes>& sizes, int threads) {
    TargetGroup group;
    for (const Bytes size : sizes) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            Target t;
            t.resource = Resource::gather;
            t.when = {.dtype = dtype, .threads = threads, .footprint = size, .huge_pages = true};
            group.push_back(t);
        }
    }
    return group;
}

}  // namespace rooftune
