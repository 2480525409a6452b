// What agents may say: a coordinator with its store and journal, and agents that are made up. The same with
// messages that are nearly right: whatever comes, only InputError is thrown, and only a whole end decides.
#include "tuner/cluster/node_talk.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/base/clock.h"
#include "tuner/formats/result_json.h"

using namespace rooftune;

namespace {

namespace fs = std::filesystem;

class MadeUpLinks final : public AgentLinks {
public:
    explicit MadeUpLinks(LinkHandler& handler) : handler_(handler) {}
    std::vector<std::pair<std::size_t, Message>> sent;
    std::vector<bool> up = std::vector<bool>(2, true);
    void send(std::size_t node, const Message& message) override { sent.emplace_back(node, message); }
    bool is_up(std::size_t node) const override { return up[node]; }
    void is_well(std::size_t) override {}
    void give_up(std::size_t node, const std::string& why) override {
        up[node] = false;
        handler_.lost(node, why, true);
    }
    // The last of this kind to the node.
    const Message* last(std::size_t node, const std::string& kind) const {
        for (auto at = sent.rbegin(); at != sent.rend(); ++at) {
            if (at->first == node && at->second.kind == kind) return &at->second;
        }
        return nullptr;
    }

private:
    LinkHandler& handler_;
};

struct Talk {
    fs::path folder;
    Registry registry = built_in_families();
    JobList list;
    std::vector<ProblemSketch> sketches;
    TuneOptions options;
    ClusterOptions cluster;
    std::vector<std::string> names{"n0", "n1"};
    NodesObserver observer;
    std::optional<KeptJob> kept;
    std::optional<Coordinator> coordinator;
    std::optional<NodeTalk> talk;
    std::optional<MadeUpLinks> links;
    double now = monotonic_seconds();

    explicit Talk(std::size_t problems, bool anew = true) {
        folder = fs::temp_directory_path() / ("rooftune_talk_" + std::to_string(getpid()));
        if (anew) fs::remove_all(folder);
        options.common.results = folder.string();
        list.name = "job";
        list.jobs.resize(problems);
        for (std::size_t i = 0; i < problems; ++i) {
            list.jobs[i].family = registry.find("matmul");
            list.jobs[i].problem = {{"m", std::to_string(i + 1)}};
            list.jobs[i].budget.evaluations = 10;
            sketches.push_back({"g", {"size"}, {static_cast<double>(i)}, "d"});
        }
        kept.emplace(list, sketches, options, names.size(), [](const std::string&) {});
        coordinator.emplace(list, sketches, Coordinator::Rules{}, [](const std::string&) {});
        for (const std::string& name : names) coordinator->add_node(name);
        talk.emplace(names, list, options, cluster, *coordinator, *kept, observer);
        links.emplace(*talk);
        talk->speak_by(*links);
    }

    // As the links do: what is refused ends the agent.
    bool say(std::size_t node, const Message& message) {
        try {
            talk->heard(node, message);
            return true;
        } catch (const InputError& error) {
            talk->lost(node, error.what(), false);
            return false;
        }
    }
    void come(std::size_t node) {
        talk->starting(node);
        HelloWords hello;
        hello.build = kernels_build();
        hello.host = "h";
        REQUIRE(say(node, message_of("hello", hello)));
        REQUIRE(say(node, message_of("model", ModelWords{machine_text(toy_machine())})));
    }
    static Machine toy_machine() {
        Machine m = toy::machine();
        m.topology.cpu = "toy";
        for (Ceiling& c : m.ceilings) c.seen = "2026-01-01T00:00:00Z";
        return m;
    }
    RecordWords record(std::size_t place, double seconds) const {
        RecordWords words;
        words.key.family = "matmul";
        words.key.digest = "d" + std::to_string(place);
        words.key.title = "p" + std::to_string(place);
        words.key.machine_id = "toy";
        words.variant = "tile=" + std::to_string(place);
        words.record.variant = {{"tile", std::to_string(place)}};
        words.record.outcome = Outcome::measured;
        words.record.slots.assign(8, {seconds, 1, false, false});
        words.record.role = "search";
        words.record.when = "2026-01-01T00:00:00Z";
        return words;
    }
    // The end of the task that the node was given.
    EndWords end(std::size_t node) const {
        const Message* task = links->last(node, "task");
        REQUIRE(task);
        const TaskWords words = task_from(task->body, registry);
        EndWords end;
        end.id = words.id;
        if (words.task.kind == SetTask::Kind::compare) return end;
        TuneResult r;
        r.family = "matmul";
        r.digest = "d";
        r.problem = words.task.job.problem;
        r.title = "p" + words.task.job.problem.at("m");
        r.dtype = "f64";
        r.state = "warm";
        r.machine_id = r.machine_name = "toy";
        r.best = r.naive = r.fallback = {{"tile", words.task.job.problem.at("m")}};
        r.seconds = {1e-3, 0.9e-3, 1.1e-3, 0.9e-3, 8};
        r.needs = {256, 1};
        r.bound.binding = "compute";
        r.certificate.space = r.certificate.measured = 1;
        r.certificate.stopped_by = "budget";
        end.result = to_json(r);
        end.warm_start = warm_start_json({});
        end.stem = "p";
        return end;
    }
    bool ends(std::size_t node) { return say(node, {"end", end_json(end(node))}); }
    void give_out() { talk->give_out(now += 1000.0); }
    bool works(std::size_t node) const { return coordinator->nodes()[node].task.has_value(); }
    std::size_t winners() {
        const TunedSet set = coordinator->plan(0).set();
        return set.groups.empty() ? 0 : set.groups[0].problems.size();
    }
    std::int64_t stored() {
        std::int64_t count = 0;
        kept->commit();
        Store store((folder / "rooftune.db").string(), StoreUse::read);
        for (const JobSummary& job : store.jobs()) count += job.records;
        return count;
    }
};

}  // namespace

