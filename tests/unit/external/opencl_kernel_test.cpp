// OpenCL kernels of users: what their annotations ask for is what a device runs, and what is wrong with a
// variant is said to be its own.
#include <fstream>

#include "kernels/runtime/error.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/devices.h"
#include "tests/support/process.h"
#include "tuner/external/example.h"
#include "tuner/external/family.h"
#include "tuner/external/opencl_call.h"
#include "tuner/external/problem.h"
#include "tuner/measure/judge.h"

using namespace rooftune;
using Catch::Contains;

namespace {

std::optional<Device> any_device() {
    const std::vector<Device> devices = test::devices_or_warn();
    return devices.empty() ? std::nullopt : std::optional(devices.front());
}

// A source in a folder of its own, on a device.
class DeviceKernel {
public:
    DeviceKernel(const Device& device, const std::string& source, ProblemSpec sizes = {}) {
        setenv("ROOFTUNE_OPENCL_CACHE", (folder_ / "objects").c_str(), 1);
        const std::string path = folder_ / "mine.cl";
        std::ofstream(path) << source;
        sizes["source"] = path;
        target_.backend = Backend::opencl;
        target_.device = device;
        target_.threads = device.compute_units;
        CHECK(family_->backends_of(sizes) == std::vector<Backend>{Backend::opencl});
        problem_ = family_->problem(sizes);
        space_.emplace(family_->space(*problem_, target_));
        bench_ = family_->bench(*problem_, *space_, target_);
    }

    Variant first() const { return family_->naive_variant(*problem_, *space_, target_); }
    std::unique_ptr<Prepared> prepare(const Variant& v) { return bench_->prepare(v, team_); }
    Correctness judged(const Variant& v) {
        const std::vector<std::uint64_t> seeds{1, 2, 3};
        const auto prepared = prepare(v);
        return verify_answer(*prepared, *bench_, team_, seeds);
    }
    std::string refused(VariantError::Kind kind) {
        try {
            prepare(first());
        } catch (const VariantError& error) {
            CHECK(error.kind == kind);
            return error.what();
        }
        return "";
    }
    const Space& space() const { return *space_; }
    const Problem& problem() const { return *problem_; }
    std::unique_ptr<WorkModel> model() const {
        return family_->work_model(*problem_, *space_, target_, State::warm);
    }

private:
    test::TemporaryFolder folder_;
    std::unique_ptr<Family> family_ = make_external_family();
    Team team_{{test::two_cpus().front()}};
    Target target_;
    std::unique_ptr<Problem> problem_;
    std::optional<Space> space_;
    std::unique_ptr<Bench> bench_;
};

std::string twice(const std::string& body, const std::string& more = "",
                  const std::string& call = "f(n, a, x, y)",
                  const std::string& signature = "int n, float a, __global float* x, __global float* y") {
    return "// rooftune: size n = 1001\n// rooftune: real a = 2.5\n// rooftune: in x f32[n] all\n"
           "// rooftune: out y f32[n] all\n// rooftune: flops n\n// rooftune: call " +
           call + "\n// rooftune: reference plain(n, a, x, y)\n" +
           (more.find("global") == std::string::npos ? "// rooftune: global n\n" : "") + more +
           "__kernel void plain(int n, float a, __global const float* x, __global float* y) { for (int i = "
           "0; i "
           "< n; ++i) y[i] = a * x[i]; }\n__kernel void f(" +
           signature + ") { const int i = get_global_id(0); " + body + " }\n";
}

}  // namespace

TEST_CASE("OpenCL: all variants of the example are right, also of one element and of none") {
    const auto device = any_device();
    if (!device) return;
    for (const char* n : {"1000", "1", "0"}) {
        DeviceKernel k(*device, external::opencl_example_source(), {{"n", n}});
        std::size_t variants = 0;
        k.space().each({}, [&](const Variant& v) {
            if (variants % 5 == 0) CHECK(k.judged(v).right);
            ++variants;
            return true;
        });
        CHECK(variants == 32);
    }
}

