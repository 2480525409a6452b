// A chain of operations with and without fusion: what an intensity gains when arrays between operations are
// not stored and loaded again. Arithmetic in models/fusion.h.
#include <algorithm>
#include <charconv>

#include "models/fusion.h"
#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

std::vector<std::string> split(const std::string& text, std::string_view at) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (at.find(c) != std::string_view::npos) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

bool is_matmul(const ChainOperation* operation) {
    return operation->operand == ChainOperand::weights;
}

class ChainWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "chain"; }
    std::string_view summary() const override { return "operations one after another, fused or not"; }

    std::vector<WorkloadKey> keys() const override {
        std::string names;
        for (const ChainOperation& operation : chain_operations()) {
            names += (names.empty() ? "" : ", ") + std::string(operation.name);
        }
        return with_common_keys({
            choice_key("ops", "operations, joined by +: " + names, ""),
            size_key("m", "rows of every array"),
            size_key("n", "columns; after a first matmul, of its result"),
            size_key("k", "columns before the first matmul, and again after the second", "n"),
            choice_key("fused",
                       "none; all; or where, counted from 1 and joined by +: 1+3 fuses operation 1 with 2 "
                       "and 3 with 4",
                       "none"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        const std::vector<ChainStep> steps = read_steps(key);
        Workload w;
        w.dtype = key.dtype();
        const auto element = static_cast<double>(size_of(w.dtype));
        const std::vector<ChainKernel> kernels = chain_kernels(steps, element);
        const ChainKernel total = chain_total(kernels);
        w.title = "chain " + total.name + " on " + size_text(key.size("m")) + " rows, " +
                  std::string(to_text(w.dtype));
        w.flops = total.flops;
        w.work.traffic.reads = total.reads;
        w.work.traffic.writes = total.writes;
        // Operands stay; of the arrays between kernels the largest two neighbours are there at once.
        Bytes between{0.0};
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const Bytes before = i > 0 ? kernels[i - 1].writes : Bytes(0.0);
            between = std::max(between, before + kernels[i].writes);
        }
        w.footprint = total.operands + between;
        key.finish(w);
        return w;
    }

private:
    static std::vector<ChainStep> read_steps(const WorkloadReader& key) {
        std::vector<ChainStep> steps;
        const double rows = key.size("m");
        const double n = key.size("n");
        const double k = key.size("k");
        const std::vector<std::string> words = split(key.text("ops"), "+,");
        bool multiplies = false;
        for (const std::string& word : words) {
            const ChainOperation* operation = find_chain_operation(word);
            if (operation == nullptr) {
                throw WorkloadError{"ops", "unknown operation '" + word +
                                               "'; expected names joined by +, such "
                                               "as matmul+bias+gelu"};
            }
            multiplies = multiplies || is_matmul(operation);
            steps.push_back({.operation = operation, .rows = rows});
        }
        double columns = multiplies ? k : n;
        bool wide = false;  // after an odd number of products
        for (ChainStep& step : steps) {
            step.from = columns;
            if (is_matmul(step.operation)) {
                wide = !wide;
                columns = wide ? n : k;
            }
            step.to = columns;
        }
        read_fused(key.text("fused"), steps);
        return steps;
    }

    static void read_fused(const std::string& text, std::vector<ChainStep>& steps) {
        if (text == "none") return;
        const std::size_t joints = steps.size() - 1;
        if (text == "all") {
            for (std::size_t i = 0; i < joints; ++i) steps[i].fused_with_next = true;
            return;
        }
        for (const std::string& word : split(text, "+,")) {
            std::size_t joint = 0;
            const char* end = word.data() + word.size();
            const auto [rest, error] = std::from_chars(word.data(), end, joint);
            if (error != std::errc{} || rest != end || joint < 1 || joint > joints) {
                throw WorkloadError{"fused", "expected none, all, or numbers from 1 to " +
                                                 std::to_string(joints) + " joined by +, got '" + text + "'"};
            }
            steps[joint - 1].fused_with_next = true;
        }
    }
};

}  // namespace

const WorkloadKind& chain_workload() {
    static const ChainWorkload kind;
    return kind;
}

}  // namespace rooftune
