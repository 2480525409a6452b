#include "tuner/tune/kernel.h"

#include <fmt/format.h>

#include "kernels/runtime/memory.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/options.h"
#include "tuner/engine/tune_within.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/function_family.h"
#include "tuner/external/program_description.h"
#include "tuner/tune/short_summary.h"

namespace rooftune {

ParameterChoice::ParameterChoice(double value) : text_(fmt::format("{}", value)) {}

Kernel& Kernel::add(const std::string& word, const std::string& text, const std::string& call) {
    lines_.push_back({word + " " + text, call, ""});
    return *this;
}

namespace {

// "16:1024:x2": a word in quotes would be a value.
bool is_range(const std::string& text) {
    return text.find(':') != std::string::npos &&
           text.find_first_not_of("0123456789:+-.xe") == std::string::npos;
}

}  // namespace

Kernel& Kernel::size(const std::string& name, std::int64_t value) {
    return add("size", name + " = " + std::to_string(value), "size(\"" + name + "\")");
}

Kernel& Kernel::real(const std::string& name, double value) {
    return add("real", fmt::format("{} = {}", name, value), "real(\"" + name + "\")");
}

Kernel& Kernel::parameter(const std::string& name, const std::vector<ParameterChoice>& values,
                          const std::string& when) {
    const std::string call = "parameter(\"" + name + "\")";
    std::string text = name, mistake;
    for (const ParameterChoice& value : values) {
        const bool both =
            value.text().find('"') != std::string::npos && value.text().find('\'') != std::string::npos;
        if (both)
            mistake = "the value " + value.text() +
                      " has both kinds of quotes, and no value may; give it a name without them, and let "
                      "run() look up what it stands for";
        else
            text += " " + (value.is_text() && !is_range(value.text())
                               ? external::quoted_value(call, value.text(), true)
                               : value.text());
    }
    if (!when.empty()) text += " when " + when;
    add("parameter", text, call);
    lines_.back().mistake = mistake;
    return *this;
}

Kernel& Kernel::where(const std::string& rule) {
    return add("where", rule, "where()");
}
Kernel& Kernel::threads(const std::string& number) {
    return add("threads", number, "threads()");
}
Kernel& Kernel::flops(const std::string& expression) {
    return add("flops", expression, "flops()");
}
Kernel& Kernel::reads(const std::string& expression) {
    return add("reads", expression, "reads()");
}
Kernel& Kernel::writes(const std::string& expression) {
    return add("writes", expression, "writes()");
}
Kernel& Kernel::reads_beyond(const std::string& capacity, const std::string& expression) {
    return add("reads_beyond", "(" + capacity + ") " + expression, "reads_beyond()");
}
Kernel& Kernel::writes_beyond(const std::string& capacity, const std::string& expression) {
    return add("writes_beyond", "(" + capacity + ") " + expression, "writes_beyond()");
}
Kernel& Kernel::arithmetic(const std::string& type) {
    return add("arithmetic", type, "arithmetic()");
}

Kernel& Kernel::prepare(std::function<void(const Values&)> function) {
    prepare_ = std::move(function);
    return *this;
}
Kernel& Kernel::run(std::function<void(const Values&)> function) {
    run_ = std::move(function);
    return *this;
}
Kernel& Kernel::add_check(std::function<bool(const Values&)> function) {
    has_empty_check_ = !function;
    check_ = std::move(function);
    return *this;
}
Kernel& Kernel::add_plain_check(std::function<bool()> function) {
    if (!function) return add_check({});
    return add_check(external::PlainCheck{std::move(function)});
}

/// The kernel as the family has it.
struct KernelInside {
    static external::FunctionFamily family_of(const Kernel& kernel) {
        if (kernel.name_.empty())
            throw InputError("the kernel has no name; give it one, like Kernel(\"blur\")");
        if (kernel.name_.find_first_of("\n\r") != std::string::npos)
            throw InputError("the kernel's name goes over several lines; write it in one");
        const std::string of = "Kernel " + kernel.name_ + ", ";
        if (!kernel.run_) throw InputError(of + "run(): it is missing, and nothing else says what is timed");
        if (kernel.has_empty_check_)
            throw InputError(of +
                             "check(): the function that it was given is empty, so that no answer would be "
                             "verified; give one that can be called, or leave the call out");
        std::vector<external::Text> lines;
        for (const Kernel::Line& line : kernel.lines_) {
            if (line.text.find_first_of("\n\r") != std::string::npos)
                throw InputError(of + line.call + ": it goes over several lines; write it in one");
            if (!line.mistake.empty()) throw InputError(of + line.call + ": " + line.mistake);
            lines.push_back({line.text, 0, 0, of + line.call});
        }
        return {kernel.name_, lines, {kernel.prepare_, kernel.run_, kernel.check_}, available_memory()};
    }
};

namespace {

// The program's own observers, and the end of a tune whose functions ask for what is not there.
class KernelObserver final : public TuneObserver {
public:
    KernelObserver(const KernelOptions& options, const external::FunctionFamily& family)
        : options_(options), family_(family) {}
    void notice(const std::string& text) override {
        if (options_.notice) options_.notice(text);
    }
    bool stop() override { return family_.misuse() || (options_.stop && options_.stop()); }

private:
    const KernelOptions& options_;
    const external::FunctionFamily& family_;
};

TuneOptions options_of(const KernelOptions& options) {
    TuneOptions all;
    all.common.seed = options.seed;
    all.common.results = options.results;
    all.common.out = options.out;
    all.common.machine = options.machine;
    all.epsilon = options.epsilon;
    all.patience = options.patience;
    all.audit = options.audit;
    all.fresh = options.fresh;
    return all;
}

Values values_of_winner(const external::FunctionFamily& family, const TuneResult& result) {
    Target target;
    target.threads = result.threads;
    const Space space = external::make_space(family.instance(), target);
    std::string why;
    const std::optional<Variant> best = space.from_map(result.best, why);
    if (!best) return {};
    const int threads = external::threads_of(family.instance(), space, *best, target.threads);
    return external::values_of(family.instance(), space, *best, threads);
}

}  // namespace

TunedKernel tune(const Kernel& kernel, const KernelOptions& options) {
    const external::FunctionFamily family = KernelInside::family_of(kernel);
    Job job;
    job.family = &family;
    job.problem = family.spec();
    job.budget = {.seconds = options.budget.count(), .evaluations = options.evaluations};
    job.budget_given = true;
    KernelObserver observer(options, family);
    suggest_on(options.results);
    // A variant that is cut off is taken for one that ended the program.
    const DeferredSignals signals;
    TunedKernel tuned;
    tuned.result = tune_within(std::move(job), options_of(options), &observer);
    if (family.misuse()) std::rethrow_exception(family.misuse());
    const TuneResult& result = tuned.result;
    tuned.summary = short_summary(result);
    tuned.config = result.config_file;
    if (!tuned.found()) return tuned;
    tuned.values = values_of_winner(family, result);
    tuned.seconds = result.seconds;
    tuned.first_ratio = result.default_ratio;
    tuned.fraction_of_roof = result.fraction_of_problem_roof;
    tuned.left = result.certificate.gap;
    tuned.verified = family.instance().declaration.has_check;
    return tuned;
}

}  // namespace rooftune
