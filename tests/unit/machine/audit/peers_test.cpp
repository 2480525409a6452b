// The peers of the program: their arithmetic, their answers and their cases. Small sizes; no timing is
// judged.
#include <cmath>
#include <limits>
#include <set>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tuner/machine/audit/gemm_peers.h"
#include "tuner/machine/audit/likwid_peer.h"
#include "tuner/machine/audit/peers.h"
#include "tuner/machine/audit/stream_kernels.h"
#include "tuner/machine/audit/stream_peer.h"
#include "tuner/machine/audit/windows.h"

namespace rooftune::audit::test {
namespace {

Topology two_cores() {
    Topology t;
    t.threads = t.cores = 2;
    t.caches = {{1, Bytes(32768.0), Bytes(0.0), 1},
                {2, Bytes(524288.0), Bytes(0.0), 1},
                {3, Bytes(33554432.0), Bytes(0.0), 2}};
    return t;
}

PeerSetting setting() {
    PeerSetting s;
    s.topology = two_cores();
    s.cpus = rooftune::test::two_cpus();
    s.places = places_of(s.topology, 2, Bytes(268435456.0));
    return s;
}

// Seconds a repetition on a clock that only the work moves.
struct FakeClock {
    double time = 0.0, each = 0.0;
    std::vector<double> slow;  // extra seconds of each call, then none
    std::size_t calls = 0;
    Measurement measure(double seconds) {
        return fastest_window(
            [this](std::int64_t repetitions) {
                time += each * static_cast<double>(repetitions) + (calls < slow.size() ? slow[calls] : 0.0);
                ++calls;
            },
            seconds, [this] { return time; });
    }
};

template <typename T>
Product<T> plain_product(T factor) {
    return [factor](int n, const T* a, const T* b, T* c) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                T sum = 0;
                for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] = factor * sum;
            }
        }
    };
}

constexpr const char* kLikwid =
    "Group: 0 Thread 0 Global Thread 0 running on hwthread 0 - Vector length 4000 Offset 0\n"
    "Cycles:\t\t\t1399318\nTime:\t\t\t5.722317e-04 sec\nIterations:\t\t4000\n"
    "Iterations per thread:\t2000\nSize (Byte):\t\t64000\nSize per thread:\t32000\n"
    "Number of Flops:\t0\nMFlops/s:\t\t0.00\nMByte/s:\t\t223685.60\n";

}  // namespace

TEST_CASE("places: each level on one and all threads, a shared cache once") {
    const auto places = setting().places;
    REQUIRE(places.size() == 8);
    CHECK(places[0].level == "L1");
    CHECK(places[0].footprint == Bytes(16384.0));
    CHECK(places[4].footprint == Bytes(32768.0));
    CHECK(places[6].level == "L3");
    CHECK(places[6].footprint == places[2].footprint);
    CHECK(places[7].level == "memory");
    CHECK(places[7].footprint >= Bytes(4.0 * 33554432.0));
    for (const Place& place : places_of(two_cores(), 2, Bytes(65536.0)))
        CHECK(place.footprint <= Bytes(65536.0));
}

TEST_CASE("the fastest window counts, and slow ones do no harm") {
    FakeClock clock;
    clock.each = 1e-3;
    clock.slow = {0.0, 0.0, 0.5, 0.0, 0.5};
    const Measurement m = clock.measure(0.05);
    CHECK(m.outcome == Outcome::measured);
    CHECK(m.seconds == Approx(1e-3));
    CHECK(m.windows >= 3);
}

TEST_CASE("a long repetition is a window by itself; three are taken") {
    FakeClock clock;
    clock.each = 2.0;
    const Measurement m = clock.measure(0.1);
    CHECK(m.windows == 3);
    CHECK(m.seconds == Approx(2.0));
}

TEST_CASE("very short repetitions are put together") {
    FakeClock clock;
    clock.each = 1e-8;
    const Measurement m = clock.measure(0.1);
    CHECK(m.seconds == Approx(1e-8));
    CHECK(m.windows < 40);
}

TEST_CASE("a right product is measured; one that is off, or NaN, or nothing, is wrong") {
    const std::vector<int> cpus = rooftune::test::two_cpus();
    const auto outcome = [&](const Product<double>& p, int n) {
        return measure_product<double>(p, n, 1, cpus, 0.001).outcome;
    };
    CHECK(outcome(plain_product(1.0), 24) == Outcome::measured);
    CHECK(outcome(plain_product(1.0), 150) == Outcome::measured);
    CHECK(outcome(plain_product(2.0), 24) == Outcome::wrong);
    CHECK(outcome(plain_product(-1.0), 24) == Outcome::wrong);
    CHECK(outcome(plain_product(1.0 + 1e-9), 150) == Outcome::wrong);
    CHECK(outcome(plain_product(std::nan("")), 24) == Outcome::wrong);
    CHECK(outcome([](int, const double*, const double*, double*) {}, 24) == Outcome::wrong);
    CHECK(measure_product<float>(plain_product(1.0F), 40, 2, cpus, 0.001).outcome == Outcome::measured);
}

