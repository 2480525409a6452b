#include "tuner/external/declared_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "kernels/runtime/error.h"
#include "models/roofs.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/flag_limits.h"
#include "tuner/external/least_beyond.h"
#include "tuner/external/least_value.h"
#include "tuner/external/source_words.h"

namespace rooftune::external {
namespace {

// What is declared of a cache's bytes, for the expressions of one kernel.
struct BeyondClaims {
    LeastBeyond reads, writes;
};

// The same of one variant, or of all that complete one.
class BeyondOfVariant final : public DeclaredTraffic {
public:
    BeyondOfVariant(std::shared_ptr<const BeyondClaims> claims, const PartialVariant& partial)
        : claims_(std::move(claims)), partial_(partial) {}
    double reads_beyond(Bytes w) const override { return claims_->reads.of(partial_, w); }
    double writes_beyond(Bytes w) const override { return claims_->writes.of(partial_, w); }

private:
    std::shared_ptr<const BeyondClaims> claims_;
    PartialVariant partial_;
};

class DeclaredWork final : public WorkModel {
public:
    DeclaredWork(const Instance& instance, const Space& space, const Target& target, State state)
        : instance_(instance),
          space_(space),
          target_(target),
          state_(state),
          flops_(least(instance.declaration.flops)),
          reads_(least(instance.declaration.reads)),
          writes_(least(instance.declaration.writes)),
          chain_(least(instance.declaration.chain)),
          nominal_(nominal_flops(instance)),
          type_(arithmetic_type(instance)),
          most_threads_(threads_of(instance, space, PartialVariant(), target.threads)),
          limits_(instance, space) {
        const Declaration& d = instance.declaration;
        if (d.reads_beyond || d.writes_beyond)
            beyond_ =
                std::make_shared<BeyondClaims>(BeyondClaims{beyond(d.reads_beyond), beyond(d.writes_beyond)});
        // What may be used of the processor is masked for our own kernels; the user's flags are not, and
        // rates of narrower vectors are no roof for wider ones.
        if (std::getenv("ROOFTUNE_MAX_WIDTH") != nullptr || !why_arithmetic_is_unknown(instance).empty())
            flops_ = chain_ = LeastValue();
        // A program may compute on a device, in half precision or whole numbers, or on processors of its own
        // choice: only its author can say that it does not.
        if (is_declared_alone(instance.declaration.language) && !instance.declaration.arithmetic)
            flops_ = LeastValue();
        for (std::size_t i = 0; i < instance.counts.size(); ++i) {
            const DeclaredArray& a = instance.declaration.arrays[i];
            if (!a.all) continue;
            const double bytes =
                static_cast<double>(instance.counts[i]) * static_cast<double>(bytes_of(a.element));
            if (a.direction != Direction::out) read_whole_ += bytes;
            if (a.direction != Direction::in) written_whole_ += bytes;
        }
    }

    Work work(const PartialVariant& partial) const override {
        Work work;
        work.flops_nominal = Operations(nominal_);
        const double flops = flops_.of(partial);
        work.total.ops = Operations(flops);
        // Some thread does at least its share.
        work.heaviest.ops = Operations(flops / threads(partial));
        work.traffic.reads = Bytes(read_whole_ + reads_.of(partial));
        work.traffic.writes = Bytes(written_whole_ + writes_.of(partial));
        work.traffic.state = state_;
        if (beyond_) work.traffic.declared = std::make_shared<BeyondOfVariant>(beyond_, partial);
        // A fused multiply-add does two dependent operations in one step; where a compiler may reorder sums
        // there is no chain.
        const bool no_chain = !is_compiled_here() || limits_.of(partial).reorders;
        work.chain_steps = Operations(no_chain ? 0.0 : 0.5 * chain_.of(partial));
        work.chain_instructions = work.chain_steps;
        return work;
    }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits;
        traits.dtype = type_;
        // A compiler may use whatever the machine has; a device's puts work items side by side.
        const int element_bits = static_cast<int>(8 * size_of(traits.dtype));
        traits.width_bits = target_.backend == Backend::opencl ? kAnyWidth
                            : target_.width_bits.empty()       ? element_bits
                                                               : target_.width_bits.back();
        // A compiler uses whatever the machine has, but for what its flags forbid.
        if (const int most = is_compiled_here() ? limits_.of(partial).width_bits : 0; most > 0)
            traits.width_bits = std::min(traits.width_bits, most);
        traits.narrowest_bits =
            target_.backend == Backend::opencl ? kAnyWidth : std::min(element_bits, traits.width_bits);
        traits.threads = threads(partial);
        return traits;
    }

