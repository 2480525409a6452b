// Alternatives that differ in one parameter: which there are, and the least bound among the open ones.
#include "tuner/search/enumerate/opportunities.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// The toy problem with its bound: reads at 1e10 byte/s a thread; wide 12, narrow 8, padded 8 + 2·pad MB.
struct Toy {
    Space space = toy::space();
    toy::Model model{space};
    Machine machine = toy::machine();
    Roofs roofs{machine};
    BoundModel bound{roofs};
    BoundSource source{&space, &model, &bound};
};

Standing all_open(const Variant&, double) {
    return Standing::open;
}

const Move* of(const std::vector<Move>& moves, int parameter) {
    for (const Move& m : moves) {
        if (m.parameter == parameter) return &m;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("moves: each parameter alone, the others kept") {
    const Toy p;
    const Variant v = toy::variant(p.space, {{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}});
    CHECK(p.source.lower(v) == Approx(0.6e-3));
    const std::vector<Move> moves = moves_from(p.source, v, all_open);
    REQUIRE(moves.size() == 3);  // there is no pad to change
    const Move* format = of(moves, 0);
    REQUIRE(format);
    CHECK(format->alternatives == 4);  // narrow, and padded with 1, 2, 3
    CHECK(format->open == 4);
    CHECK(p.space.to_text(*format->best) == "format=narrow,threads=2,unroll=3");
    CHECK(format->lower.value == Approx(0.4e-3));
    CHECK(of(moves, 2)->alternatives == 1);
    CHECK(of(moves, 2)->lower.value == Approx(1.2e-3));
    CHECK(of(moves, 3)->alternatives == 7);  // wide has no unroll above 7
    CHECK(of(moves, 3)->lower.value == Approx(0.6e-3));
    CHECK_FALSE(of(moves, 1));
}

TEST_CASE("moves: a value that a constraint forbids is set free") {
    const Toy p;
    const Variant v = toy::variant(p.space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "9"}});
    const std::vector<Move> moves = moves_from(p.source, v, all_open);
    CHECK(of(moves, 0)->alternatives == 8 + 3);  // wide with unroll 0 to 7; padded keeps 9
    const Variant padded =
        toy::variant(p.space, {{"format", "padded"}, {"pad", "1"}, {"threads", "2"}, {"unroll", "9"}});
    CHECK(of(moves_from(p.source, padded, all_open), 1)->alternatives == 2);
}

TEST_CASE("moves: what is timed, excluded or failed is counted and never the best") {
    const Toy p;
    const Variant v = toy::variant(p.space, {{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}});
    const std::vector<Move> moves = moves_from(p.source, v, [&](const Variant& other, double lower) {
        if (other[0] == 1) return Standing::timed;
        if (lower > 0.65e-3) return Standing::excluded;
        if (other[1] == 1) return Standing::failed;
        return Standing::open;
    });
    const Move* format = of(moves, 0);
    CHECK(format->timed == 1);
    CHECK(format->excluded == 1);
    CHECK(format->failed == 1);
    CHECK(format->open == 1);
    CHECK(format->lower.value == Approx(0.5e-3));
    CHECK(p.space.text(*format->best, 1) == "1");
    const Move* threads = of(moves, 2);
    CHECK(threads->excluded == 1);
    CHECK_FALSE(threads->best);
}

TEST_CASE("moves: a limit on alternatives is kept and told") {
    const Toy p;
    const Variant v = toy::variant(p.space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "0"}});
    const std::vector<Move> moves = moves_from(p.source, v, all_open, 5);
    CHECK(of(moves, 3)->alternatives == 5);
    CHECK_FALSE(of(moves, 3)->all_seen);
    CHECK(of(moves, 0)->all_seen);
}

TEST_CASE("moves: every alternative of every variant is valid and another one") {
    const Toy p;
    int wrong = 0;
    p.space.each(PartialVariant{}, [&](const Variant& v) {
        std::uint64_t seen = 0, counted = 0;
        const auto judge = [&](const Variant& other, double) {
            ++seen;
            if (!p.space.valid(other) || other == v) ++wrong;
            return Standing::open;
        };
        for (const Move& m : moves_from(p.source, v, judge)) {
            counted += m.alternatives;
            if (m.best && (*m.best)[m.parameter] == v[m.parameter]) ++wrong;
        }
        if (seen != counted) ++wrong;
        return true;
    });
    CHECK(wrong == 0);
}
