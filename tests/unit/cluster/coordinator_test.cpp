#include "tuner/cluster/coordinator.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/engine/assisted_evaluator.h"

using namespace rooftune;

namespace {

Machine machine_of_kind(const std::string& id, double factor = 1.0) {
    Machine m = toy::machine();
    m.id = id;
    for (Ceiling& c : m.ceilings) c.max *= factor;
    return m;
}

struct World {
    Registry registry = built_in_families();
    JobList list;
    std::vector<ProblemSketch> sketches;
    std::vector<std::string> notices;
    Coordinator coordinator;
    double now = 0.0;

    explicit World(std::size_t problems, std::size_t nodes, Coordinator::Rules rules = {})
        : list(jobs(problems)),
          sketches(problems, ProblemSketch{"g", {"size"}, {0.0}, "d"}),
          coordinator(list, sketches, rules, [this](const std::string& t) { notices.push_back(t); }) {
        for (std::size_t i = 0; i < problems; ++i) sketches[i].features = {static_cast<double>(i)};
        for (std::size_t i = 0; i < nodes; ++i) {
            coordinator.add_node("n" + std::to_string(i));
            coordinator.starts(i);
        }
    }
    JobList jobs(std::size_t problems) const {
        JobList l;
        l.jobs.resize(problems);
        for (Job& job : l.jobs) {
            job.family = registry.find("matmul");
            job.budget.evaluations = 10;  // so that nobody goes on
        }
        return l;
    }
    TuneResult result_of(std::size_t place) const {
        TuneResult r;
        r.title = "p" + std::to_string(place);
        r.best = {{"tile", std::to_string(place)}};
        r.fallback = {{"tile", "1"}};
        r.certificate.stopped_by = "budget";
        return r;
    }
    bool end(std::size_t node) {
        const SetTask task = coordinator.assignment(node).task;
        SetTaskEnd end;
        const TuneResult result = result_of(task.place);
        if (task.kind == SetTask::Kind::tune) end.result = &result;
        return coordinator.ends(node, end, nullptr);
    }
    // Everybody does what is to be done; how many tasks of each problem were tunes.
    std::map<std::size_t, int> run(const std::vector<std::size_t>& nodes) {
        std::map<std::size_t, int> tuned;
        for (int i = 0; i < 1000 && !coordinator.finished(); ++i) {
            bool any = false;
            for (const std::size_t n : nodes) {
                const Order order = coordinator.order(n, now += 1.0);
                if (order.probe) coordinator.models(n, *models.at(n), now);
                if (!order.task) continue;
                any = true;
                if (order.task->task.kind == SetTask::Kind::tune) ++tuned[order.task->task.place];
            }
            for (const std::size_t n : nodes) {
                if (coordinator.nodes()[n].task) end(n);
            }
            if (!any && coordinator.finished()) break;
        }
        return tuned;
    }
    void model(std::size_t n, Machine m) {
        models[n] = m;
        coordinator.models(n, m, now);
    }
    bool said(const std::string& what) const {
        return std::any_of(notices.begin(), notices.end(),
                           [&](const std::string& t) { return t.find(what) != std::string::npos; });
    }
    std::map<std::size_t, std::optional<Machine>> models;
};

}  // namespace

TEST_CASE("coordinator: nobody begins before all have told their ceilings, or have had time to") {
    World w(4, 2);
    w.model(0, machine_of_kind("a"));
    CHECK_FALSE(w.coordinator.order(0, 1.0).any());
    SECTION("the other comes") {
        w.model(1, machine_of_kind("a"));
        CHECK(w.coordinator.order(0, 2.0).task);
    }
    SECTION("the other does not come") {
        CHECK(w.coordinator.order(0, 100.0).task);
    }
    SECTION("the other cannot come") {
        w.coordinator.refuse(1, "another build");
        CHECK(w.coordinator.order(0, 2.0).task);
    }
}

TEST_CASE("coordinator: each problem is tuned once for each kind of node, and has a winner of it") {
    World w(5, 3);
    w.model(0, machine_of_kind("a"));
    w.model(1, machine_of_kind("a"));
    w.model(2, machine_of_kind("b"));
    const std::map<std::size_t, int> tuned = w.run({0, 1, 2});
    CHECK(w.coordinator.finished());
    REQUIRE(w.coordinator.classes() == 2);
    for (std::size_t p = 0; p < 5; ++p) CHECK(tuned.at(p) == 2);
    for (std::size_t c = 0; c < 2; ++c) {
        REQUIRE(w.coordinator.plan(c).set().groups.size() == 1);
        CHECK(w.coordinator.plan(c).set().groups[0].problems.size() == 5);
        CHECK(w.coordinator.plan(c).set().complete);
    }
    CHECK(w.said("more than one kind"));
}

