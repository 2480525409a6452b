// One declaration a strategy; strategies.cpp lists them.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/search/strategies/strategy.h"

namespace rooftune {

std::unique_ptr<Strategy> make_exhaustive(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_random(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_local(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_annealing(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_genetic(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_differential(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_swarm(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_surrogate(const Landscape& landscape, std::uint64_t seed);
std::unique_ptr<Strategy> make_bandit(const Landscape& landscape, std::uint64_t seed);

}  // namespace rooftune
