// What nodes of one kind have in common: the highest rates that any of them reached, and who falls short of
// them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// Takes over each ceiling of `from` that is higher than the same one of `into`, whole, and those that `into`
/// lacks. Unlike merge(), the same machine taken twice changes nothing. True where something rose; `which`
/// gets the places of these among the ceilings of `into`, which keep their places.
bool take_higher(Machine& into, const Machine& from, std::vector<std::size_t>* which = nullptr);

/// `after` with those ceilings alone that take_higher() would take over into `before`.
Machine risen(const Machine& before, const Machine& after);

/// A ceiling at which a node stays behind others of its class.
struct Shortcoming {
    Ceiling own;        ///< as the node has it
    double best = 0.0;  ///< the highest of the class
    /// Of what the class reaches.
    double share() const { return own.max / best; }
};

/// What of `node` is compared with its class: arithmetic, and walks of the largest footprint, which make
/// roofs; walks within caches are short, and of levels that neighbours share no property of a node.
std::vector<Shortcoming> class_shares(const Machine& node, const Machine& class_roofs);

/// Where `node` is further than `most_behind`, as a share, below the class; the furthest first. Good nodes
/// differ: walks of one machine by up to 16 % between two models at one in twenty
/// (results/machine_repeats.md), which the default of ClusterOptions::most_behind leaves room for.
std::vector<Shortcoming> shortcomings(const Machine& node, const Machine& class_roofs, double most_behind);

/// What is compared of one node, found among the ceilings of its class once: of a thousand nodes with
/// hundreds of ceilings each the search would take longer than all else.
class Standing {
public:
    Standing() = default;
    /// Ceilings that the class lacks are not compared.
    Standing(const Machine& node, const Machine& class_roofs);

    /// As shortcomings(), with the class as it is now: its ceilings may have risen, and others come to it.
    std::vector<Shortcoming> behind(const Machine& class_roofs, double most_behind) const;

    /// What is compared.
    const std::vector<Ceiling>& own() const { return own_; }

private:
    std::vector<Ceiling> own_;
    std::vector<std::size_t> of_class_;  ///< parallel: places among the ceilings of the class
};

/// Of the windows behind those of these ceilings that are of the most threads, the share in which somebody
/// took a processor away, from 0 to 1; 0 where there are none. One thread sees nothing of who has the
/// others'.
double taken_away(const std::vector<Ceiling>& ceilings);

/// "others had its processors in 71 % of its probes' windows".
std::string taken_away_text(double share);

/// "compute f64 fma 256 bits, 2 threads: 41 % of the class's".
std::string shortcoming_text(const Shortcoming& shortcoming);

}  // namespace rooftune
