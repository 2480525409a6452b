#include "tuner/machine/audit/stream_peer.h"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "tuner/machine/audit/stream_kernels.h"
#include "tuner/machine/audit/windows.h"

namespace rooftune::audit {
namespace {

constexpr const char* kStreamName = "STREAM";
constexpr std::int64_t kUnit = 64;  // elements that a thread's part is a multiple of

const StreamShape* shape_named(const std::string& name) {
    for (const StreamShape& shape : stream_shapes()) {
        if (shape.name == name) return &shape;
    }
    return nullptr;
}

// Elements of one array in one thread's part, for arrays that together fill the footprint.
std::int64_t part_of(const StreamShape& shape, Bytes footprint, int threads, DType dtype) {
    const double elements = footprint.value / (static_cast<double>(size_of(dtype)) * shape.arrays * threads);
    return static_cast<std::int64_t>(elements) / kUnit * kUnit;
}

std::vector<Case> stream_cases(const PeerSetting& setting) {
    std::vector<Case> result;
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const Place& place : setting.places) {
            for (std::size_t i = 0; i < stream_shapes().size(); ++i) {
                const StreamShape& shape = stream_shapes()[i];
                const auto part = static_cast<double>(part_of(shape, place.footprint, place.threads, dtype));
                if (part <= 0.0) continue;
                const double bytes = part * place.threads * static_cast<double>(size_of(dtype));
                Case c;
                c.peer = kStreamName;
                c.kernel = shape.name;
                c.level = place.level;
                c.dtype = dtype;
                c.threads = place.threads;
                c.least.read = Bytes(bytes * shape.reads);
                c.least.written = Bytes(bytes * shape.writes);
                // What is written past the caches takes no place in them.
                const bool bypasses = shape.loop == StreamLoop::nt_copy || shape.loop == StreamLoop::nt_triad;
                c.least.footprint = Bytes(bytes * (bypasses ? shape.reads : shape.arrays));
                c.arguments = {{"elements", std::to_string(static_cast<std::int64_t>(part))}};
                c.like = shape.like;
                // Bytes are bytes: the narrower element takes its turn.
                if (dtype == DType::f32) c.turn = static_cast<int>(i % 3);
                result.push_back(std::move(c));
            }
        }
    }
    return result;
}

// What one pass over a = 1, b = 2, c = 3 with s = 3 leaves in the array that it writes; a sum adds up a.
struct Expected {
    int array;  ///< 0, 1, 2 for a, b, c; −1: nothing is written
    double value;
};
Expected expected_of(StreamLoop loop) {
    switch (loop) {
        case StreamLoop::sum:
            return {-1, 1.0};
        case StreamLoop::fill:
        case StreamLoop::nt_fill:
            return {0, 3.0};
        case StreamLoop::copy:
            return {2, 1.0};
        case StreamLoop::scale:
            return {1, 9.0};
        case StreamLoop::add:
            return {2, 3.0};
        case StreamLoop::triad:
        case StreamLoop::nt_triad:
            return {0, 11.0};
        case StreamLoop::increase:
            return {0, 4.0};
        case StreamLoop::nt_copy:
            return {0, 3.0};
    }
    return {-1, 0.0};
}

template <typename T>
Measurement run(const Case& what, const StreamShape& shape, const std::vector<int>& cpus, double seconds) {
    const auto stated = what.arguments.find("elements");
    const std::int64_t n = stated != what.arguments.end()
                               ? std::stoll(stated->second)
                               : part_of(shape, what.least.footprint, what.threads, what.dtype);
    if (n <= 0) throw EnvironmentError("the footprint does not hold the arrays");
    const std::vector<int> widths = usable_widths();
    const StreamWalk<T> walk = stream_walk<T>(widths.empty() ? 128 : widths.back());
    Team team(cpus);
    // Each thread's part of each array lies by itself, a line further on each: parts that begin at equal
    // offsets in their pages would compete for one set of the cache.
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    const std::size_t stride = (bytes + 4095) / 4096 * 4096;
    const auto parts = static_cast<std::size_t>(shape.arrays * what.threads);
    Buffer memory(parts * (stride + 320) + 4096);
    // Arrays that a loop does not walk are not there: their pointers are another's.
    const auto array = [&](int thread, int which) {
        const auto at = static_cast<std::size_t>(thread * shape.arrays + which);
        return reinterpret_cast<T*>(memory.data() + at * (stride + 320));
    };
    const auto arrays_of = [&](int thread, T*(&all)[3]) {
        // Which of a, b and c a loop walks, by the number of arrays and what it reads.
        all[0] = array(thread, 0);
        all[1] = shape.arrays > 1 ? array(thread, 1) : all[0];
        all[2] = shape.arrays > 2 ? array(thread, 2) : all[1];
        if (shape.loop == StreamLoop::scale) all[1] = array(thread, 0), all[2] = array(thread, 1);
    };
    std::vector<T> sinks(static_cast<std::size_t>(what.threads) * 64, T{0});
    const auto pass = [&](std::int64_t repetitions) {
        team.run(what.threads, [&](int thread) {
            T* at[3];
            arrays_of(thread, at);
            walk(shape.loop, at[0], at[1], at[2], T{3}, n, repetitions,
                 &sinks[static_cast<std::size_t>(thread) * 64]);
        });
    };
    team.run(what.threads, [&](int thread) {
        T* at[3];
        arrays_of(thread, at);
        // The last of equal pointers wins, so the arrays that are read are filled last.
        const T values[3] = {T{1}, T{2}, T{3}};
        for (const int which : {1, 0, 2}) std::fill(at[which], at[which] + n, values[which]);
        if (shape.arrays == 1) std::fill(at[0], at[0] + n, T{1});
    });
    pass(1);
    const Expected expected = expected_of(shape.loop);
    for (int thread = 0; thread < what.threads; ++thread) {
        T* at[3];
        arrays_of(thread, at);
        const T sum = sinks[static_cast<std::size_t>(thread) * 64];
        const bool right = expected.array < 0
                               ? sum == static_cast<T>(n)
                               : std::all_of(at[expected.array], at[expected.array] + n, [&](T value) {
                                     return value == static_cast<T>(expected.value);
                                 });
        // A long sum in single precision is exact as long as its parts are.
        const bool exact = expected.array >= 0 || sizeof(T) == 8 || n < (std::int64_t{1} << 22);
        if (!right && exact) {
            Measurement wrong;
            wrong.outcome = Outcome::wrong;
            wrong.detail = "the arrays do not hold what one pass leaves";
            return wrong;
        }
    }
    team.wake();
    Measurement m = fastest_window(pass, seconds);
    m.detail = "-O3, " + std::to_string(widths.empty() ? 128 : widths.back()) + "-bit vectors";
    return m;
}

}  // namespace

Peer stream_peer() {
    Peer peer;
    peer.name = kStreamName;
    peer.cases = stream_cases;
    peer.find = [] {
        return Found{true,
                     "loops of our own, compiled by g++ " __VERSION__ " at -O3 for this processor's vectors"};
    };
    peer.measure = [](const Case& what, const std::vector<int>& cpus, double seconds) {
        const StreamShape* shape = shape_named(what.kernel);
        if (!shape) throw EnvironmentError("there is no loop '" + what.kernel + "'");
        return what.dtype == DType::f32 ? run<float>(what, *shape, cpus, seconds)
                                        : run<double>(what, *shape, cpus, seconds);
    };
    return peer;
}

}  // namespace rooftune::audit
