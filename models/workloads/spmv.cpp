// Sparse matrix times dense vector, by counts alone (the family spmv counts a real matrix exactly). With
// i bytes an index, e an element, 2 flops an entry:
//   csr   nnz·(e + i) + 4·(rows + 1)                       12 bytes an entry in f64: intensity < 0.166
//   sell  fill·nnz·(e + i) + 4·(rows/C + 1)                fill = stored/nnz
//   bcsr  fill·nnz·(e + i/(r·c)) + 4·(rows/r + 1)          one index a block: towards 0.25
// and e for each distinct element of x and each row of y. Each element of x once is the least; `alpha` says
// how many bytes of x an entry really costs, in elements (1: no reuse at all).
#include <algorithm>

#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

constexpr double kPointer = 4.0;

class SpmvWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "spmv"; }
    std::string_view summary() const override { return "sparse matrix times vector, by counts"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            size_key("rows", "rows"),
            size_key("nnz", "entries"),
            size_key("cols", "columns", "rows"),
            choice_key("format", "csr, sell or bcsr", "csr"),
            choice_key("index", "bits of an index: 16 or 32", "32"),
            size_key("fill", "entries stored for each entry of the matrix: padding of sell and bcsr", "1"),
            size_key("chunk", "sell: rows a chunk", "32"),
            size_key("r", "bcsr: rows of a block", "4"),
            size_key("c", "bcsr: columns of a block", "4"),
            size_key("alpha", "elements of x fetched for each entry; 0: each touched element once", "0"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const double rows = key.size("rows");
        const double nnz = key.size("nnz");
        const std::string format = key.choice("format", {"csr", "sell", "bcsr"});
        const double index = key.choice("index", {"16", "32"}) == "16" ? 2.0 : 4.0;
        const auto element = static_cast<double>(size_of(w.dtype));
        double stored = nnz;
        double indices = nnz;
        double pointers = rows + 1.0;
        if (format != "csr") stored *= key.size_from("fill", 1.0);
        if (format == "sell") {
            indices = stored;
            pointers = rows / key.size_from("chunk", 1.0) + 1.0;
        } else if (format == "bcsr") {
            indices = stored / (key.size_from("r", 1.0) * key.size_from("c", 1.0));
            pointers = rows / key.size("r") + 1.0;
        }
        const double x = std::min(key.size("cols"), nnz);
        const double fetched = key.size("alpha") * nnz;

        w.title = "spmv " + format + ", " + size_text(rows) + " rows, " + size_text(nnz) + " entries, " +
                  std::string(to_text(w.dtype));
        w.flops = Operations(2.0 * nnz);
        w.work.traffic.reads = Bytes(stored * element + indices * index + pointers * kPointer + x * element);
        w.work.traffic.writes = Bytes(rows * element);
        w.footprint = w.work.traffic.reads + w.work.traffic.writes;
        w.extra = {{TrafficCause::write_allocate, w.work.traffic.writes, "non-temporal stores"}};
        if (fetched > x) {
            w.extra.push_back({TrafficCause::capacity, Bytes((fetched - x) * element),
                               "rows in an order that uses x again soon, or blocks of columns"});
        }
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& spmv_workload() {
    static const SpmvWorkload kind;
    return kind;
}

}  // namespace rooftune
