// Who is better over several processes where their median does not tell two finalists apart.
#pragma once

#include <cstddef>
#include <span>

#include "tuner/formats/record.h"

namespace rooftune {

/// Times of one variant over those of another: in each process the median over its rounds, of these the
/// geometric mean. Rounds in which either was disturbed are left out where others of the process remain.
/// `ends`: rounds after each process, ascending. 1 where there is no round.
double ratio_on_average(std::span<const Slot> variant, std::span<const Slot> other,
                        std::span<const std::size_t> ends);

/// Whether a variant is to be preferred to one that no other beats by the median of all rounds: the median
/// does not tell them apart (at most 2 % slower, and not proven slower), there were at least three processes,
/// and over these it took less time on average, by at least 3 %.
///
/// A machine has states, and so has what a process is dealt: on a virtual machine whose neighbours left it
/// memory's bandwidth in one process of three, a stencil in 256-bit vectors took 4.9 ms in that one and 6.1
/// in the others, one in 128-bit vectors 5.9 and 6.0. The median of the rounds chose the second, which no
/// program would. The mean alone would let one lucky process of few decide.
bool better_on_average(std::span<const Slot> variant, std::span<const Slot> other,
                       std::span<const std::size_t> ends);

/// Whether what processes are dealt leaves open that a variant takes less time than another by more than the
/// share `by`: two standard errors of the mean over processes (more where they are few) below that mean. Says
/// no of fewer than three processes.
///
/// A transpose of 1024² doubles took 0.65 or 0.95 ms in blocks of 4 and 0.58 or 1.1 ms in buffered blocks of
/// 64, by the pages that a process had: three processes called the second faster, a comparison over
/// twenty rounds in fresh ones the first by a third.
bool may_be_faster(std::span<const Slot> variant, std::span<const Slot> other,
                   std::span<const std::size_t> ends, double by);

}  // namespace rooftune
