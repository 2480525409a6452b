#include "kernels/spmv/in_core.h"

#include <algorithm>
#include <bit>

#include "kernels/spmv/kernel.h"

namespace rooftune::spmv {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

InCore in_core(const FormatSummary& summary, const ThreadShare& share, Code code) {
    const FormatKey& key = summary.key;
    const std::int64_t segment_words = 1 + (summary.has_bases ? 1 : 0) + (summary.has_groups ? 1 : 0);
    const std::int64_t segments = share.segments + share.continued;
    std::int64_t lanes = code.lanes;
    std::int64_t products = 0;
    std::int64_t instructions = segments * segment_words;
    std::int64_t loads = segments * segment_words;
    std::int64_t wide = 0;
    std::int64_t whole = 0;  // vectors of x, each lane from an address of its own
    switch (key.format) {
        case Format::csr:
            products =
                share.vectors[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(code.lanes)))];
            instructions += 3 * products + share.rows;
            loads += 3 * products;
            wide = std::max<std::int64_t>(0, products - segments);
            whole = wide;
            break;
        case Format::sell: {
            products = share.steps * key.chunk / lanes;
            const std::int64_t stores = ceil_div(share.rows, lanes);
            instructions += 3 * products + stores;
            loads += 3 * products + (summary.permuted ? stores : 0);
            wide = whole = products;
            break;
        }
        case Format::bcsr: {
            lanes = block_lanes(key.block.rows, code.lanes);
            const std::int64_t vectors = ceil_div(key.block.rows, lanes);
            products = share.steps * key.block.cols * vectors;
            instructions += share.steps * (1 + key.block.cols * (vectors + 1)) + ceil_div(share.rows, lanes);
            loads += share.steps * (1 + key.block.cols * vectors + 1);
            wide = products;
            break;
        }
    }
    if (lanes > 1 && !code.gathers) {
        instructions += whole * (lanes - 1);
        loads += whole * (lanes - 1);
    }
    const auto count = [](std::int64_t n) { return Operations(static_cast<double>(n)); };
    InCore counted{count(2 * products * lanes), count(instructions), count(loads), count(products)};
    if (lanes > 1) counted.wide_loads = count(wide);
    if (lanes > 1 && code.gathers) counted.gathered = count(whole * lanes);
    return counted;
}

int load_bits(const FormatSummary& summary, Code code, DType dtype) {
    const int lanes =
        summary.key.format == Format::bcsr ? block_lanes(summary.key.block.rows, code.lanes) : code.lanes;
    return lanes * 8 * static_cast<int>(size_of(dtype));
}

double chain_steps(const FormatKey& format, std::int64_t longest, Code code) {
    switch (format.format) {
        case Format::csr:
            return static_cast<double>(ceil_div(ceil_div(longest, code.lanes), code.unroll));
        case Format::sell:
            return static_cast<double>(longest);
        case Format::bcsr:
            return static_cast<double>(ceil_div(longest, code.unroll) * format.block.cols);
    }
    return 0.0;
}

}  // namespace rooftune::spmv
