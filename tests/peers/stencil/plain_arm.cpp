#include "tests/peers/stencil/plain_arm.h"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <limits>

#include "kernels/runtime/memory.h"
#include "kernels/stencil/input.h"
#include "kernels/stencil/oracle.h"
#include "tests/peers/stencil/plain_loop.h"

namespace rooftune::peers {
namespace {

using stencil::Boundary;
using stencil::Grid;

template <typename T>
class Plain final : public Subject {
public:
    Plain(const Grid& grid, const PlainCode<T>& code, std::string flags, const std::vector<int>& cpus)
        : grid_(grid),
          code_(code),
          flags_(std::move(flags)),
          elements_((grid.nx + 2) * (grid.ny + 2) * (grid.nz + 2)),
          u_(static_cast<std::size_t>(elements_) * sizeof(T)),
          v_(static_cast<std::size_t>(elements_) * sizeof(T)) {
        plain_.nx = grid.nx;
        plain_.ny = grid.ny;
        plain_.nz = grid.nz;
        plain_.points = grid.points;
        plain_.periodic = grid.boundary == Boundary::periodic;
        plain_.threads = static_cast<int>(cpus.size());
        const auto coefficients = stencil::coefficients_of(grid.points);
        std::copy(coefficients.begin(), coefficients.end(), plain_.coefficients);
        // One thread a processing unit, as our own team is: free to move, two may meet on one.
#pragma omp parallel num_threads(plain_.threads)
        {
            cpu_set_t mask;
            CPU_ZERO(&mask);
            CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(omp_get_thread_num())]), &mask);
            sched_setaffinity(0, sizeof mask, &mask);
        }
        code_.touch(u_.template as<T>(), v_.template as<T>(), plain_);
    }

    // Repetitions go on from what is there, as time stepping does: a sweep costs the same whatever the
    // values.
    void run() override {
        result_ = code_.loop(u_.template as<T>(), v_.template as<T>(), plain_, grid_.steps);
    }

    Correctness check(std::uint64_t seed) override {
        T* const u = u_.template as<T>();
        T* const v = v_.template as<T>();
        for (std::int64_t i = 0; i < elements_; ++i) {
            u[i] = static_cast<T>(stencil::input_value(seed, static_cast<std::uint64_t>(i)));
            // The layer around a Dirichlet grid belongs to both; the rest of v is to be replaced.
            v[i] = u[i];
        }
        for (std::int64_t z = 0; z < grid_.nz; ++z) {
            for (std::int64_t y = 0; y < grid_.ny; ++y) {
                T* const row = v + stencil::input_number(grid_, y, z) + 1;
                std::fill(row, row + grid_.nx, std::numeric_limits<T>::quiet_NaN());
            }
        }
        run();
        const Oracle oracle = stencil::make_oracle(grid_, seed, nullptr);
        std::vector<double> found;
        found.reserve(oracle.expected.size());
        for (std::int64_t z = 0; z < grid_.nz; ++z) {
            for (std::int64_t y = 0; y < grid_.ny; ++y) {
                const T* const row = result_ + stencil::input_number(grid_, y, z) + 1;
                found.insert(found.end(), row, row + grid_.nx);
            }
        }
        return judge(found, oracle);
    }

    std::string detail() const override {
        return "OpenMP, g++ " __VERSION__ " " + flags_;
    }

private:
    Grid grid_;
    PlainCode<T> code_;
    std::string flags_;
    std::int64_t elements_;
    Buffer u_, v_;  ///< huge pages, as our variants have them
    PlainGrid plain_;
    T* result_ = nullptr;
};

Arm arm(std::string name, std::string flags, const Grid& grid, const PlainCode<double>& f64,
        const PlainCode<float>& f32) {
    Arm result;
    result.name = std::move(name);
    result.make = [flags = std::move(flags), grid, f64,
                   f32](const std::vector<int>& cpus) -> std::unique_ptr<Subject> {
        if (grid.dtype == DType::f32) return std::make_unique<Plain<float>>(grid, f32, flags, cpus);
        return std::make_unique<Plain<double>>(grid, f64, flags, cpus);
    };
    return result;
}

}  // namespace

Grid grid_of(const ProblemSpec& spec) {
    Grid grid;
    grid.nx = std::stoll(spec.at("nx"));
    grid.ny = std::stoll(spec.at("ny"));
    grid.nz = std::stoll(spec.at("nz"));
    grid.points = std::stoi(spec.at("points"));
    grid.steps = std::stoll(spec.at("steps"));
    grid.dtype = spec.at("dtype") == "f32" ? DType::f32 : DType::f64;
    grid.boundary = spec.at("boundary") == "periodic" ? Boundary::periodic : Boundary::dirichlet;
    return grid;
}

std::vector<Arm> plain_arms(const ProblemSpec& spec) {
    const Grid grid = grid_of(spec);
    return {arm("plain", "-O3 -fopenmp", grid, plain_f64(), plain_f32()),
            arm("plain-native", "-O3 -fopenmp -march=native", grid, plain_native_f64(), plain_native_f32())};
}

}  // namespace rooftune::peers
