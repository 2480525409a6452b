// Plain work: so many operations, so many bytes. For kernels that nobody has described yet.
#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

class PlainWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "work"; }
    std::string_view summary() const override { return "so many operations and bytes"; }

    bool may_lack_flops() const override { return true; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            size_key("flops", "operations", "0"),
            size_key("bytes", "bytes moved, whichever direction", "0"),
            size_key("reads", "bytes read, where they are known apart from those written", "0"),
            size_key("writes", "bytes written, where they are known apart from those read", "0"),
            size_key("link_bytes", "bytes that leave or enter the device over its links, the larger", "0"),
            choice_key("link", "link of the machine, such as ici or pcie; any: the fastest", "any"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        const double bytes = key.size("bytes");
        const double reads = key.size("reads");
        const double writes = key.size("writes");
        if (bytes > 0.0 && reads + writes > 0.0) {
            throw WorkloadError{"bytes", "give either bytes, or reads and writes: they would count twice"};
        }
        Workload w;
        w.title = "work of " + size_text(key.size("flops")) + " flop and " +
                  size_text(bytes + reads + writes) + " byte";
        w.dtype = key.dtype();
        w.flops = Operations(key.size("flops"));
        w.work.traffic.reads = Bytes(bytes + reads);
        w.work.traffic.writes = Bytes(writes);
        w.work.exchanged = Bytes(key.size("link_bytes"));
        w.footprint = Bytes(bytes + reads + writes);
        w.link = key.text("link") == "any" ? "" : key.text("link");
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& plain_workload() {
    static const PlainWorkload kind;
    return kind;
}

}  // namespace rooftune
