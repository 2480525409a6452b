// The small closed sets that machine, work and bound share: element types, states of the caches,
// instruction mixes. Each has one spelling, used in files, on the command line and in messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rooftune {

/// Element types. Kernels of this project compute in f32 and f64 (`real_dtype_from`); the others are those
/// of machines: matrix units, integer units, presets.
enum class DType { f32, f64, f16, bf16, f8, int8, int16, int32, int64 };
inline constexpr int kDTypes = 9;

/// Where a variant runs: on the processing units of this process, or on an OpenCL device.
enum class Backend { cpu, opencl };

/// Caches at the start of a repetition: flushed of the problem's lines, or as the last repetition left them.
enum class State { warm, cold };

/// What a ceiling was measured with. Compute mixes, then memory mixes, then issue mixes.
enum class Mix {
    none,
    fma,              ///< fused multiply-adds only, 2 flops each
    add,              ///< additions only
    mul,              ///< multiplications only
    div,              ///< divisions only
    sqrt,             ///< square roots only
    dot,              ///< products of narrow elements added into wider ones, 2 operations each
    fma_add,          ///< fused multiply-adds and additions in turn
    load,             ///< reads only
    update,           ///< read and write in place: half the bytes each
    store,            ///< ordinary stores; only the bytes stored are counted
    nt_store,         ///< non-temporal stores
    nt_copy,          ///< read, non-temporal store: half the bytes each
    copy,             ///< read, ordinary store elsewhere: half the bytes each
    two_loads_store,  ///< two bytes read for each written
    loads,            ///< issue: load instructions only
    split_loads,      ///< issue: vector loads only, each of which straddles two cache lines
    gathers,          ///< issue: gather instructions only; the elements that they load are counted
    fmas,             ///< issue: FMA instructions only
    mixed,            ///< issue: the richest mix found, any instruction counted
    to_device,        ///< transfer: host to device
    from_device,      ///< transfer: device to host
};

/// Bytes of one element.
constexpr std::size_t size_of(DType t) {
    switch (t) {
        case DType::f64:
        case DType::int64:
            return 8;
        case DType::f32:
        case DType::int32:
            return 4;
        case DType::f16:
        case DType::bf16:
        case DType::int16:
            return 2;
        case DType::f8:
        case DType::int8:
            return 1;
    }
    return 4;
}

constexpr bool is_integer(DType t) {
    return t == DType::int8 || t == DType::int16 || t == DType::int32 || t == DType::int64;
}

std::string_view to_text(Backend b);
std::string_view to_text(DType t);
std::string_view to_text(State s);
std::string_view to_text(Mix m);
std::optional<Backend> backend_from(std::string_view text);
std::optional<DType> dtype_from(std::string_view text);
/// f32 and f64 only: what the kernels compute in.
std::optional<DType> real_dtype_from(std::string_view text);
std::optional<State> state_from(std::string_view text);
std::optional<Mix> mix_from(std::string_view text);

/// Shares of a memory mix's bytes that are read and written; {0, 0} for mixes that move no bytes. A bandwidth
/// without a mix, as data sheets state it, is one of either direction: {1, 1}, and both together no more.
struct ReadWriteShare {
    double read;
    double write;
};
ReadWriteShare read_write_share(Mix m);

}  // namespace rooftune
