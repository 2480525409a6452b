// How alike problems are: their features (kernels/contract/family.h) as points, and who is near whom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rooftune {

using FeatureVector = std::vector<double>;

/// What differences of each feature are divided by: the standard deviation over the problems, but never less
/// than 1. Features are such that a difference of 1 matters, so that a job of like problems does not magnify
/// what hardly differs, and in a job of many sizes size does not hide everything else.
std::vector<double> scales_of(std::span<const FeatureVector> problems);

/// Euclidean, of scaled differences. All three have the same length.
double feature_distance(std::span<const double> a, std::span<const double> b, std::span<const double> scales);

/// The order of tuning, as places in `problems`: first the one in the middle (least sum of distances), then
/// always the one that is nearest to any before it. So each has the nearest possible neighbour when its turn
/// comes: the edges are those of a minimum spanning tree.
std::vector<std::size_t> tuning_order(std::span<const FeatureVector> problems,
                                      std::span<const double> scales);

/// The `count` of `among` (places in `problems`) that are nearest to `point`, the nearest first; the earlier
/// place first where distances are equal.
std::vector<std::size_t> nearest_of(std::span<const double> point, std::span<const std::size_t> among,
                                    std::span<const FeatureVector> problems, std::span<const double> scales,
                                    std::size_t count);

}  // namespace rooftune
