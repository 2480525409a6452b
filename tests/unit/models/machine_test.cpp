// The machine as each backend meets it, and the spelling of every word.
#include <algorithm>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Conditions on_device(const std::string& device) {
    Conditions when;
    when.width_bits = 256;
    when.mix = Mix::fma;
    when.chains = 8;
    when.device = device;
    return when;
}

/// A native ceiling of 1e9 and one for each of a CPU device (2e9) and a GPU (5e12).
Machine with_devices() {
    Machine m;
    m.devices.resize(2);
    m.devices[0].id = "pocl";
    m.devices[0].is_cpu = true;
    m.devices[1].id = "gpu";
    m.ceilings = {toy::ceiling(Resource::compute, on_device(""), 1e9),
                  toy::ceiling(Resource::compute, on_device("pocl"), 2e9),
                  toy::ceiling(Resource::compute, on_device("gpu"), 5e12),
                  toy::ceiling(Resource::launch, on_device("gpu"), 1e5)};
    return m;
}

std::multiset<double> rates(const Machine& m) {
    std::multiset<double> all;
    for (const Ceiling& c : m.ceilings) all.insert(c.max);
    return all;
}

template <typename Word, typename From>
void round_trip(std::initializer_list<Word> words, From&& from) {
    std::set<std::string_view> spellings;
    for (const Word w : words) {
        const std::string_view text = to_text(w);
        CHECK(spellings.insert(text).second);
        REQUIRE(from(text));
        CHECK(*from(text) == w);
    }
    CHECK_FALSE(from(""));
    CHECK_FALSE(from("nonsense"));
    CHECK_FALSE(from("CPU"));
}

}  // namespace

TEST_CASE("the CPU meets none of the devices' ceilings") {
    CHECK(rates(machine_of(with_devices(), "")) == std::multiset<double>{1e9});
}

TEST_CASE("a device that is a CPU meets the native ceilings and its own") {
    const Machine view = machine_of(with_devices(), "pocl");
    CHECK(rates(view) == std::multiset<double>{1e9, 2e9});
    // Contract 6: the roof is the maximum of both.
    const Roofs roofs(view);
    CHECK(roofs.compute(DType::f64, 256, 1).rate == 2e9);
}

TEST_CASE("a GPU meets its own ceilings only") {
    CHECK(rates(machine_of(with_devices(), "gpu")) == std::multiset<double>{1e5, 5e12});
}

TEST_CASE("a device that is not in the file meets nothing: no term, nothing excluded by guess") {
    CHECK(machine_of(with_devices(), "another").ceilings.empty());
    Machine unlisted = with_devices();
    unlisted.devices.clear();
    CHECK(rates(machine_of(unlisted, "pocl")) == std::multiset<double>{2e9});
}

TEST_CASE("a view keeps everything but ceilings") {
    const Machine m = with_devices();
    for (const std::string device : {"", "pocl", "gpu"}) {
        Machine view = machine_of(m, device);
        view.ceilings = m.ceilings;
        CHECK(view == m);
    }
}

TEST_CASE("ceilings of different devices are not merged") {
    Machine m = with_devices();
    merge(m, toy::ceiling(Resource::compute, on_device("gpu"), 6e12));
    CHECK(m.ceilings.size() == 4);
    CHECK(rates(m).count(6e12) == 1);
    merge(m, toy::ceiling(Resource::compute, on_device("second"), 1e12));
    CHECK(m.ceilings.size() == 5);
}

TEST_CASE("every word has one spelling that reads back") {
    round_trip({Backend::cpu, Backend::opencl}, backend_from);
    round_trip({DType::f32, DType::f64, DType::f16, DType::bf16, DType::f8, DType::int8, DType::int16,
                DType::int32, DType::int64},
               dtype_from);
    round_trip({State::warm, State::cold}, state_from);
    round_trip({Mix::none, Mix::fma, Mix::add, Mix::mul, Mix::fma_add, Mix::load, Mix::update, Mix::store,
                Mix::nt_store, Mix::nt_copy, Mix::copy, Mix::two_loads_store, Mix::loads, Mix::split_loads,
                Mix::gathers, Mix::fmas, Mix::mixed, Mix::to_device, Mix::from_device},
               mix_from);
    round_trip({Resource::compute, Resource::bandwidth, Resource::gather, Resource::issue, Resource::clock,
                Resource::window, Resource::local, Resource::transfer, Resource::launch},
               resource_from);
    for (const Resource r : {Resource::local, Resource::transfer, Resource::launch}) {
        CHECK_FALSE(unit_of(r).empty());
    }
    CHECK(unit_of(Resource::launch) == "launch/s");
}

TEST_CASE("every term has a name that reads back, and an opportunity") {
    for (int k = 0; k < kTermKinds; ++k) {
        const auto kind = static_cast<TermKind>(k);
        REQUIRE(term_kind_from(to_text(kind)));
        CHECK(*term_kind_from(to_text(kind)) == kind);
        CHECK_FALSE(opportunity_of(kind).empty());
    }
}

TEST_CASE("a ceiling that stands for several times its threads says so") {
    Conditions when;
    when.mix = Mix::fma;
    const Ceiling c = toy::ceiling(Resource::compute, when, 133e9);
    CHECK(describe(c, 133e9) == describe(c));
    CHECK(describe(c, 140e9) == describe(c));
    CHECK(describe(c, 267e9) == "2 × (" + describe(c) + ")");
}

TEST_CASE("transfers are no traffic of a kernel") {
    for (const Mix m : {Mix::to_device, Mix::from_device}) {
        CHECK(read_write_share(m).read == 0.0);
        CHECK(read_write_share(m).write == 0.0);
    }
    Conditions when = on_device("gpu");
    when.mix = Mix::to_device;
    CHECK(describe(toy::ceiling(Resource::transfer, when, 1e9)).find("OpenCL") != std::string::npos);
}

TEST_CASE("local memory, transfers and launches bound nothing") {
    Machine m;
    for (const Resource r : {Resource::local, Resource::transfer, Resource::launch}) {
        Conditions when;
        when.footprint = Bytes(4096.0);
        when.mix = Mix::to_device;
        m.ceilings.push_back(toy::ceiling(r, when, 1.0));
    }
    const Roofs roofs(m);
    const Space space = toy::space();
    const toy::Model model(space);
    CHECK(BoundModel(roofs).seconds(model.work({}), model.traits({})).value == 0.0);
}
