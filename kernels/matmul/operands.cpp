#include "kernels/matmul/operands.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/geometry.h"

namespace rooftune::matmul {
namespace {

constexpr std::size_t kInputs = 2;
constexpr double kSpare = 4.0;  ///< pairs of operands that must fit beside a second one

/// Some 64-bit number of these bytes that one changed bit changes: eight sums in turn, each multiplied before
/// it takes the next word, so that order matters and no sum waits for another.
std::uint64_t checksum(const std::byte* data, std::size_t bytes) {
    constexpr std::size_t kSums = 8;
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    std::array<std::uint64_t, kSums> sums{};
    std::size_t at = 0;
    for (; at + sizeof sums <= bytes; at += sizeof sums) {
        std::array<std::uint64_t, kSums> words{};
        std::memcpy(words.data(), data + at, sizeof words);
        for (std::size_t i = 0; i < kSums; ++i) sums[i] = sums[i] * kOdd + words[i];
    }
    std::array<std::uint64_t, kSums> rest{};
    if (at < bytes) std::memcpy(rest.data(), data + at, bytes - at);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kSums; ++i) all = (all ^ (sums[i] * kOdd + rest[i])) * kOdd;
    return all;
}

std::size_t bytes_of(const MatmulProblem& problem, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns) * size_of(problem.dtype());
}

template <typename T>
void fill_part(const Buffer& buffer, Operand operand, std::uint64_t seed, int threads, int thread) {
    const Range mine = part(static_cast<std::int64_t>(buffer.bytes() / sizeof(T)), threads, thread);
    fill_slice(buffer.as<T>(), operand, seed, mine.begin, mine.end);
}

}  // namespace

const Input& Operands::input(std::uint64_t seed, Team& team) {
    const auto it =
        std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.seed == seed; });
    if (it != inputs_.end()) {
        inputs_.splice(inputs_.begin(), inputs_, it);
        // What a wrong variant has written into it must not make the next one wrong as well.
        if (!intact(inputs_.front(), team)) fill(inputs_.front(), team);
        return inputs_.front();
    }
    const std::size_t a = bytes_of(problem_, problem_.m(), problem_.k());
    const std::size_t b = bytes_of(problem_, problem_.k(), problem_.n());
    // Each variant is verified with the same two seeds, so two are kept; one where memory is short.
    const bool short_of_memory = available_memory() < kSpare * static_cast<double>(a + b);
    if (inputs_.size() == kInputs || (!inputs_.empty() && short_of_memory)) {
        inputs_.splice(inputs_.begin(), inputs_, std::prev(inputs_.end()));
    } else {
        inputs_.push_front({seed, Buffer(a, key_.pages), Buffer(b, key_.pages), {}});
    }
    inputs_.front().seed = seed;
    fill(inputs_.front(), team);
    return inputs_.front();
}

void Operands::fill(Input& input, Team& team) const {
    const int threads = std::min(key_.threads, team.size());
    team.run(threads, [&](int thread) {
        const auto both = [&]<typename T>(T /*type*/) {
            fill_part<T>(input.a, Operand::a, input.seed, threads, thread);
            fill_part<T>(input.b, Operand::b, input.seed, threads, thread);
        };
        if (problem_.dtype() == DType::f64) {
            both(double{});
        } else {
            both(float{});
        }
    });
    input.a.arm();
    input.b.arm();
    input.checksums = checksums(input, team);
}

std::array<std::uint64_t, 2> Operands::checksums(const Input& input, Team& team) const {
    std::vector<std::array<std::uint64_t, 2>> parts(static_cast<std::size_t>(team.size()));
    team.run(team.size(), [&](int thread) {
        const auto of = [&](const Buffer& buffer) {
            const Range mine = part(static_cast<std::int64_t>(buffer.bytes()), team.size(), thread);
            return checksum(buffer.data() + mine.begin, static_cast<std::size_t>(mine.end - mine.begin));
        };
        parts[static_cast<std::size_t>(thread)] = {of(input.a), of(input.b)};
    });
    std::array<std::uint64_t, 2> all{};
    for (const auto& one : parts) {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] * 31U + one[i];
    }
    return all;
}

bool Operands::intact(const Input& input, Team& team) const {
    return input.a.intact() && input.b.intact() && checksums(input, team) == input.checksums;
}

void Operands::flush() const {
    for (const Input& input : inputs_) {
        for (const Buffer* buffer : {&input.a, &input.b}) flush_lines(buffer->data(), buffer->bytes());
    }
}

}  // namespace rooftune::matmul
