#include "tuner/base/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rooftune {
namespace {

constexpr std::array<Word, 76> kWords{{
    {"alarm", "",
     "What happens where a measurement is faster than its bound allows: it is verified and timed again, the "
     "ceiling behind the bound is probed again, and what the bound had excluded is opened."},
    {"arithmetic intensity", "intensity, flop/byte",
     "Floating-point operations for each byte that is moved: above the ridge arithmetic limits a kernel, "
     "below it memory does."},
    {"arm", "arms",
     "What is compared in each round of a comparison: a program, a build, a config or a value."},
    {"attainable", "of attainable",
     "The rate that the ceilings allow this work on this machine, its operations over its least time: a "
     "share of it in `compare`, `ladder` and `track` is what a tune calls \"of the roof as probed just "
     "now\", and one in `import` and plots is of the highest rates ever seen."},
    {"audit", "",
     "Variants that were excluded, set aside, raced out or left unmeasured are drawn and measured all the "
     "same, to see whether leaving them out was right."},
    {"backend", "", "Where variants run: the processors (cpu) or an OpenCL device."},
    {"BCSR", "", "Compressed sparse rows of small dense blocks: one column index for each block."},
    {"beyond", "reads beyond, writes beyond, reads and writes beyond",
     "Bytes that no cache of that size can save, however it is used: reads beyond 128 MiB must come from "
     "outside any cache of 128 MiB; such sizes are the footprints at which bandwidth was probed (a factor "
     "of 2 apart, and of √2 or less where it falls), and the bound takes the one at which its bytes take "
     "longest."},
    {"bound", "own bound, of its own bound, T_lower",
     "The least time that a variant could take: the largest of what it must do over the ceiling for it; "
     "faster is impossible as far as the ceilings are right."},
    {"budget", "",
     "What a tune may spend: a time, a number of evaluations, or both, finals and audit included: those "
     "begun by then are finished, so that a tune may end some seconds after it."},
    {"ceiling", "ceilings",
     "The highest rate of one resource (operations, bytes or loads a second) that was seen on a machine "
     "under stated conditions."},
    {"certificate", "",
     "What a tune proves and supports about its answer: how many variants were excluded, set aside, "
     "measured, raced out, failed or left, and how much faster one of them could be."},
    {"change point", "",
     "Where the entries of a history differ before and behind more than chance explains; p is how often "
     "chance "
     "alone would do that."},
    {"chunk", "",
     "Rows of a SELL matrix that are stored side by side, one for each lane of a vector or more."},
    {"cold", "cold caches", "The problem's data are flushed from the caches before each repetition."},
    {"control", "",
     "What is timed in the rounds of a comparison beside the arms and does not depend on them: where it "
     "drifts, "
     "the machine changed."},
    {"CSR", "",
     "Compressed sparse rows: the entries of each row one after the other, with a column index each."},
    {"default variant", "",
     "What programs fall back on where nothing was tuned: chosen by rule, and meant never to be slower than "
     "the naive variant."},
    {"demoted", "no longer trusted",
     "A term of the bound that a measurement has proven wrong in this run: it ranks variants and excludes "
     "none."},
    {"digest", "", "A number that stands for a problem's content: another matrix has another digest."},
    {"edge", "on an edge",
     "The winner has the first or last value of an ordered parameter, so that one further out could be "
     "better still."},
    {"epsilon", "", "The gap at which a tune is content and stops, 3 % unless asked otherwise."},
    {"estimate", "",
     "What a variant probably takes, with traffic that no proof demands; it ranks and sets aside, and "
     "excludes nothing."},
    {"excluded", "excluded by proof",
     "Proven unable to beat the best variant measured, with a margin for noise in the ceilings: never "
     "measured but in the audit."},
    {"failed", "",
     "Did not work: a wrong answer, a crash, a time-out or an instruction that the processor lacks."},
    {"family", "families",
     "A kernel that can be varied: spmv, stencil or matmul, or external, which stands for the kernels and "
     "programs of users."},
    {"finals", "finalist, finalists",
     "The last part of a tune: the best few variants, the default and the naive one in turn, in several "
     "processes."},
    {"fingerprint", "",
     "What a tuned config remembers of its machine: processor, caches, vectors and threads; elsewhere the "
     "config does not apply."},
    {"footprint", "", "Distinct bytes that a kernel touches, of all threads together."},
    {"gap", "",
     "How much faster what was not measured could be at most: proven for any cache, or at the rates that "
     "this machine held."},
    {"gather", "gathers, gathered",
     "A load of several elements from places that other numbers name, as x of a sparse product."},
    {"heaviest thread", "",
     "The thread with the most bytes to move or operations to do: the others wait for it."},
    {"INCONCLUSIVE", "",
     "The rounds of a comparison cannot tell a change of the threshold's size from none."},
    {"interval", "", "What stands in brackets: the median lies within with 95 % confidence."},
    {"INVALID", "", "A comparison whose control shows that the machine was too disturbed to judge by it."},
    {"joint ceiling", "joint",
     "A rate of bytes while the core loads from its first-level cache besides: how far the two overlap."},
    {"ladder", "", "What each optimisation gives, added one by one from the naive variant to the best."},
    {"largest error", "tolerance",
     "The largest difference from the reference over what rounding explains; a variant is right up to 100 % "
     "of that tolerance."},
    {"margin", "",
     "By how much ceilings are allowed to be too low when something is excluded: as much as their highest "
     "rates differ from one occasion to another."},
    {"naive variant", "naive, plain CSR, plain loop, triple loop",
     "The textbook loop, compiled with -O3, on as many threads as the tune may use."},
    {"non-temporal store", "non-temporal stores",
     "A store that passes the caches by, which saves reading the line first."},
    {"overlap", "T_serial, without overlap",
     "Whether arithmetic and transfer go on at the same time: the bound assumes that they do entirely, "
     "T_serial that they do not at all."},
    {"paired", "paired ratio",
     "Times of two variants that were measured in turn in the same minutes, so that what disturbs one "
     "disturbs the other."},
    {"patience", "", "How many evaluations a tune goes on without finding anything better beyond noise."},
    {"preparation", "",
     "What a variant needs once before it runs: converting a matrix, packing, placing memory."},
    {"problem", "",
     "One instance of a kernel: a matrix; a grid and its steps; m, n, k; with the element type."},
    {"problem roof", "roof of the problem, problem's roof, of the problem's roof",
     "A rate that no variant of the space can exceed: what all of them must do, by the highest rates ever "
     "seen here; "
     "bounds of single variants are tighter, so that the gap may say that less is left."},
    {"quick model", "",
     "The machine measured for about ten seconds: ceilings that may be too low, and that later runs raise."},
    {"raced out", "", "Dropped after a few samples because it looked slower: likely, not proven."},
    {"reads_thread", "writes_thread, both_thread",
     "Bytes that the thread with the most of them must move, against what one thread alone can."},
    {"register block", "register tile, tile",
     "Results that a kernel keeps in registers together, so that what it loads serves several of them."},
    {"REGRESSED", "", "Slower than the baseline by more than the threshold, with 95 % confidence."},
    {"regret", "regrets",
     "A variant of the audit that turned out faster than the winner: it takes its place."},
    {"repetition", "", "One run of the kernel from start to end: a time is of one repetition."},
    {"ridge", "", "The arithmetic intensity at which arithmetic and memory take equally long."},
    {"roof", "roofs",
     "The topmost ceiling of a resource; that of a problem is the rate that no variant of its space can "
     "exceed (see problem roof)."},
    {"roof now",
     "of roof now, of the roof now, roof as probed just now, of the roof as probed just now, "
     "fraction_of_roof_now",
     "The same ceilings probed between the turns of the finals: what the machine gave in those minutes."},
    {"round", "rounds", "One turn of each variant that is compared."},
    {"runner-up", "", "The second best of the finals."},
    {"sampled limit", "",
     "What a uniform draw of the unmeasured and raced out says of the rest: with 95 % confidence fewer than "
     "so many of them are more than 3 % faster."},
    {"saturated", "", "A ceiling whose undisturbed windows agree: only such ceilings exclude."},
    {"SELL", "",
     "Sliced ELLPACK: rows sorted by length within sigma rows, and stored in chunks that vectors walk side "
     "by side."},
    {"set aside", "", "Unlikely to win by an estimate that is no proof: measured last, and audited."},
    {"sigma", "", "Rows of a SELL matrix within which rows are sorted by length."},
    {"slot", "slots", "One timed batch of repetitions."},
    {"SLOWER", "FASTER",
     "Of values of a parameter: than the first of them, by more than the threshold; of a tuned config that "
     "is "
     "verified: it reaches less of the machine than when it was tuned."},
    {"space", "", "All variants of a kernel for a problem on a machine."},
    {"stream", "streams", "Places in memory that one thread walks side by side."},
    {"threshold", "delta", "The smallest change that a comparison is to tell from none."},
    {"tuned config", "",
     "The file that a tune writes and programs read: the winner, the problem and the machine that it holds "
     "for."},
    {"UNCHANGED", "", "Proven to differ from the baseline by less than the threshold."},
    {"unmeasured", "", "Neither measured nor ruled out when the search stopped."},
    {"variant", "variants", "One assignment of values to all parameters of a kernel."},
    {"verified", "", "Held against a plain reference, over poisoned outputs, with several inputs."},
    {"warm", "warm caches",
     "The problem's data are in the caches as far as they fit, as after the repetition before."},
    {"winner", "", "The best variant measured, which is also right."},
}};

char plain(char c) {
    if (c == '_' || c == '-') return ' ';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_spelling(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return plain(x) == plain(y); });
}

}  // namespace

std::span<const Word> glossary() {
    return kWords;
}

const Word* find_word(std::string_view asked) {
    const Word* found = nullptr;
    for (const Word& word : kWords) {
        each_spelling(word, [&](std::string_view spelling) {
            if (!found && same_spelling(spelling, asked)) found = &word;
        });
    }
    return found;
}

std::string glossary_markdown() {
    std::string text =
        "# Glossary\n\n"
        "What the words mean that outputs use, as `rooftune help WORD` says it. Made from "
        "`tuner/base/glossary.cpp`;\n`ROOFTUNE_REGENERATE_GOLDEN=1` before `unit_base` writes it again.\n\n";
    for (const Word& word : kWords) {
        text += fmt::format("- **{}**{}: {}\n", word.word,
                            word.also.empty() ? "" : fmt::format(" ({})", word.also), word.meaning);
    }
    return text;
}

}  // namespace rooftune
