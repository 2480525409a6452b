// The order of a job's problems, for one machine and for many at once. Nothing is measured: what a task comes
// to is made up from its place.
#include "tuner/engine/set_plan.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

/// A job of `problems`, in `groups` in turn; of a group those that come later lie further out on a line.
struct Plans {
    explicit Plans(std::size_t problems, std::size_t groups = 1) : sketches(problems) {
        list.jobs.resize(problems);
        for (std::size_t i = 0; i < problems; ++i) {
            list.jobs[i].family = registry.find("matmul");
            list.jobs[i].problem = {{"m", std::to_string(i)}};
            list.jobs[i].budget = {60.0, 0, false};
            sketches[i].group = "group " + std::to_string(i % groups);
            sketches[i].names = {"log2(m)", "log2(n)"};
            sketches[i].features = {3.0 * static_cast<double>(i), 0.0};
        }
    }
    Plans(const Plans&) = delete;
    Plans& operator=(const Plans&) = delete;

    SetPlan plan() {
        return SetPlan(list, sketches, 60, 0, [this](const std::string& text) { heard.push_back(text); });
    }

    Registry registry = built_in_families();
    JobList list;
    std::vector<ProblemSketch> sketches;
    std::vector<std::string> heard;
};

/// What became of a task, with all that SetTaskEnd points to.
struct End {
    std::optional<TuneResult> result{}, before{};
    std::string why{};
    std::optional<std::size_t> better{};
    std::optional<LeftOut> left_out{};
    double spent = 0.0;

    SetTaskEnd view() const {
        SetTaskEnd end;
        end.result = result ? &*result : nullptr;
        end.before = before ? &*before : nullptr;
        end.why = why;
        end.better = better;
        end.left_out = left_out;
        end.spent_seconds = spent;
        return end;
    }
};

LeftOut left_out(double ratio) {
    LeftOut out;
    out.works = true;
    out.ratio = {ratio, ratio - 0.01, ratio + 0.01, ratio - 0.01, 10};
    return out;
}

/// Each problem's winner names it.
End tuned(const SetTask& task, double seconds = 1.0) {
    End end;
    end.result.emplace();
    end.result->problem = task.job.problem;
    end.result->title = task.job.problem.at("m");
    end.result->best = {{"of", task.job.problem.at("m")}};
    end.result->elapsed_seconds = seconds;
    end.result->default_ratio.median = 2.0;
    if (task.goes_on) {
        end.before = end.result;
        end.before->elapsed_seconds = 0.0;
    }
    if (task.nearest_best) end.left_out = left_out(1.1);
    return end;
}

End ended(const SetTask& task) {
    if (task.kind == SetTask::Kind::tune) return tuned(task);
    End end;
    end.spent = 0.1;
    if (task.nearest_best) end.left_out = left_out(1.1);
    return end;
}

std::vector<SetTask> all_given(SetPlan& plan) {
    std::vector<SetTask> given;
    while (auto task = plan.next()) given.push_back(std::move(*task));
    return given;
}

std::vector<std::size_t> places(const std::vector<SetTask>& tasks) {
    std::vector<std::size_t> found;
    for (const SetTask& task : tasks) found.push_back(task.place);
    return found;
}

/// What a set holds, as text: winners, who was left out against whom, and who has none.
std::string text_of(const SetPlan& plan) {
    std::string text;
    const TunedSet set = plan.set();
    for (const TunedGroup& group : set.groups) {
        for (const TunedProblem& p : group.problems) {
            text += p.title + "=" + p.best.at("of");
            if (p.left_out)
                text +=
                    " " + std::to_string(p.left_out->nearest) + "@" + std::to_string(p.left_out->distance);
            text += "\n";
        }
        text += "reach " + std::to_string(group.reach) + "\n";
    }
    for (const UntunedProblem& p : set.untuned) text += p.problem.at("m") + ": " + p.why + "\n";
    return text;
}

/// How often each problem is among the winners or among those without.
std::vector<int> times_in(const SetPlan& plan, std::size_t problems) {
    std::vector<int> times(problems, 0);
    const TunedSet set = plan.set();
    for (const TunedGroup& group : set.groups) {
        for (const TunedProblem& p : group.problems) ++times[std::stoul(p.problem.at("m"))];
    }
    for (const UntunedProblem& p : set.untuned) ++times[std::stoul(p.problem.at("m"))];
    return times;
}

using Ended = std::pair<SetTask, End>;

/// Everything that may become of a task, but an interruption.
End anything(const SetTask& task, std::mt19937& random) {
    const auto one_in = [&](unsigned n) { return random() % n == 0; };
    if (task.kind == SetTask::Kind::tune) {
        if (one_in(12)) {
            End end;
            end.why = "its matrix cannot be read";
            return end;
        }
        End end = tuned(task, 0.5 * static_cast<double>(random() % 150));
        if (one_in(15)) end.result->best.clear();
        if (end.left_out && one_in(4)) end.left_out = left_out(0.8);
        return end;
    }
    End end = ended(task);
    if (!task.offers.empty() && one_in(4)) {
        end.better = random() % task.offers.size();
        end.left_out.reset();
    } else if (end.left_out && one_in(4)) {
        end.left_out = left_out(0.8);
    } else if (one_in(10)) {
        end.why = "its matrix is gone";
        end.left_out.reset();
    }
    return end;
}