TEST_CASE("coordinator: a node's task is another's when it is lost, and no other is given out twice") {
    World w(3, 2);
    w.model(0, machine_of_kind("a"));
    w.model(1, machine_of_kind("a"));
    const Order first = w.coordinator.order(0, 1.0);
    w.coordinator.best(0, {{"tile", "77"}});
    w.coordinator.lost(0, "killed");
    const Order again = w.coordinator.order(1, 2.0);
    REQUIRE(again.task);
    CHECK(again.task->task.place == first.task->task.place);
    CHECK(again.task->attempt == 1);
    // What the lost one had found is measured first.
    REQUIRE(again.task->starts.size() == 1);
    CHECK(again.task->starts[0].at("tile") == "77");
    w.end(1);
    const std::map<std::size_t, int> tuned = w.run({1});
    CHECK(tuned.size() == 2);
    CHECK(w.coordinator.finished());
}

TEST_CASE("coordinator: what two nodes die of is quarantined, and what five die with is given up") {
    World w(1, 1, {.deaths_of_variant = 2, .deaths_of_task = 5});
    for (int death = 0; death < 5; ++death) {
        w.coordinator.starts(0);
        w.model(0, machine_of_kind("a"));
        const Order order = w.coordinator.order(0, w.now += 100.0);
        REQUIRE(order.task);
        CHECK(order.task->banned.size() == (death >= 2 ? 1u : 0u));
        // From the third on it dies of something else each time.
        w.coordinator.begins(0, death < 2 ? "tile=8" : "tile=" + std::to_string(100 + death));
        w.coordinator.lost(0, "segmentation fault");
    }
    CHECK(w.said("quarantined"));
    w.coordinator.starts(0);
    w.model(0, machine_of_kind("a"));
    CHECK_FALSE(w.coordinator.order(0, w.now += 100.0).task);
    CHECK(w.coordinator.finished());
    REQUIRE(w.coordinator.plan(0).set().untuned.size() == 1);
    CHECK(w.coordinator.plan(0).set().untuned[0].why.find("5 nodes were lost") != std::string::npos);
}

TEST_CASE("coordinator: a slow node is asked once more, named, and measures nothing until it is no more") {
    World w(6, 3, {.ask_seconds = 30.0});
    w.model(0, machine_of_kind("a"));
    w.model(1, machine_of_kind("a", 0.6));
    w.model(2, machine_of_kind("a", 0.95));
    const Order asked = w.coordinator.order(1, w.now = 1.0);
    REQUIRE(asked.probe);
    CHECK_FALSE(asked.probe->ceilings.empty());
    CHECK_FALSE(asked.task);
    CHECK_FALSE(w.coordinator.order(1, 2.0).any());
    w.coordinator.models(1, machine_of_kind("a", 0.6), 3.0);
    CHECK(w.coordinator.nodes()[1].state == NodeState::slow);
    CHECK(w.said("n1 measures nothing"));
    CHECK_FALSE(w.coordinator.order(1, 4.0).any());
    CHECK(w.coordinator.order(0, 4.0).task);
    CHECK(w.coordinator.order(2, 4.0).task);
    REQUIRE(w.coordinator.order(1, 40.0).probe);
    w.coordinator.models(1, machine_of_kind("a", 0.99), 41.0);
    CHECK(w.coordinator.order(1, 42.0).task);
}

