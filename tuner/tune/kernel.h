// Tuning functions of a program from within it:
//
//   rooftune::Kernel blur("blur");
//   blur.size("n", 4096).parameter("TILE", {8, 16, 32, 64}).where("TILE <= n");
//   blur.flops("2*n*n").reads("8*n*n").writes("8*n*n");
//   blur.run([&](const rooftune::Values& v) { blur_tiled(image, v.integer("TILE")); });
//   blur.check([&] { return error_of(image) < 1e-6; });
//   const rooftune::TunedKernel tuned = rooftune::tune(blur, {.budget = std::chrono::seconds(10)});
//   std::puts(tuned.summary.c_str());
//
// Variants run in this very process, one after the other on the thread that calls tune(): there is no
// isolation. One that crashes or never returns takes the program with it (what was measured until then is in
// the store, and a variant during which the program died twice is left out from then on); one that throws is
// a failure of its own. Ctrl-C and SIGTERM, unless the program handles them itself, end a tune when the run
// at hand is through and what was found is written, and then the program; a second one ends it at once. The
// program's other threads should be idle meanwhile. For kernels that may do worse, docs/own-kernels.md has
// sources and programs, whose variants run in processes of their own.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/external/values.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A type of letters, which are no numbers though the language calls them integers.
template <typename Type>
concept CharacterType = std::same_as<Type, char> || std::same_as<Type, wchar_t> ||
    std::same_as<Type, char8_t> || std::same_as<Type, char16_t> || std::same_as<Type, char32_t>;

/// A value of a parameter: a number, a word, or a range of whole numbers as "16:1024:x2" or "1:8".
class ParameterChoice {
public:
    template <std::integral Whole>
    requires(!CharacterType<Whole>) ParameterChoice(Whole value) : text_(std::to_string(value)) {}
    ParameterChoice(double value);
    /// 'r' would be the number 114: write the word "r", or the number.
    template <CharacterType Character>
    ParameterChoice(Character value) = delete;
    ParameterChoice(const char* text) : text_(text), is_text_(true) {}
    ParameterChoice(std::string text) : text_(std::move(text)), is_text_(true) {}

    const std::string& text() const { return text_; }
    bool is_text() const { return is_text_; }

private:
    std::string text_;
    bool is_text_ = false;
};

/// A function that answers yes or no. What only converts to that is none: an error of 1e-3 would be a yes.
template <typename Function, typename... Arguments>
concept YesOrNo = requires(Function& function, Arguments... arguments) {
    { function(arguments...) } -> std::same_as<bool>;
};

/// What is tuned: parameters with rules, work, and functions of this program. Names and expressions are those
/// of docs/own-kernels.md, and a name can only be used after it was declared. Mistakes are told by tune(),
/// which names the call.
class Kernel {
public:
    /// By this name its measurements are found again.
    explicit Kernel(std::string name) : name_(std::move(name)) {}

    /// A whole number from 0 on that expressions may name; the kernel's problem.
    Kernel& size(const std::string& name, std::int64_t value);
    /// Likewise any number.
    Kernel& real(const std::string& name, double value);
    /// At first the value that the program has without tuning: the variant of all first values (on the most
    /// threads) is the one that others are compared with. `when`: a rule; elsewhere the parameter does not
    /// exist. A parameter `threads` is the number of threads that a variant uses at most; its value may be
    /// "all".
    Kernel& parameter(const std::string& name, const std::vector<ParameterChoice>& values,
                      const std::string& when = "");
    /// A rule for variants that are allowed.
    Kernel& where(const std::string& rule);
    /// Threads that it uses at most, "1" or "all", where no parameter says so. Without either all may be
    /// used.
    Kernel& threads(const std::string& number);

    /// Of one run at least: floating-point operations, and distinct bytes of this machine's memory that are
    /// read and written (of a GPU's memory nothing is known here). Flop/s are told by `flops`; they bound
    /// variants only with `arithmetic`.
    Kernel& flops(const std::string& expression);
    Kernel& reads(const std::string& expression);
    Kernel& writes(const std::string& expression);
    /// Of one run at least: bytes that one cache of so many bytes, which all threads share, takes in from
    /// beyond it, or puts out, in all. The expression falls with the name that stands for the cache's bytes,
    /// as in reads_beyond("w", "3*(8*n - w)"); what is below 0 counts as 0.
    Kernel& reads_beyond(const std::string& capacity, const std::string& expression);
    Kernel& writes_beyond(const std::string& capacity, const std::string& expression);
    /// "f64" or "f32": all of it is computed in that type, on this machine's processors.
    Kernel& arithmetic(const std::string& type);

