#include "tuner/external/declared_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "kernels/runtime/error.h"

namespace rooftune::external {
namespace {

constexpr int kVersion = 1;

template <typename Number>
std::optional<std::vector<Number>> as_numbers(const std::vector<std::string>& texts) {
    std::vector<Number> numbers;
    for (const std::string& text : texts) {
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        // "08" and "8" would be one value.
        if (std::find(numbers.begin(), numbers.end(), value) != numbers.end()) return std::nullopt;
        numbers.push_back(value);
    }
    return numbers;
}

std::vector<ParameterValue> values_from(const std::vector<std::string>& texts) {
    std::vector<ParameterValue> values;
    if (const auto whole = as_numbers<std::int64_t>(texts)) {
        values = numbers(*whole);
    } else if (const auto real = as_numbers<double>(texts);
               real && std::all_of(real->begin(), real->end(), [](double v) { return std::isfinite(v); })) {
        values = reals(*real);
    } else {
        return names(texts);
    }
    // As they were written: that is what the compiler is told.
    for (std::size_t i = 0; i < values.size(); ++i) values[i].text = texts[i];
    return values;
}

std::vector<std::string> texts_of(const Declaration& d, const DeclaredParameter& p, int threads) {
    std::vector<std::string> texts;
    for (const Text& value : p.values) {
        std::string text = value.text;
        if (p.kind == ParameterKind::threads) {
            if (text == "all") text = std::to_string(threads);
            const auto number = as_numbers<std::int64_t>({text});
            if (!number || number->front() < 1)
                refuse(d.file, value, "'" + text + "' is no number of threads; write 1, 2, … or all");
            if (number->front() > threads) continue;
        }
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
    if (p.kind == ParameterKind::argument) {
        for (const Text& value : p.values) {
            if (!as_numbers<double>({value.text}))
                refuse(d.file, value,
                       "'" + value.text +
                           "' is no number, and the call is given numbers; make it a macro, or an "
                           "enumerator's number");
        }
    }
    if (texts.empty())
        refuse(d.file, p.name,
               fmt::format("no value of threads is possible here, where {} may be used; add `all`", threads));
    for (std::string& text : texts) {
        if (!text.empty()) continue;
        if (std::find(texts.begin(), texts.end(), kEmptyValue) != texts.end())
            refuse(d.file, p.name,
                   fmt::format("an empty value is called {}, and there is one of that name", kEmptyValue));
        text = kEmptyValue;
    }
    return texts;
}

// Work-groups of more items than the device takes cannot be launched. A size that cannot be read is told as
// it stands there.
void add_work_group(const Instance& instance, const Target& target, Space& space) {
    const Declaration& d = instance.declaration;
    const int most = target.device.max_work_group;
    for (const std::vector<Text>* sizes : {&d.global, &d.local}) {
        for (const Text& size : *sizes)
            expression_from(space, instance.numbers, size.text, place_of(d.file, size));
    }
    if (d.local.empty() || target.backend != Backend::opencl || most < 1) return;
    std::string items;
    for (const Text& size : d.local) items += (items.empty() ? "(" : " * (") + size.text + ")";
    const std::string rule = items + " <= " + std::to_string(most);
    const std::string where = place_of(d.file, d.local.front());
    const Expression expression = expression_from(space, instance.numbers, rule, where);
    if (expression.depends_on != ParameterSet())
        return space.add(constraint_from(space, instance.numbers, rule, where));
    if (expression.value(PartialVariant()) == 0.0)
        throw InputError(fmt::format("{} a work-group has more items than {} takes, which are {}", where,
                                     target.device.name, most));
}

// The same space with all constraints but one.
Space without(const Space& space, std::size_t constraint) {
    Space other(space.family(), space.version());
    for (const Parameter& parameter : space.parameters()) other.add(parameter);
    for (std::size_t i = 0; i < space.constraints().size(); ++i) {
        if (i != constraint) other.add(space.constraints()[i]);
    }
    return other;
}

bool ascend(const std::vector<ParameterValue>& values) {
    return values.size() > 1 && values.front().kind != ValueKind::named &&
           std::is_sorted(values.begin(), values.end(),
                          [](const auto& a, const auto& b) { return a.real() < b.real(); });
}

// 0 and 1: there is nothing beyond.
bool is_switch(const std::vector<ParameterValue>& values) {
    return values.size() == 2 && values[0].real() == 0.0 && values[1].real() == 1.0;
}

}  // namespace

Space make_space(const Instance& instance, const Target& target) {
    const Declaration& d = instance.declaration;
    Space space("external", kVersion);
    for (const DeclaredParameter& p : d.parameters) {
        const std::string kind = d.language == Language::function ? std::string("value")
                                 : p.kind == ParameterKind::word  ? "{" + p.name.text + "}"
                                                                  : meaning_of(p.kind, p.name.text);
        Parameter parameter(p.name.text, kind + " of " + d.file, values_from(texts_of(d, p, target.threads)));
        if (ascend(parameter.values) && p.kind != ParameterKind::threads)
            parameter.ordered(is_switch(parameter.values) ? std::string() : d.file + " offers no more");
        if (p.when) {
            const Expression when =
                expression_from(space, instance.numbers, p.when->text, place_of(d.file, *p.when));
            parameter.when(p.when->text, when.depends_on, [value = when.value](const PartialVariant& v) {
                const double found = value(v);
                return found != 0.0 && !std::isnan(found);
            });
        }
        space.add(std::move(parameter));
    }
    // A variant is known by its values, and without any it could not be told from no variant at all.
    if (d.parameters.empty()) space.add(Parameter("variant", "nothing varies in " + d.file, names({"only"})));
    for (const Text& rule : d.rules) {
        const std::string where = place_of(d.file, rule);
        const Expression expression = expression_from(space, instance.numbers, rule.text, where);
        if (expression.depends_on == ParameterSet()) {
            const double found = expression.value(PartialVariant());
            if (found != 0.0 && !std::isnan(found)) continue;
            throw InputError(where + " '" + rule.text +
                             "' does not hold for these sizes, so that nothing is left");
        }
        space.add(constraint_from(space, instance.numbers, rule.text, where));
    }
    add_work_group(instance, target, space);
    return space;
}

std::vector<RuleEffect> rule_effects(const Instance& instance, const Space& space) {
    constexpr double kQuicklyCounted = 1e6;
    double combinations = 1.0;
    for (const Parameter& p : space.parameters()) combinations *= static_cast<double>(p.values.size());
    std::vector<RuleEffect> effects;
    std::size_t next = 0;  // of the space's constraints, which begin with those rules that name a parameter
    for (const Text& rule : instance.declaration.rules) {
        RuleEffect effect{rule.text, true, 0};
        if (next < space.constraints().size() && space.constraints()[next].text == rule.text) {
            effect.of_sizes = false;
            effect.left_out.reset();
            if (combinations <= kQuicklyCounted)
                effect.left_out =
                    without(space, next).count(PartialVariant()) - space.count(PartialVariant());
            ++next;
        }
        effects.push_back(std::move(effect));
    }
    return effects;
}

const std::string* value_of(const Declaration& declaration, const DeclaredParameter& parameter,
                            const Space& space, const PartialVariant& variant) {
    const int p = space.find(parameter.name.text);
    if (p < 0 || !variant.fixed(p)) return nullptr;
    const std::string& text = space.value(variant, p)->text;
    for (const Text& value : declaration.parameter(parameter.name.text)->values) {
        if (value.text == text || (value.text.empty() && text == kEmptyValue)) return &value.text;
    }
    return &text;
}

int thread_index(const Instance& instance, const Space& space) {
    const DeclaredParameter* const p = instance.declaration.thread_parameter();
    return p ? space.find(p->name.text) : -1;
}

Variant first_variant(const Instance& instance, const Space& space) {
    const int threads = thread_index(instance, space);
    std::optional<Variant> first;
    if (threads >= 0) {
        // The textbook loop has all threads.
        const auto& values = space.parameters()[static_cast<std::size_t>(threads)].values;
        const auto most = std::max_element(values.begin(), values.end(),
                                           [](const auto& a, const auto& b) { return a.number < b.number; });
        const int wanted = static_cast<int>(most - values.begin());
        PartialVariant at;
        at.fix(threads, wanted);
        if (space.count(at) > 0) {
            space.each(PartialVariant(), [&](const Variant& v) {
                if (v[threads] != wanted) return true;
                first = v;
                return false;
            });
        }
    }
    if (!first) {
        space.each(PartialVariant(), [&](const Variant& v) {
            first = v;
            return false;
        });
    }
    if (!first)
        throw InputError(instance.declaration.file +
                         ": no variant obeys all of its rules for these sizes; loosen a `where`");
    return *first;
}

int threads_of(const Instance& instance, const Space& space, const PartialVariant& variant,
               int target_threads) {
    const Declaration& d = instance.declaration;
    if (d.language == Language::opencl) return target_threads;  // compute units
    if (const int p = thread_index(instance, space); p >= 0) {
        const auto& values = space.parameters()[static_cast<std::size_t>(p)].values;
        if (variant.fixed(p)) return static_cast<int>(space.number(variant, p, 1));
        std::int64_t most = 1;
        for (const ParameterValue& v : values) most = std::max(most, v.number);
        return static_cast<int>(most);
    }
    // A program, or a function, that is told nothing of threads has what it would have without us.
    if (!d.threads) return is_declared_alone(d.language) ? target_threads : 1;
    if (d.threads->text == "all") return target_threads;
    const std::string where = place_of(d.file, *d.threads);
    const Space none("external", kVersion);
    const double threads = expression_from(none, instance.numbers, d.threads->text, where).value({});
    if (!(threads >= 1.0) || threads != std::floor(threads))
        throw InputError(
            where + " '" + d.threads->text +
            "' is no number of threads; write 1, 2, … or all (several of them are a parameter of "
            "that name)");
    return static_cast<int>(std::min(threads, static_cast<double>(target_threads)));
}

}  // namespace rooftune::external