TEST_CASE("agents: a job from hello to its last end, with each record once in the store") {
    Talk w(3);
    w.come(0);
    w.come(1);
    for (int i = 0; i < 20 && !w.coordinator->finished(); ++i) {
        w.give_out();
        for (const std::size_t n : {0u, 1u}) {
            if (!w.works(n)) continue;
            if (w.coordinator->assignment(n).task.kind == SetTask::Kind::tune) {
                REQUIRE(w.say(n, message_of("begins", BeginsWords{{}, "tile=1"})));
                REQUIRE(w.say(n, message_of("record", w.record(n, 1e-3 + i))));
            }
            REQUIRE(w.ends(n));
        }
    }
    CHECK(w.coordinator->finished());
    CHECK(w.winners() == 3);
    CHECK(w.stored() == 3);
}

TEST_CASE("agents: what is said out of turn ends that agent, and decides nothing") {
    Talk w(2);
    w.come(0);
    w.come(1);
    SECTION("an end without a task") {
        EndWords end;
        end.why = "no";
        CHECK_FALSE(w.say(0, {"end", end_json(end)}));
    }
    SECTION("the end of another task") {
        w.give_out();
        EndWords end = w.end(0);
        end.id += 17;
        CHECK_FALSE(w.say(0, {"end", end_json(end)}));
    }
    SECTION("an end twice") {
        w.give_out();
        const EndWords end = w.end(0);
        CHECK(w.say(0, {"end", end_json(end)}));
        const std::size_t before = w.winners();
        CHECK_FALSE(w.say(0, {"end", end_json(end)}));
        CHECK(w.winners() == before);
        return;
    }
    SECTION("a second hello") {
        CHECK_FALSE(w.say(0, message_of("hello", HelloWords{})));
    }
    SECTION("a record without a task") {
        CHECK_FALSE(w.say(0, message_of("record", w.record(0, 1.0))));
    }
    SECTION("help that nobody asked for") {
        CHECK_FALSE(w.say(0, message_of("assisted", AssistedWords{1, "", {}})));
    }
    SECTION("no kind of message") {
        CHECK_FALSE(w.say(0, {"surprise", Json::object()}));
    }
    CHECK(w.winners() == 0);
    CHECK(w.coordinator->nodes()[0].state == NodeState::away);
}

TEST_CASE("agents: of another build take no part, and hear why") {
    Talk w(1);
    w.talk->starting(0);
    HelloWords hello;
    hello.build = "other";
    hello.version = "0.0";
    hello.host = "far";
    CHECK(w.say(0, message_of("hello", hello)));
    CHECK(w.coordinator->nodes()[0].state == NodeState::refused);
    CHECK(w.coordinator->nodes()[0].why.find("another build") != std::string::npos);
}

TEST_CASE("agents: what one run had come to the next goes on from") {
    {
        Talk w(4);
        w.come(0);
        w.give_out();
        REQUIRE(w.ends(0));
        w.give_out();
        REQUIRE(w.ends(0));
        w.give_out();
    }
    Talk w(4, false);
    CHECK(w.kept->replay(*w.coordinator) == 2);
    CHECK(w.winners() == 2);
    w.come(0);
    for (int i = 0; i < 20 && !w.coordinator->finished(); ++i) {
        w.give_out();
        if (w.works(0)) REQUIRE(w.ends(0));
    }
    CHECK(w.winners() == 4);
}