/// Drives the plan on some nodes, of which some are lost, and stops after `most` tasks. Returns those that
/// ended, in that order.
std::vector<Ended> drive(SetPlan& plan, std::size_t nodes, std::size_t most, std::mt19937& random) {
    std::vector<Ended> record;
    std::vector<SetTask> running;
    while (record.size() < most) {
        while (running.size() < nodes) {
            std::optional<SetTask> task = plan.next();
            if (!task) break;
            running.push_back(std::move(*task));
        }
        if (running.empty()) break;
        const std::size_t i = random() % running.size();
        SetTask task = std::move(running[i]);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
        if (random() % 10 == 0) {
            plan.give_back(task);
            continue;
        }
        End end = anything(task, random);
        plan.done(task, end.view());
        record.emplace_back(std::move(task), std::move(end));
    }
    return record;
}

}  // namespace

TEST_CASE("one machine takes the problems from the middle outwards, and each is taught by those before it") {
    Plans p(5);
    SetPlan plan = p.plan();
    std::vector<std::size_t> order;
    for (int i = 0; i < 5; ++i) {
        const SetTask task = plan.next().value();
        REQUIRE(task.kind == SetTask::Kind::tune);
        CHECK(task.near.size() == std::min<std::size_t>(order.size(), 4));
        for (const std::size_t near : task.near) CHECK(std::count(order.begin(), order.end(), near) == 1);
        // Who is taught has shorter finals, and is left out against the nearest.
        CHECK((task.finals_seconds > 0.0) == !order.empty());
        CHECK(task.nearest_best.has_value() == !order.empty());
        if (!order.empty())
            CHECK(task.nearest_best->at("of") == p.list.jobs[task.near.front()].problem.at("m"));
        CHECK(task.audit == 12);  // sixty, shared by five
        order.push_back(task.place);
        plan.done(task, tuned(task).view());
    }
    CHECK(order.front() == 2);
    CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == 5);
    CHECK(plan.tuned() == 5);
    CHECK_FALSE(plan.finished());
    const SetTask task = plan.next().value();
    CHECK(task.kind == SetTask::Kind::compare);
    CHECK(task.offers.size() == 4);
}

TEST_CASE("several machines get the order of one, and looking back waits for the last tune") {
    Plans p(6);
    SetPlan one = p.plan(), many = p.plan();
    std::vector<std::size_t> order;
    for (int i = 0; i < 6; ++i) {
        const SetTask task = one.next().value();
        order.push_back(task.place);
        one.done(task, tuned(task).view());
    }
    const std::vector<SetTask> given = all_given(many);
    CHECK(places(given) == order);
    CHECK(std::all_of(given.begin(), given.end(), [](const SetTask& t) { return t.near.empty(); }));
    for (std::size_t i = 0; i < given.size(); ++i) {
        CHECK_FALSE(many.next());
        CHECK_FALSE(many.finished());
        many.done(given[i], tuned(given[i]).view());
    }
    const std::vector<SetTask> compared = all_given(many);
    CHECK(compared.size() == 6);
    CHECK(std::all_of(compared.begin(), compared.end(),
                      [](const SetTask& t) { return t.kind == SetTask::Kind::compare; }));
    for (const SetTask& task : compared) many.done(task, ended(task).view());
    CHECK_FALSE(many.next());
    CHECK(many.finished());
    CHECK(many.set().complete);
}

TEST_CASE("a group whose last tune runs does not keep another from being begun") {
    Plans p(4, 2);
    SetPlan plan = p.plan();
    CHECK(places(all_given(plan)).size() == 4);
}

TEST_CASE("what is given back comes before what nobody has begun, with the same budget") {
    Plans p(4);
    p.list.total_budget = Budget{100.0, 0, false};
    SetPlan plan = p.plan();
    const SetTask first = plan.next().value(), second = plan.next().value();
    plan.give_back(first);
    const SetTask again = plan.next().value();
    CHECK(again.place == first.place);
    CHECK(again.job.budget.seconds == first.job.budget.seconds);
    CHECK(plan.next()->place != second.place);
}

TEST_CASE("a plan that had nothing to give has something once a task is given back") {
    Plans p(2);
    SetPlan plan = p.plan();
    const SetTask first = plan.next().value(), second = plan.next().value();
    CHECK_FALSE(plan.next());
    CHECK_FALSE(plan.next());
    plan.give_back(second);
    CHECK(plan.next()->place == second.place);
    CHECK_FALSE(plan.next());
    plan.done(first, tuned(first).view());
    CHECK_FALSE(plan.next());  // looking back waits for the other one
    plan.done(second, tuned(second).view());
    CHECK(plan.next()->kind == SetTask::Kind::compare);
}

