#include "kernels/matmul/operands.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/geometry.h"

namespace rooftune::matmul {
namespace {

// Each variant is verified with two seeds in a search and with three in finals.
constexpr std::size_t kInputs = 3;
constexpr std::int64_t kParts = 64;  ///< of a checksum, which so does not depend on the team

/// A 64-bit number of these bytes that changes with them: eight sums in turn, each turned and multiplied
/// before it takes the next word, so that order matters, high bits come down, and no sum waits for another.
std::uint64_t checksum_of(const std::byte* data, std::size_t bytes) {
    constexpr std::size_t kSums = 8;
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    constexpr int kTurn = 29;
    std::array<std::uint64_t, kSums> sums{};
    const auto take = [&](const std::array<std::uint64_t, kSums>& words) {
        for (std::size_t i = 0; i < kSums; ++i) sums[i] = std::rotl(sums[i], kTurn) * kOdd + words[i];
    };
    std::array<std::uint64_t, kSums> words{};
    std::size_t at = 0;
    for (; at + sizeof words <= bytes; at += sizeof words) {
        std::memcpy(words.data(), data + at, sizeof words);
        take(words);
    }
    words = {};
    if (at < bytes) std::memcpy(words.data(), data + at, bytes - at);
    take(words);
    std::uint64_t all = 0;
    for (const std::uint64_t sum : sums) all = (std::rotl(all, kTurn) ^ sum) * kOdd;
    return all;
}

std::uint64_t checksum_of(const Input& input, Team& team) {
    std::array<std::uint64_t, 2 * kParts> parts{};
    team.run(team.size(), [&](int thread) {
        const Range mine = part(kParts, team.size(), thread);
        for (std::int64_t p = mine.begin; p < mine.end; ++p) {
            const auto of = [&](const Buffer& buffer) {
                const Range bytes = part(static_cast<std::int64_t>(buffer.bytes()), kParts, p);
                return checksum_of(buffer.data() + bytes.begin, static_cast<std::size_t>(bytes.size()));
            };
            parts[static_cast<std::size_t>(p)] = of(input.a);
            parts[static_cast<std::size_t>(kParts + p)] = of(input.b);
        }
    });
    return checksum_of(reinterpret_cast<const std::byte*>(parts.data()), sizeof parts);
}

std::size_t bytes_of(const MatmulProblem& problem, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns) * size_of(problem.dtype());
}

/// Bytes that must be free beside what is there for another pair of operands: a few pairs more, and the
/// references of the seeds with what makes them, in double.
double spare_of(const MatmulProblem& problem) {
    constexpr double kPairs = 4.0, kReferences = 3.0, kDoubles = 2.0;
    const auto pair = static_cast<double>(bytes_of(problem, problem.m(), problem.k()) +
                                          bytes_of(problem, problem.k(), problem.n()));
    const auto answer = static_cast<double>(problem.m() * problem.n()) * sizeof(double);
    return kPairs * pair + kReferences * kDoubles * answer;
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
    if (inputs_.empty() || (inputs_.size() < kInputs && available_memory() > spare_of(problem_))) {
        inputs_.push_front({seed, Buffer(a, key_.pages), Buffer(b, key_.pages), 0});
    } else {
        inputs_.splice(inputs_.begin(), inputs_, std::prev(inputs_.end()));
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
    input.checksum = checksum_of(input, team);
}

bool Operands::intact(const Input& input, Team& team) const {
    return input.a.intact() && input.b.intact() && checksum_of(input, team) == input.checksum;
}

void Operands::flush(const Input& input) {
    for (const Buffer* buffer : {&input.a, &input.b}) flush_lines(buffer->data(), buffer->bytes());
}

}  // namespace rooftune::matmul