    /// Puts the program's data in the state that a run of this variant begins with (fills inputs, poisons or
    /// clears the output, packs). Not timed. Called before a variant is verified and whenever its turn begins
    /// after another's; not between its runs of one turn.
    Kernel& prepare(std::function<void(const Values&)> function);
    /// One repetition: what is timed. Needed.
    Kernel& run(std::function<void(const Values&)> function);
    /// Whether the answer of the run before is right. Not timed, and not called after each run. Without it no
    /// answer is verified, and the summary says so. It returns a bool, like `error < 1e-6`.
    template <YesOrNo<const Values&> Function>
    Kernel& check(Function function) {
        return add_check(std::function<bool(const Values&)>(std::move(function)));
    }
    template <YesOrNo Function>
    requires(!std::invocable<Function&, const Values&>) Kernel& check(Function function) {
        return add_plain_check(std::move(function));
    }

    const std::string& name() const { return name_; }

private:
    friend struct KernelInside;
    Kernel& add(const std::string& word, const std::string& text, const std::string& call);
    Kernel& add_check(std::function<bool(const Values&)> function);
    Kernel& add_plain_check(std::function<bool()> function);

    /// A declaration as a description has it, the call that gave it, and why it cannot be read, if so.
    struct Line {
        std::string text, call, mistake;
    };
    std::string name_;
    std::vector<Line> lines_;
    std::function<void(const Values&)> prepare_, run_;
    std::function<bool(const Values&)> check_;
    bool has_empty_check_ = false;
};

struct KernelOptions {
    std::chrono::duration<double> budget =
        std::chrono::seconds(60);  ///< for search, finals and audit; 0: none
    int evaluations = 0;           ///< at most; 0: no limit
    double epsilon = 0.03;         ///< ends when nothing left can be faster by more than this share
    int patience = 0;    ///< ends after so many evaluations without improvement; 0: by the space's size
    int audit = 60;      ///< variants measured all the same, to see whether what ruled them out was right
    bool fresh = false;  ///< measures again what earlier runs of the same program have measured
    std::uint64_t seed = 1;
    std::string results{};  ///< folder of the store; empty: the one that the command `rooftune` takes
    std::string out{};      ///< folder of the tuned config; empty: below the results
    std::string machine{};  ///< a machine's file; empty: this machine, measured where it is not known yet
    /// Hears what a person should know while it runs; empty: nobody does.
    std::function<void(const std::string&)> notice{};
    /// Asked between measurements whether to end with what there is; empty: nobody is.
    std::function<bool()> stop{};
};

struct TunedKernel {
    Values values{};         ///< of the winner, sizes included; empty where there is none
    TimeInterval seconds{};  ///< of one run
    /// Time of the first variant over the winner's, by their turns side by side; its median is the gain.
    TimeInterval first_ratio{};
    double fraction_of_roof = 0.0;  ///< of what any variant could reach here; 0 where nothing bounds it
    /// Nothing left unmeasured can be faster by more than this share; infinite where nothing bounds it.
    double left = 0.0;
    bool verified = false;  ///< the kernel has a check, and the winner passed it
    std::string config{};   ///< path of the tuned config; empty: none was written
    std::string summary{};  ///< what the command `rooftune tune` would print
    TuneResult result{};    ///< all of it

    bool found() const { return !result.best.empty(); }
};

/// Tunes the kernel: the machine's model is read, or measured first where there is none; then search, finals,
/// audit and certificate, as for any other kernel. What was measured is in the store, where a later run of
/// the same program file finds it. Prints nothing.
///
/// Throws InputError for what is wrong with the kernel or the options, for a value that a function asks for
/// and that is not there, and while another tune runs in this process; EnvironmentError where this machine
/// stands in the way; and what `notice` and `stop` threw. Where no variant works, found() is false, and
/// `summary` and `result.failures` say why.
TunedKernel tune(const Kernel& kernel, const KernelOptions& options = {});

}  // namespace rooftune