TEST_CASE("OpenCL: right, wrong in one element, outside of an array, and into one that is only read") {
    const auto device = any_device();
    if (!device) return;
    CHECK(DeviceKernel(*device, twice("y[i] = a * x[i];")).judged({}).right);
    const Correctness wrong =
        DeviceKernel(*device, twice("y[i] = (i == 700 ? 2 : 1) * a * x[i];")).judged({});
    CHECK_FALSE(wrong.right);
    CHECK_THAT(wrong.detail, Contains("element 700"));
    CHECK_FALSE(DeviceKernel(*device, twice("if (i > 3) y[i] = a * x[i];")).judged({}).right);
    CHECK_FALSE(DeviceKernel(*device, twice("y[i] = a * x[i]; y[n] = 0;")).judged({}).right);
    CHECK_FALSE(DeviceKernel(*device, twice("y[i] = a * x[i]; y[-1] = 0;")).judged({}).right);
    CHECK_FALSE(DeviceKernel(*device, twice("y[i] = a * x[i]; if (i == 0) x[3] = 0;")).judged({}).right);
}

TEST_CASE("OpenCL: a reference that writes where it may not is accused with its line") {
    const auto device = any_device();
    if (!device) return;
    for (const auto& [more, what] : {std::pair{"y[n] = 1;", "writes outside"},
                                     {"y[-1] = 1;", "writes outside"},
                                     {"y[3] = x[3] / 0.0f - x[3] / 0.0f;", "leaves y[3]"}}) {
        std::string source = twice("y[i] = a * x[i];");
        source.insert(source.find(" }\n__kernel void f("), std::string(" ") + more);
        DeviceKernel k(*device, source);
        try {
            k.judged({});
            FAIL_CHECK(more);
        } catch (const InputError& error) {
            CHECK_THAT(error.what(), Contains(":7:") && Contains(what));
        }
    }
}

TEST_CASE("OpenCL: numbers reach the kernel in its own types") {
    const auto device = any_device();
    if (!device) return;
    for (const char* type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float"}) {
        INFO(type);
        const std::string source =
            twice("if (i < m) y[i] = (m == 100) * a * x[i]; else y[i] = a * x[i];", "",
                  "f(n/10 - n/10 + 100, a, x, y)",
                  std::string(type) + " m, float a, __global const float* x, __global float* y");
        CHECK(DeviceKernel(*device, source).judged({}).right);
    }
    // A name of the source's own.
    const std::string named = "typedef float real_t;\ntypedef long count_t;\n" +
                              twice("if (i < m) y[i] = a * x[i];", "", "f(n, a, x, y)",
                                    "count_t m, real_t a, __global const real_t* x, __global real_t* y");
    CHECK(DeviceKernel(*device, named).judged({}).right);
    const std::string narrow = twice("y[i] = a * x[i];", "", "f(n, a, x, y)",
                                     "char n, float a, __global const float* x, __global float* y");
    CHECK_THAT(DeviceKernel(*device, narrow).refused(VariantError::Kind::build),
               Contains("'n' is 1001, which char cannot hold"));
    CHECK_THAT(DeviceKernel(*device, twice("", "", "f(a, a, x, y)")).refused(VariantError::Kind::build),
               Contains("'a' is 2.5, which int cannot hold"));
}

TEST_CASE("OpenCL: a call that is another than the kernel's") {
    const auto device = any_device();
    if (!device) return;
    const auto why = [&](const std::string& call, const std::string& body = "") {
        return DeviceKernel(*device, twice(body, "", call)).refused(VariantError::Kind::build);
    };
    CHECK_THAT(why("f(n, x, a, y)"),
               Contains("argument 2 of the kernel is float, and the call gives an array"));
    CHECK_THAT(why("f(n, a, x, n)"),
               Contains("argument 4 of the kernel is float*, and the call gives a number"));
    CHECK_THAT(why("f(n, a, x)"), Contains("the call gives 3 arguments, and the kernel f has 4"));
    CHECK_THAT(why("f(n, a, x, local f32[9])"), Contains("and the call gives local memory"));
    const std::string narrow = twice("y[i] = a * (float)x[i].x;", "", "f(n, a, x, y)",
                                     "int n, float a, __global const double4* x, __global float* y");
    CHECK_THAT(DeviceKernel(*device, narrow).refused(VariantError::Kind::build),
               Contains("argument 3 of the kernel is double4*, and the array x has elements of f32"));
    CHECK_THAT(why("g(n, a, x, y)"), Contains("finding the kernel 'g'"));
    CHECK_THAT(why("f(n, a, x, y)", "y[i] = nowhere;"), Contains("mine.cl:") && Contains("nowhere"));
}