TEST_CASE(
    "coordinator: a node whose processors others have is asked once more, named, and measures nothing") {
    World w(6, 3, {.ask_seconds = 30.0});
    const Machine m = machine_of_kind("a");
    w.coordinator.models(0, m, 0.0, 0.1);
    w.coordinator.models(1, m, 0.0, 0.7);
    w.coordinator.models(2, m, 0.0, kMostTakenAway);
    const Order asked = w.coordinator.order(1, w.now = 1.0);
    REQUIRE(asked.probe);
    CHECK_FALSE(asked.probe->ceilings.empty());
    CHECK(w.coordinator.order(0, 1.0).task);
    CHECK(w.coordinator.order(2, 1.0).task);
    SECTION("and is gone by then") {
        w.coordinator.models(1, m, 3.0, 0.2);
        CHECK(w.coordinator.order(1, 4.0).task);
        CHECK_FALSE(w.said("n1"));
    }
    SECTION("and is there still") {
        w.coordinator.models(1, m, 3.0, 0.63);
        CHECK(w.coordinator.nodes()[1].state == NodeState::slow);
        CHECK(w.said("n1 measures nothing that decides, others had its processors in 63 % of"));
        CHECK_FALSE(w.coordinator.order(1, 4.0).any());
        CHECK(w.coordinator.helpers_of(0) == 0);
        REQUIRE(w.coordinator.order(1, 40.0).probe);
        w.coordinator.models(1, m, 41.0, 0.0);
        CHECK(w.said("n1 is as fast as its class again"));
        CHECK(w.coordinator.order(1, 42.0).task);
    }
}

TEST_CASE("coordinator: where others are on all nodes of a class, all work but those with many more") {
    World w(4, 3);
    const std::vector<double> taken{0.7, 0.6, 0.9};
    const Machine m = machine_of_kind("a");
    for (std::size_t n = 0; n < 3; ++n) w.coordinator.models(n, m, 0.0, taken[n]);
    const Order asked = w.coordinator.order(2, 1.0);
    REQUIRE(asked.probe);
    // Of all processors.
    int most = 0;
    for (const Ceiling& c : m.ceilings) most = std::max(most, c.when.threads);
    for (const Ceiling& c : asked.probe->ceilings) CHECK(c.when.threads == most);
    w.coordinator.models(2, m, 2.0, taken[2]);
    CHECK(w.coordinator.nodes()[2].state == NodeState::slow);
    CHECK(w.coordinator.order(0, 3.0).task);
    CHECK(w.coordinator.order(1, 3.0).task);
}

TEST_CASE("coordinator: where all of a class stay behind in something, one works") {
    World w(2, 2);
    Machine a = machine_of_kind("a"), b = machine_of_kind("a");
    a.ceilings[0].max *= 0.5;
    b.ceilings[1].max *= 0.5;
    b.ceilings[2].max *= 0.5;
    w.model(0, a);
    w.model(1, b);
    const std::map<std::size_t, int> tuned = w.run({0, 1});
    CHECK(tuned.size() == 2);
    CHECK(w.coordinator.nodes()[1].state == NodeState::slow);
}

TEST_CASE(
    "coordinator: who has nothing to do measures for others, a few at a time, and takes its own "
    "first") {
    World w(1, 3);
    for (std::size_t n = 0; n < 3; ++n) w.model(n, machine_of_kind(n == 2 ? "b" : "a"));
    REQUIRE(w.coordinator.order(0, 1.0).task);
    CHECK_FALSE(w.coordinator.order(1, 1.0).any());
    CHECK(w.coordinator.helpers_of(0) == 1);
    for (int asked = 0; asked < kAskedAtOnce; ++asked) CHECK(w.coordinator.lend_to(0) == 1u);
    CHECK_FALSE(w.coordinator.lend_to(0));
    CHECK(w.coordinator.nodes()[1].state == NodeState::helping);
    CHECK_FALSE(w.coordinator.order(1, 2.0).any());
    w.coordinator.returns(1);
    CHECK(w.coordinator.nodes()[1].state == NodeState::helping);
    w.coordinator.begins(1, "tile=3");
    w.coordinator.lost(1, "killed");
    w.coordinator.lost(0, "killed");
    w.coordinator.starts(1);
    w.model(1, machine_of_kind("a"));
    REQUIRE(w.coordinator.order(1, 100.0).task);
    w.coordinator.begins(1, "tile=3");
    w.coordinator.lost(1, "killed");
    // One death as a helper, one as the owner: two.
    CHECK(w.said("quarantined"));
}

TEST_CASE("coordinator: after a stop nothing is given out, and what runs may end") {
    World w(3, 2);
    w.model(0, machine_of_kind("a"));
    w.model(1, machine_of_kind("a"));
    REQUIRE(w.coordinator.order(0, 1.0).task);
    w.coordinator.stop();
    CHECK_FALSE(w.coordinator.order(1, 2.0).any());
    CHECK_FALSE(w.coordinator.finished());
    CHECK(w.end(0));
    CHECK(w.coordinator.finished());
    CHECK_FALSE(w.coordinator.plan(0).set().complete);
}
