#include "tuner/external/arrays.h"

#include <algorithm>
#include <cstring>

#include "tuner/external/array_file.h"
#include "tuner/external/elements.h"

namespace rooftune::external {
namespace {

// Of `count` things those that thread `t` of `threads` has.
std::pair<std::size_t, std::size_t> share_of(std::size_t count, int t, int threads) {
    const auto n = static_cast<std::size_t>(threads), k = static_cast<std::size_t>(t);
    return {count / n * k + std::min(count % n, k), count / n * (k + 1) + std::min(count % n, k + 1)};
}

// Steele, Lea, Flood 2014: the finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Real ones from -1 to 1, whole ones from 0 to 99.
double drawn(Element type, std::uint64_t start, std::size_t i) {
    const std::uint64_t bits = mixed(start + i);
    if (!is_real(type)) return static_cast<double>(bits % 100);
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

Arrays::Arrays(const Instance& instance, Team& team, const Arrays* inputs)
    : instance_(instance), filled_(instance.counts.size()) {
    masters_.resize(instance.counts.size());
    for (std::size_t a = 0; a < instance.counts.size(); ++a) {
        if (inputs && instance.declaration.arrays[a].direction == Direction::in) {
            buffers_.emplace_back();
            pointers_.push_back(inputs->pointers_[a]);
            continue;
        }
        buffers_.emplace_back(std::max<std::size_t>(1, bytes(a)));
        pointers_.push_back(buffers_.back().data());
        // Each thread's part lies where it will be used by loops that are shared out alike.
        std::byte* const first = buffers_.back().data();
        team.run(team.size(), [&](int t) {
            const auto [begin, end] = share_of(bytes(a), t, team.size());
            std::memset(first + begin, 0, end - begin);
        });
        buffers_.back().arm();
    }
}

std::size_t Arrays::bytes(std::size_t array) const {
    return static_cast<std::size_t>(instance_.counts[array]) *
           bytes_of(instance_.declaration.arrays[array].element);
}

void Arrays::fill(std::size_t a, std::uint64_t seed, Team& team) {
    const DeclaredArray& array = instance_.declaration.arrays[a];
    std::byte* const to = buffers_[a].data();
    const auto count = static_cast<std::size_t>(instance_.counts[a]);
    if (array.fill && masters_[a].bytes() > 0) {
        team.run(team.size(), [&](int t) {
            const auto [begin, end] = share_of(bytes(a), t, team.size());
            std::memcpy(to + begin, masters_[a].data() + begin, end - begin);
        });
        return;
    }
    if (array.file) {
        read_array_file(path_of_array(instance_, array), array.element, count, to,
                        place_of(instance_.declaration.file, *array.file));
        return;
    }
    if (array.matrix >= 0) {
        const sparse::Csr& matrix = *instance_.matrices[static_cast<std::size_t>(array.matrix)].rows;
        team.run(team.size(), [&](int t) {
            const auto [begin, end] = share_of(count, t, team.size());
            store_part(matrix, array, to, begin, end);
        });
        return;
    }
    const std::uint64_t start = mixed(seed) ^ mixed(a + 1);
    const auto function = array.fill ? function_from("i", instance_.numbers, array.fill->text,
                                                     place_of(instance_.declaration.file, *array.fill))
                                     : std::function<double(double)>();
    team.run(team.size(), [&](int t) {
        const auto [begin, end] = share_of(count, t, team.size());
        auto own = function;  // the parser has variables
        for (std::size_t i = begin; i < end; ++i)
            store_element(array.element, to, i,
                          own ? own(static_cast<double>(i)) : drawn(array.element, start, i));
    });
    if (array.fill && array.direction == Direction::inout) {
        masters_[a] = Buffer(std::max<std::size_t>(1, bytes(a)));
        std::memcpy(masters_[a].data(), to, bytes(a));
    }
}

void Arrays::reset(std::uint64_t seed, Team& team) {
    for (std::size_t a = 0; a < buffers_.size(); ++a) {
        if (buffers_[a].data() == nullptr) continue;
        const DeclaredArray& array = instance_.declaration.arrays[a];
        if (array.direction == Direction::out) {
            team.run(team.size(), [&](int t) {
                const auto [begin, end] = share_of(bytes(a), t, team.size());
                std::memset(buffers_[a].data() + begin, 0xFF, end - begin);
            });
        } else if (array.direction == Direction::inout) {
            fill(a, seed, team);
        } else if (!filled_[a].valid || (array.is_random() && filled_[a].seed != seed)) {
            fill(a, seed, team);
            filled_[a] = {true, seed, sum_of(a, team)};
        }
        buffers_[a].arm();
    }
}

std::uint64_t Arrays::sum_of(std::size_t a, Team& team) const {
    std::vector<std::uint64_t> parts(static_cast<std::size_t>(team.size()));
    const std::byte* const from = data(a);
    const std::size_t words = bytes(a) / 8;
    team.run(team.size(), [&](int t) {
        const auto [begin, end] = share_of(words, t, team.size());
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * i, 8);
            // Odd factors, so that what is swapped is seen as well.
            sum += word * (2 * i + 1);
        }
        parts[static_cast<std::size_t>(t)] = sum;
    });
    std::uint64_t sum = 0;
    for (const std::uint64_t part : parts) sum += part;
    for (std::size_t i = 8 * words; i < bytes(a); ++i)
        sum += static_cast<std::uint64_t>(from[i]) * (2 * i + 1);
    return sum;
}

bool Arrays::intact(Team& team) {
    bool all = true;
    for (std::size_t a = 0; a < buffers_.size(); ++a) {
        if (buffers_[a].data() == nullptr) continue;
        all = all && buffers_[a].intact();
        if (filled_[a].valid && sum_of(a, team) != filled_[a].sum) {
            filled_[a].valid = false;  // the next variant must not be blamed for it
            all = false;
        }
    }
    return all;
}

void Arrays::flush() const {
    for (std::size_t a = 0; a < pointers_.size(); ++a) flush_lines(pointers_[a], bytes(a));
}

}  // namespace rooftune::external