TEST_CASE("agents: of a run that died within the lines of an end, that end is not gone on from") {
    {
        Talk w(3);
        w.come(0);
        w.give_out();
        for (int i = 0; i < 2; ++i) {
            REQUIRE(w.ends(0));
            w.give_out();
        }
    }
    const fs::path journal = Talk(3, false).folder / "tuned" / "job.nodes.jsonl";
    std::vector<std::uintmax_t> line_ends{0};
    {
        std::ifstream in(journal);
        for (std::string line; std::getline(in, line);)
            line_ends.push_back(line_ends.back() + line.size() + 1);
    }
    // The job, its class, and a result and an end for each task.
    REQUIRE(line_ends.size() == 7);
    for (const std::uintmax_t size :
         {line_ends[6] - 1, line_ends[5] + 1, line_ends[5], line_ends[5] - 1, line_ends[4] + 1}) {
        fs::resize_file(journal, size);
        Talk w(3, false);
        CHECK(w.kept->replay(*w.coordinator) == 1);
    }
}

TEST_CASE("agents: whatever a broken message holds, nothing but its agent ends") {
    std::mt19937_64 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const char* more = std::getenv("ROOFTUNE_BROKEN_MESSAGES");
    const int count = more ? std::atoi(more) : 4000;
    std::optional<Talk> w;
    std::vector<std::string> heard;  // whole ones, which are said again at the wrong time
    int refused = 0, helped = 0;
    std::size_t problems = 6;
    for (int i = 0; i < count; ++i) {
        // With one problem the other node helps.
        if (i % 500 == 0) w.emplace(problems = i % 1000 == 0 ? 6 : 1);
        const std::size_t n = below(2);
        if (w->coordinator->nodes()[n].state == NodeState::away ||
            w->coordinator->nodes()[n].state == NodeState::starting)
            w->come(n);
        if (w->coordinator->nodes()[n].state == NodeState::refused || w->coordinator->finished()) {
            w.emplace(problems);
            continue;
        }
        w->give_out();
        // A message that would be right.
        Message whole = message_of("record", w->record(n, 1e-3));
        // Who has nothing to do must not say that, but may wait.
        if (!w->works(n) && below(4) > 0) whole = message_of("note", NoteWords{"waits"});
        if (w->works(n)) {
            const std::size_t which = below(problems == 1 ? 12 : 6);
            if (which == 0) whole = {"end", end_json(w->end(n))};
            if (which == 1) whole = message_of("begins", BeginsWords{{}, "tile=1"});
            if (which == 2) whole = message_of("progress", ProgressWords{});
            if (which > 5)
                whole = message_of("ask", AskWords{1 + below(5), {{"tile", "1"}}, {{"tile", "2"}}, {}});
        }
        const Message* assist = w->links->last(n, "assist");
        if (w->coordinator->nodes()[n].helps && assist && below(3) > 0) {
            const AskWords asked = assist_from(assist->body).ask;
            whole = message_of("assisted", AssistedWords{asked.id, "", w->record(0, 1e-3).record});
            ++helped;
        }
        if (below(8) == 0) whole = message_of("model", ModelWords{machine_text(Talk::toy_machine())});
        std::string text = message_text(whole);
        heard.push_back(text);
        if (heard.size() > 50) heard.erase(heard.begin());
        // Half of them as they are: a job has to come somewhere.
        switch (below(10)) {
            case 0:
                text[below(text.size())] = static_cast<char>(below(256));
                break;
            case 1:
                text.erase(below(text.size()), 1 + below(8));
                break;
            case 2:
                text = heard[below(heard.size())];
                break;
            case 3: {
                // A value becomes another one.
                const std::size_t at = text.find_first_of("0123456789", below(text.size()));
                const std::vector<std::string> values{"-1", "1e308", "null", "99999999999", "\"x\"", "[]"};
                if (at != std::string::npos) text.replace(at, 1, values[below(values.size())]);
                break;
            }
            case 4:
                text.insert(below(text.size()), text.substr(below(text.size()), below(40)));
                break;
            default:
                break;
        }
        MessageReader reader(false);
        try {
            reader.add(text);
            if (!text.ends_with('\n')) reader.add("\n");
            while (const std::optional<Message> message = reader.next()) {
                if (!w->say(n, *message)) {
                    ++refused;
                    break;
                }
            }
        } catch (const InputError& error) {
            ++refused;
            w->talk->lost(n, error.what(), false);
        }
        // Nobody has more winners than there are problems, and each is of its own problem.
        if (w->coordinator->classes() == 0) continue;
        const TunedSet set = w->coordinator->plan(0).set();
        if (set.groups.empty()) continue;
        CHECK(set.groups[0].problems.size() + set.untuned.size() <= problems);
    }
    CHECK(refused > count / 4);
    CHECK(helped > count / 100);
    fs::remove_all(w->folder);
}
