// Matrix product C (m×n) = A (m×k) · B (k×n): 2mnk flops over s(mk + kn + mn) bytes, each matrix moved once;
// in fp16, square, n/3. A is the activations, B the weights: with m far below n and k the intensity is m
// (bf16), and the product is compute bound once m exceeds the ridge. Mixed precision changes the bytes of a
// matrix and not the flops, or both (compute=). Spread over devices: models/sharded_matmul.h.
#include "models/sharded_matmul.h"

#include <algorithm>

#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

double bytes_of(DType t) {
    return static_cast<double>(size_of(t));
}

class MatmulWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "matmul"; }
    std::string_view summary() const override {
        return "C (m×n) = A (m×k) · B (k×n), on one or many devices";
    }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            size_key("m", "rows of A and C: the batch"),
            size_key("n", "columns of B and C"),
            size_key("k", "columns of A, rows of B"),
            choice_key("activations", "element type of A", "dtype"),
            choice_key("weights", "element type of B", "dtype"),
            choice_key("result", "element type of C", "dtype"),
            choice_key("compute", "element type that products are computed in", "dtype"),
            size_key("links", "devices that share the work, joined by links", "1"),
            choice_key("shard", "dimension that is split over the devices: m, n or k", "k"),
            choice_key(
                "inputs",
                "shard=m, n: placed, every device has the operand that it needs whole (B, A); gathered, "
                "the operand lies in parts",
                "placed"),
            choice_key(
                "output",
                "whole: every device needs all of C; parts: a part of it each; auto: whole for shard=k, "
                "else parts",
                "auto"),
            choice_key("wiring", "ring: each device linked to two others; port: each to a switch", "ring"),
            choice_key("link", "link of the machine, such as ici or pcie; any: the fastest", "any"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        const MatmulShape whole{key.size("m"), key.size("n"), key.size("k")};
        const DType a = key.dtype("activations");
        const DType b = key.dtype("weights");
        const DType c = key.dtype("result");
        const MatmulElements element{bytes_of(a), bytes_of(b), bytes_of(c)};
        const MatmulSharding sharding = read_sharding(key);
        const ShardedMatmul part = shard(whole, element, sharding);

        Workload w;
        w.dtype = key.dtype("compute");
        w.title = "matmul " + size_text(whole.m) + " × " + size_text(whole.n) + " × " + size_text(whole.k) +
                  ", " + types_text(w.dtype, a, b, c) + spread_text(key, sharding);
        w.devices = sharding.devices;
        w.flops = Operations(whole.flops());
        // What comes over a link need not pass through memory; the likely way is that it does.
        const Bytes held = part.mine.a_bytes(element) + part.mine.b_bytes(element);
        w.work.traffic.reads = held - part.gathered;
        w.work.traffic.writes = part.mine.c_bytes(element);
        w.work.traffic.products = part.mine.m * part.mine.n * part.mine.k;
        w.work.traffic.results = part.mine.m * part.mine.n;
        w.work.traffic.element_bytes = std::min({element.a, element.b, element.c});
        w.work.exchanged = part.exchanged();
        w.footprint = held + part.mine.c_bytes(element);
        if (sharding.whole_result && sharding.along != MatmulDimension::k) {
            w.footprint += whole.c_bytes(element) - part.mine.c_bytes(element);
        }
        if (part.gathered.value > 0.0) {
            w.extra = {{TrafficCause::capacity, part.gathered * 2.0,
                        "use what comes over the link before it is stored"}};
        }
        w.link = key.text("link") == "any" ? "" : key.text("link");
        key.finish(w);
        return w;
    }

private:
    static MatmulSharding read_sharding(const WorkloadReader& key) {
        MatmulSharding how;
        how.devices = key.size_from("links", 1.0);
        how.wiring = *wiring_from(key.choice("wiring", {"ring", "port"}));
        const std::string along = key.choice("shard", {"m", "n", "k"});
        const bool gathered = key.choice("inputs", {"placed", "gathered"}) == "gathered";
        const std::string output = key.choice("output", {"auto", "whole", "parts"});
        if (gathered && along == "k") {
            throw WorkloadError{"inputs",
                                "nothing is gathered with shard=k: every device has its part of A and B"};
        }
        if (how.devices == 1.0) return how;
        how.along = along == "m"   ? MatmulDimension::m
                    : along == "n" ? MatmulDimension::n
                                   : MatmulDimension::k;
        how.gather_operand = gathered;
        how.whole_result = output == "whole" || (output == "auto" && along == "k");
        return how;
    }

    static std::string types_text(DType compute, DType a, DType b, DType c) {
        std::string text(to_text(compute));
        if (a != compute) text += ", A " + std::string(to_text(a));
        if (b != compute) text += ", B " + std::string(to_text(b));
        if (c != compute) text += ", C " + std::string(to_text(c));
        return text;
    }

    static std::string spread_text(const WorkloadReader& key, const MatmulSharding& how) {
        if (how.along == MatmulDimension::none) return "";
        return ", split along " + key.text("shard") + " over " + size_text(how.devices) + " devices";
    }
};

}  // namespace

const WorkloadKind& matmul_workload() {
    static const MatmulWorkload kind;
    return kind;
}

}  // namespace rooftune