TEST_CASE("OpenCL: work items and local memory by expressions of sizes and parameters") {
    const auto device = any_device();
    if (!device) return;
    // Each group turns its part around, in local memory; the last one is not whole.
    const std::string source =
        "// rooftune: size n = 1000\n// rooftune: in x i32[n] all = i\n// rooftune: out y i32[n] all\n"
        "// rooftune: parameter WG 16 64 1024\n// rooftune: global n\n// rooftune: local WG\n"
        "// rooftune: call f(n, x, y, local i32[2*WG])\n// rooftune: reference plain(n, x, y) over n\n"
        "__kernel void plain(int n, __global const int* x, __global int* y) { y[get_global_id(0)] = "
        "x[get_global_id(0)] + 1; }\n"
        "__kernel void f(int n, __global const int* x, __global int* y, __local int* part) {\n"
        "  const int i = get_global_id(0), at = get_local_id(0);\n"
        "  part[2 * WG - 1 - at] = i < n ? x[i] : 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (i < n) y[i] = part[2 * WG - 1 - at] + (get_local_size(0) == WG);\n}\n";
    DeviceKernel k(*device, source);
    k.space().each({}, [&](const Variant& v) {
        CHECK(k.judged(v).right);
        return true;
    });
    const std::string greedy =
        twice("y[i] = a * x[i];", "// rooftune: size m = 1<<28\n", "f(n, a, x, y, local f32[m])",
              "int n, float a, __global const float* x, __global float* y, __local float* z");
    CHECK_THAT(DeviceKernel(*device, greedy).refused(VariantError::Kind::resources),
               Contains("bytes of local memory and the device has"));
}

TEST_CASE("OpenCL: groups that the device does not take are no variants") {
    Target target;
    target.backend = Backend::opencl;
    target.device.name = "small";
    target.device.max_work_group = 100;
    target.device.compute_units = target.threads = 3;
    const auto family = make_external_family();
    const auto problem = family->problem({{"source", external::kOpenclExample}, {"n", "1000"}});
    const Space space = family->space(*problem, target);
    CHECK(space.count(PartialVariant()) == 16);  // of 32, 64, 128 and 256 the first two
    const auto model = family->work_model(*problem, space, target, State::warm);
    const Traits traits = model->traits(PartialVariant());
    CHECK(traits.threads == 3);
    CHECK(traits.width_bits == kAnyWidth);
    CHECK(model->work(PartialVariant()).total.ops.value == 2000.0);
    CHECK(model->work(PartialVariant()).heaviest.ops.value == Approx(2000.0 / 3));
    CHECK(model->work(PartialVariant()).chain_steps.value == 0.0);
    target.device.max_work_group = 16;
    CHECK(family->space(*problem, target).count(PartialVariant()) == 0);
}

TEST_CASE("OpenCL: the example is one problem, whoever loads it") {
    const auto family = make_external_family();
    const auto problem = family->problem({{"source", external::kOpenclExample}, {"n", "1000"}});
    CHECK(problem->spec().at("source") == external::kOpenclExample);
    CHECK(problem->dtype() == DType::f32);
    const auto again = family->problem(problem->spec());
    CHECK(again->digest() == problem->digest());
    const int shared = family->share(*problem);
    CHECK(family->attach(shared)->digest() == problem->digest());
    CHECK(family->backends_of({{"source", "mine.cpp"}}) == std::vector<Backend>{Backend::cpu});
}

TEST_CASE("OpenCL: a call is read argument by argument") {
    const std::string source =
        "// rooftune: size n = 4\n// rooftune: in x f32[n]\n// rooftune: out y f32[n]\n// rooftune: global "
        "n\n"
        "// rooftune: call f(max(n, 3), x, local f16[n*(n+1)], y)\n";
    const external::Declaration d = external::declaration_from(source, "a.cl");
    const external::OpenclCall call = external::opencl_call(d, d.call);
    using Kind = external::OpenclArgument::Kind;
    CHECK(call.kernel.text == "f");
    REQUIRE(call.arguments.size() == 4);
    CHECK(call.arguments[0].kind == Kind::number);
    CHECK(call.arguments[0].text.text == "max(n, 3)");
    CHECK(call.arguments[1].kind == Kind::array);
    CHECK(call.arguments[2].kind == Kind::local_memory);
    CHECK(call.arguments[2].text.text == "n*(n+1)");
    CHECK(call.arguments[3].array == 1);
}