TEST_CASE("a product's case counts 2n³, of all calls together") {
    const Case c = product_case("peer", DType::f32, 2, 10, 2);
    CHECK(c.least.flops.value == 4000.0);
    CHECK(c.least.footprint.value == 2.0 * 3.0 * 100.0 * 4.0);
}

TEST_CASE("likwid-bench's output is read, and a line that is missing is named") {
    const LikwidRun run = parse_likwid(kLikwid);
    CHECK(run.seconds == Approx(5.722317e-4));
    CHECK(run.iterations == 2000.0);
    CHECK(run.bytes == 64000.0);
    CHECK(run.flops == 0.0);
    const std::string whole = kLikwid;
    for (const char* label :
         {"\nTime:", "\nIterations per thread:", "\nSize (Byte):", "\nNumber of Flops:"}) {
        std::string without = whole;
        without.erase(without.find(label) + 1, 3);
        CHECK_THROWS_AS(parse_likwid(without), EnvironmentError);
    }
    std::string zero = whole;
    zero.replace(zero.find("5.722317e-04"), 12, "0.000000e+00");
    CHECK_THROWS_AS(parse_likwid(zero), EnvironmentError);
    zero.replace(zero.find("0.000000e+00"), 12, "nan         ");
    CHECK_THROWS_AS(parse_likwid(zero), EnvironmentError);
}

TEST_CASE("every loop of the STREAM leaves what it must, on one and two threads, at every width") {
    const std::vector<int> cpus = rooftune::test::two_cpus();
    const Peer peer = stream_peer();
    for (const StreamShape& shape : stream_shapes()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const int threads : {1, 2}) {
                Case c;
                c.peer = peer.name;
                c.kernel = shape.name;
                c.dtype = dtype;
                c.threads = threads;
                c.least.footprint = Bytes(65536.0);
                INFO(describe(c));
                CHECK(peer.measure(c, {cpus.begin(), cpus.begin() + threads}, 1e-4).outcome ==
                      Outcome::measured);
            }
        }
    }
    for (const int width : rooftune::test::widths_up_to(512)) {
        alignas(64) double a[64], b[64], c[64];
        for (int i = 0; i < 64; ++i) a[i] = i, b[i] = 2.0 * i, c[i] = 3.0 * i;
        double sum = 0.0;
        stream_walk<double>(width)(StreamLoop::sum, a, b, c, 3.0, 64, 2, &sum);
        CHECK(sum == 2.0 * 64.0 * 63.0 / 2.0);
        stream_walk<double>(width)(StreamLoop::triad, a, b, c, 3.0, 64, 1, &sum);
        CHECK(a[63] == 2.0 * 63.0 + 3.0 * 3.0 * 63.0);
    }
}

TEST_CASE("a loop that is not there, or no room for it, is an error") {
    const Peer peer = stream_peer();
    Case c;
    c.kernel = "no such loop";
    c.least.footprint = Bytes(65536.0);
    CHECK_THROWS_AS(peer.measure(c, {usable_cpus().front()}, 1e-4), EnvironmentError);
    c.kernel = "triad";
    c.least.footprint = Bytes(64.0);
    CHECK_THROWS_AS(peer.measure(c, {usable_cpus().front()}, 1e-4), EnvironmentError);
}

TEST_CASE("all peers: names are their own, cases are theirs and ask for something") {
    const PeerSetting where = setting();
    std::set<std::string> names;
    for (const Peer& peer : built_in_peers()) {
        INFO(peer.name);
        CHECK(names.insert(peer.name).second);
        const auto cases = peer.cases(where);
        CHECK_FALSE(cases.empty());
        std::set<std::string> distinct;
        for (const Case& c : cases) {
            CHECK(c.peer == peer.name);
            CHECK((c.threads == 1 || c.threads == 2));
            CHECK((c.turn >= -1 && c.turn <= 2));
            std::string key = describe(c);
            CHECK(distinct.insert(key).second);
            // Our own families say in the child what they do.
            const bool ours = peer.name.rfind("rooftune", 0) == 0;
            const double amount = c.least.flops.value + c.least.read.value + c.least.written.value;
            CHECK((ours || (amount > 0.0 && std::isfinite(amount) && c.least.footprint.value > 0.0)));
        }
    }
}

}  // namespace rooftune::audit::test