    std::string declared_at(const Variant& variant, const Term& term) const override {
        const Declaration& d = instance_.declaration;
        const auto of = [&](const char* word, const std::optional<Text>& text) {
            return text ? place_of(d.file, *text) + " " + word + " " + text->text : std::string();
        };
        switch (term.kind) {
            case TermKind::compute:
            case TermKind::compute_thread:
                return of("flops", d.flops);
            case TermKind::chain:
                return of("chain", d.chain);
            default:
                break;
        }
        if (!is_traffic(term.kind)) return "";
        const bool reads = term.kind != TermKind::writes && term.kind != TermKind::writes_thread;
        const bool writes = term.kind != TermKind::reads && term.kind != TermKind::reads_thread;
        // The first line that can be at fault stands for them all: what is said of a cache where that is more
        // than what follows from the others.
        const auto at = [](const char* word, const DeclaredBeyond& beyond, const std::string& place) {
            return place + " " + word + "(" + beyond.capacity.text + ") " + beyond.bytes.text;
        };
        if (beyond_) {
            const TrafficProfile said = work(variant).traffic;
            TrafficProfile without = said;
            without.declared = nullptr;
            const Bytes w = term.beyond;
            if (reads && d.reads_beyond && said.reads_beyond(w) > without.reads_beyond(w))
                return at("reads_beyond", *d.reads_beyond, place_of(d.file, d.reads_beyond->bytes));
            if (writes && d.writes_beyond && said.writes_beyond(w) > without.writes_beyond(w))
                return at("writes_beyond", *d.writes_beyond, place_of(d.file, d.writes_beyond->bytes));
        }
        std::string found;
        const auto or_else = [&](const std::string& next) {
            if (found.empty()) found = next;
        };
        if (reads) or_else(of("reads", d.reads));
        if (writes) or_else(of("writes", d.writes));
        for (const DeclaredArray& a : d.arrays) {
            const bool moves =
                (reads && a.direction != Direction::out) || (writes && a.direction != Direction::in);
            if (a.all && moves) or_else(place_of(d.file, a.name) + " " + a.name.text + " … all");
        }
        return found;
    }

private:
    bool is_compiled_here() const {
        const Language language = instance_.declaration.language;
        return language == Language::c || language == Language::cpp;
    }

    int threads(const PartialVariant& partial) const {
        const int p = thread_index(instance_, space_);
        return p >= 0 && partial.fixed(p) ? static_cast<int>(space_.number(partial, p, 1)) : most_threads_;
    }

    LeastValue least(const std::optional<Text>& text) const {
        if (!text) return {};
        const std::string where = place_of(instance_.declaration.file, *text);
        return {
            space_, expression_from(space_, instance_.numbers, text->text, where),
            [&](const PartialVariant& at, double value) {
                const std::string variant = space_.to_text(at);
                throw InputError(fmt::format("{} '{}' is {:.6g}{}, and work is a number from 0 on", where,
                                             text->text, value, variant.empty() ? "" : " where " + variant));
            }};
    }

    LeastBeyond beyond(const std::optional<DeclaredBeyond>& declared) const {
        if (!declared) return {};
        return {space_, instance_.numbers, *declared, place_of(instance_.declaration.file, declared->bytes)};
    }

    const Instance& instance_;
    const Space& space_;
    Target target_;
    State state_;
    LeastValue flops_, reads_, writes_, chain_;
    double nominal_;
    DType type_;
    int most_threads_;
    LimitsByFlags limits_;
    std::shared_ptr<const BeyondClaims> beyond_;     ///< nullptr where nothing is declared
    double read_whole_ = 0.0, written_whole_ = 0.0;  ///< bytes of arrays of which all is needed
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(const Instance& instance, const Space& space, const Target& target,
                                           State state) {
    if (is_declared_alone(instance.declaration.language) && state == State::cold)
        throw InputError(
            "--state cold: what caches hold when the timed part of a program begins is up to the program; "
            "leave it out");
    return std::make_unique<DeclaredWork>(instance, space, target, state);
}

double nominal_flops(const Instance& instance) {
    const std::optional<Text>& flops = instance.declaration.flops;
    if (!flops) return 0.0;
    // On any number of threads: what is reported must not depend on where it runs. Where rules forbid many,
    // one.
    for (const int threads : {1024, 1}) {
        Target any;
        any.threads = threads;
        try {
            const Space space = make_space(instance, any);
            const double value = expression_from(space, instance.numbers, flops->text,
                                                 place_of(instance.declaration.file, *flops))
                                     .value(first_variant(instance, space));
            return value >= 0.0 && value < std::numeric_limits<double>::infinity() ? value : 0.0;
        } catch (const InputError&) {
            if (threads == 1) throw;
        }
    }
    return 0.0;
}

std::string why_arithmetic_is_unknown(const Instance& instance) {
    const Declaration& d = instance.declaration;
    if (d.arithmetic) return {};
    // Words of types, vectors of them, conversions and instructions: half4, vload_half, _Float16,
    // _mm512_dpbf16_ps.
    for (const char* word : {"_Float16", "__fp16", "__bf16", "bfloat16", "std::float16", "dpbf16", "_ph(",
                             "_half", "_tile_", "__half", "dot_4x8"}) {
        if (instance.source.find(word) != std::string::npos) return std::string("the word ") + word;
    }
    // Instructions that are written out are of any type.
    for (const char* name :
         {"half", "half2", "half3", "half4", "half8", "half16", "asm", "__asm", "__asm__"}) {
        if (has_name(instance.source, name)) return std::string("the word ") + name;
    }
    // Headers may name any type, and say what `real` stands for; OpenCL's own has none.
    const Language language = d.language;
    if (is_declared_alone(language)) return {};
    if (language != Language::opencl) return unknown_text(instance);
    return instance.included.empty() ? "" : "headers beside the source";
}

DType arithmetic_type(const Instance& instance) {
    const Declaration& d = instance.declaration;
    if (d.arithmetic) return d.arithmetic->text == "f64" ? DType::f64 : DType::f32;
    bool wide = false, narrow = !instance.included.empty();
    for (const DeclaredArray& a : d.arrays) {
        if (a.element == Element::f16) return DType::f16;
        if (a.element == Element::bf16) return DType::bf16;
        wide = wide || a.element == Element::f64;
        narrow = narrow || a.element == Element::f32;
    }
    const auto names_another = [](const std::string& text) {
        for (const char* word : {"float", "_Float16", "__bf16", "_ps", "half"}) {
            if (text.find(word) != std::string::npos) return true;
        }
        return false;
    };
    // Flags and values stand in it as well.
    narrow = narrow || names_another(instance.source);
    return wide && !narrow ? DType::f64 : DType::f32;
}

}  // namespace rooftune::external