TEST_CASE("problems that are tuned at once never spend more than the whole has") {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Plans p(12, 1 + random() % 3);
        p.list.total_budget = Budget{100.0, 0, false};
        SetPlan plan = p.plan();
        double spent = 0.0;
        std::vector<SetTask> running;
        const std::size_t nodes = 1 + random() % 12;
        while (true) {
            while (running.size() < nodes) {
                std::optional<SetTask> task = plan.next();
                if (!task) break;
                running.push_back(std::move(*task));
            }
            double reserved = 0.0;
            for (const SetTask& task : running)
                reserved += task.kind == SetTask::Kind::tune ? task.job.budget.seconds : 0.0;
            CHECK(spent + reserved <= 100.0 + 1e-6);
            if (running.empty()) break;
            const std::size_t i = random() % running.size();
            const SetTask task = running[i];
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            if (random() % 8 == 0) {
                plan.give_back(task);
                continue;
            }
            End end = ended(task);
            if (end.result) {
                // Often all of it, and never more.
                const double share = random() % 2 == 0 ? 1.0 : 0.1 * static_cast<double>(random() % 10);
                end.result->elapsed_seconds = share * task.job.budget.seconds;
                spent += end.result->elapsed_seconds;
            } else {
                end.spent = 0.0;
            }
            plan.done(task, end.view());
        }
        CHECK(plan.finished());
        CHECK(times_in(plan, 12) == std::vector<int>(12, 1));
    }
}

TEST_CASE("after stop() nothing is given out, what runs still counts, and the set is not complete") {
    Plans p(3);
    SetPlan plan = p.plan();
    const SetTask task = plan.next().value();
    plan.stop();
    CHECK_FALSE(plan.next());
    CHECK_FALSE(plan.finished());
    plan.done(task, tuned(task).view());
    CHECK_FALSE(plan.next());
    CHECK(plan.finished());
    CHECK_FALSE(plan.set().complete);
    CHECK(plan.set().groups.front().problems.size() == 1);
}

TEST_CASE("a winner without finals is kept and teaches nobody") {
    Plans p(2);
    SetPlan plan = p.plan();
    const SetTask task = plan.next().value();
    End end = tuned(task);
    end.result->certificate.stopped_by = "interrupted";
    CHECK(plan.done(task, end.view()));
    CHECK(plan.set().groups.empty());
    CHECK(plan.next()->near.empty());
}

TEST_CASE("whoever replays what ended goes on where it was, and each problem ends once") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const std::size_t problems = 1 + random() % 25;
        Plans p(problems, 1 + random() % 3);
        if (random() % 4 == 0) p.list.total_budget = Budget{30.0 * static_cast<double>(problems), 0, false};
        SetPlan first = p.plan();
        const std::vector<Ended> record = drive(first, 1 + random() % 10, 10'000, random);
        REQUIRE(first.finished());
        CHECK(times_in(first, problems) == std::vector<int>(problems, 1));

        // All of it: nothing is left, and the set is the same.
        SetPlan whole = p.plan();
        for (const auto& [task, end] : record) whole.replay(task, end.view());
        while (auto task = whole.next()) {
            REQUIRE(task->kind == SetTask::Kind::compare);
            whole.done(*task, ended(*task).view());
        }
        CHECK(whole.finished());
        CHECK(whole.tuned() == first.tuned());
        CHECK(times_in(whole, problems) == std::vector<int>(problems, 1));

        // A part of it, on another number of nodes from there on.
        SetPlan second = p.plan();
        const std::size_t ended_before = random() % (record.size() + 1);
        std::set<std::size_t> known;
        for (std::size_t i = 0; i < ended_before; ++i) {
            const auto& [task, end] = record[i];
            second.replay(task, end.view());
            if (task.kind == SetTask::Kind::tune && !task.goes_on) known.insert(task.place);
        }
        const std::vector<Ended> rest = drive(second, 1 + random() % 10, 10'000, random);
        REQUIRE(second.finished());
        CHECK(times_in(second, problems) == std::vector<int>(problems, 1));
        for (const auto& [task, end] : rest) {
            if (task.kind == SetTask::Kind::tune && !task.goes_on) CHECK_FALSE(known.contains(task.place));
        }
    }
}

TEST_CASE("a prefix replayed has the state of the run that it is of") {
    for (unsigned seed = 1000; seed < 1100; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        Plans p(1 + random() % 20, 1 + random() % 3);
        SetPlan original = p.plan();
        const std::vector<Ended> record = drive(original, 1 + random() % 8, 1 + random() % 60, random);
        SetPlan replayed = p.plan();
        for (const auto& [task, end] : record) replayed.replay(task, end.view());
        CHECK(text_of(replayed) == text_of(original));
        CHECK(replayed.tuned() == original.tuned());
    }
}
