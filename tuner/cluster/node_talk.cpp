#include "tuner/cluster/node_talk.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
#include "tuner/base/si.h"
#include "tuner/cluster/cluster_names.h"
#include "tuner/cluster/job_words.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"

namespace rooftune {
namespace {

constexpr int kFaultsOfNode = 3;
// A search looks no further ahead: what is likely next is not certain.
constexpr std::size_t kMostHelpers = 8;

}  // namespace

NodeTalk::NodeTalk(const std::vector<std::string>& names, const JobList& list, const TuneOptions& options,
                   const ClusterOptions& cluster, Coordinator& coordinator, KeptJob& kept,
                   NodesObserver& observer)
    : names_(names),
      list_(list),
      options_(options),
      cluster_(cluster),
      coordinator_(coordinator),
      kept_(kept),
      observer_(observer),
      nodes_(names.size()) {}

void NodeTalk::starting(std::size_t node) {
    coordinator_.starts(node);
    nodes_[node].text = "starting";
    nodes_[node].said_hello = false;
}

void NodeTalk::lost(std::size_t node, const std::string& why, bool for_good) {
    kept_.end_runs(node, nullptr);
    Node& state = nodes_[node];
    const std::optional<std::size_t> owner = view(node).helps;
    const std::size_t with = owner ? *owner : node;
    // Whoever asked waits for an answer, from a node that is refused too.
    if (owner) {
        for (const std::uint64_t id : state.asked)
            pass_on(*owner, {id, "the node that measured it is lost: " + why, {}});
        state.asked.clear();
    }
    if (view(node).state == NodeState::refused) return;
    if (!state.running.empty() && view(with).task)
        kept_.add_death(*view(node).of_class, coordinator_.assignment(with).task.place, state.running);
    state = {.text = (for_good ? "given up: " : "away: ") + why, .faults = state.faults};
    coordinator_.lost(node, why);
    if (for_good) coordinator_.refuse(node, why);
    if (!stopping_) observer_.notice(names_[node] + (for_good ? " is given up: " : " is lost: ") + why);
}

void NodeTalk::heard(std::size_t node, const Message& message) {
    const std::string& kind = message.kind;
    if (kind == "alive") return;
    if (kind == "hello") return hello(node, words_of<HelloWords>(message));
    if (!nodes_[node].said_hello) throw InputError("'" + kind + "' before 'hello'");
    if (kind == "model") {
        model(node, words_of<ModelWords>(message));
    } else if (kind == "note") {
        observer_.notice(names_[node] + ": " + words_of<NoteWords>(message).text);
    } else if (kind == "failed") {
        failed(node, words_of<NoteWords>(message).text);
    } else if (kind == "progress") {
        needs_task(node, message, false);
        progress(node, words_of<ProgressWords>(message));
    } else if (kind == "begins") {
        needs_task(node, message, true);
        nodes_[node].running = words_of<BeginsWords>(message).variant;
        coordinator_.begins(node, nodes_[node].running);
    } else if (kind == "record") {
        needs_task(node, message, true);
        record(node, words_of<RecordWords>(message));
    } else if (kind == "ask") {
        needs_task(node, message, false);
        ask(node, words_of<AskWords>(message));
    } else if (kind == "assisted") {
        assisted(node, words_of<AssistedWords>(message));
    } else if (kind == "end") {
        needs_task(node, message, false);
        ends(node, end_from(message.body));
    } else {
        throw InputError("an agent does not say '" + kind + "'");
    }
}

void NodeTalk::needs_task(std::size_t node, const Message& message, bool or_helps) const {
    if (!view(node).task && !(or_helps && view(node).helps))
        throw InputError("'" + message.kind + "' of a node that has no task");
}

std::string NodeTalk::title_of(std::size_t place) const {
    return job_title(list_.jobs[place]);
}

std::string NodeTalk::owned_title(std::size_t node) const {
    return title_of(coordinator_.assignment(node).task.place);
}

void NodeTalk::hello(std::size_t node, const HelloWords& words) {
    if (nodes_[node].said_hello) throw InputError("'hello' of a node that has said it");
    if (const std::string wrong = mismatch(words); !wrong.empty()) return refuse(node, wrong);
    nodes_[node].said_hello = true;
    WelcomeWords welcome;
    welcome.node = names_[node];
    welcome.folder = std::filesystem::current_path().string();
    welcome.results = in_node(cluster_.results, names_[node]);
    welcome.store = kept_.store_name();
    welcome.options = options_;
    links_->send(node, message_of("welcome", welcome));
    nodes_[node].text = "measures its ceilings (" + words.host + ", processors " + words.processors + ")";
}

void NodeTalk::refuse(std::size_t node, const std::string& why) {
    observer_.notice(names_[node] + " takes no part: " + why);
    coordinator_.refuse(node, why);
    nodes_[node].text = "takes no part: " + why;
    links_->give_up(node, why);
}

void NodeTalk::failed(std::size_t node, const std::string& why) {
    if (++nodes_[node].faults >= kFaultsOfNode) return refuse(node, why);
    throw InputError(why);
}

void NodeTalk::model(std::size_t node, const ModelWords& words) {
    // Another machine's would change its class in the middle of a task.
    if (view(node).task || view(node).helps) throw InputError("'model' of a node that has a task");
    const Machine machine = parse_machine(words.machine, kMessageName);
    const std::size_t known = coordinator_.classes();
    const std::size_t c = coordinator_.class_of(machine);
    if (view(node).of_class && view(node).state != NodeState::starting && *view(node).of_class != c)
        throw InputError("the ceilings of another machine than before");
    // A class is told to the journal when it is new, and what rises later.
    const Machine rose = c == known ? machine : risen(coordinator_.roofs(c), machine);
    if (!rose.ceilings.empty()) kept_.add_class(c, rose);
    coordinator_.models(node, machine, monotonic_seconds(), words.taken_away);
    nodes_[node].text = "waits";
}

void NodeTalk::progress(std::size_t node, const ProgressWords& words) {
    std::string text = coordinator_.assignment(node).task.goes_on ? "goes on with " : "";
    text += owned_title(node) + ": " + words.stage + ", " +
            format_plural(static_cast<std::int64_t>(words.evaluated), "evaluation");
    if (words.best_seconds > 0.0) text += ", best " + format_seconds(words.best_seconds);
    nodes_[node].text = text + ", " + format_duration(words.elapsed_seconds);
}

void NodeTalk::record(std::size_t node, RecordWords words) {
    Node& state = nodes_[node];
    state.running.clear();
    coordinator_.begins(node, "");
    const Record& record = words.record;
    if (view(node).task && record.outcome == Outcome::measured && !record.slots.empty()) {
        const double seconds = record.slots.front().seconds;
        if (state.best == 0.0 || seconds < state.best) {
            state.best = seconds;
            coordinator_.best(node, record.variant);
        }
    }
    kept_.add_record(node, std::move(words));
}

void NodeTalk::ask(std::size_t node, const AskWords& words) {
    const std::optional<std::size_t> helper = coordinator_.lend_to(node);
    if (!helper)
        return links_->send(node, message_of("assisted", AssistedWords{words.id, "nobody is free", {}}));
    TaskWords task;
    task.task.job = coordinator_.assignment(node).task.job;
    links_->send(*helper, {"assist", assist_json({words, task_json(task)})});
    nodes_[*helper].asked.push_back(words.id);
    nodes_[*helper].text = "helps " + names_[node] + " with " + owned_title(node);
}

void NodeTalk::assisted(std::size_t helper, const AssistedWords& words) {
    const std::optional<std::size_t> owner = view(helper).helps;
    std::vector<std::uint64_t>& asked = nodes_[helper].asked;
    if (!owner || asked.empty() || asked.front() != words.id)
        throw InputError("'assisted' of a variant that this node was not asked for");
    asked.erase(asked.begin());
    kept_.commit();
    pass_on(*owner, words);
    nodes_[helper].running.clear();
    coordinator_.returns(helper);
    if (!view(helper).helps) nodes_[helper].text = "waits";
}

void NodeTalk::pass_on(std::size_t owner, const AssistedWords& words) {
    if (view(owner).task) links_->send(owner, message_of("assisted", words));
}

void NodeTalk::ends(std::size_t node, const EndWords& words) {
    const Assignment assignment = coordinator_.assignment(node);
    if (words.id != assignment.id) throw InputError("the end of another task than it was given");
    std::optional<TuneResult> result;
    if (words.result) result = result_from(StrictObject(*words.result, kMessageName, "/end/result"));
    std::optional<Machine> rose;
    if (!words.machine.empty()) rose = parse_machine(words.machine, kMessageName);
    // Nothing runs on it any more, whatever it began last.
    nodes_[node].running.clear();
    coordinator_.begins(node, "");
    const std::size_t c = *view(node).of_class;
    if (rose && rose->id != coordinator_.roofs(c).id) throw InputError("the ceilings of another machine");
    if (result && !kept_.is_of(*result, assignment.task.place, coordinator_.roofs(c)))
        return failed(node,
                      "it tuned other data than this program sees under the same name; are its files the "
                      "same ones?");
    // Somebody told that node alone to end (scancel, a time limit): its problem is another's now.
    if (result && result->certificate.stopped_by == "interrupted" && !stopping_)
        throw InputError("its agent was told to end");
    Node& state = nodes_[node];
    state.best = 0.0;
    if (words.environment) {
        observer_.notice(names_[node] + ": " + words.why);
        kept_.end_runs(node, nullptr);
        if (++state.faults >= kFaultsOfNode) return refuse(node, words.why);
        return coordinator_.gives_back(node, words.why);
    }
    kept_.commit();
    kept_.end_task(c, assignment.task, words, result ? &*result : nullptr, [&](const SetTaskEnd& end) {
        return coordinator_.ends(node, end, rose ? &*rose : nullptr);
    });
    state.faults = 0;
    links_->is_well(node);
    if (result) kept_.write_result(*result, coordinator_.roofs(c), words.stem);
    kept_.end_runs(node, result ? &*result : nullptr);
    if (result && is_told(assignment.task, *result)) observer_.result(*result, coordinator_.roofs(c));
    state.text = "waits";
}

void NodeTalk::give_out(double now) {
    for (std::size_t node = 0; node < names_.size(); ++node) tell(node, now);
    tell_of_helpers();
}

void NodeTalk::tell(std::size_t node, double now) {
    if (!links_->is_up(node)) return;
    const Order order = coordinator_.order(node, now);
    if (order.probe) links_->send(node, message_of("probe", ModelWords{machine_text(*order.probe)}));
    if (order.roofs) links_->send(node, message_of("roofs", ModelWords{machine_text(*order.roofs)}));
    if (view(node).state == NodeState::slow) nodes_[node].text = "stays behind its class";
    if (order.task) links_->send(node, {"task", task_json(words_for(node, *order.task))});
}

// Whoever tunes looks ahead as far as others are free to measure.
void NodeTalk::tell_of_helpers() {
    for (std::size_t node = 0; node < names_.size(); ++node) {
        if (view(node).state != NodeState::working) continue;
        const int count = coordinator_.helpers_of(node);
        if (count == nodes_[node].helpers_told) continue;
        nodes_[node].helpers_told = count;
        links_->send(node, message_of("helpers", HelpersWords{count}));
    }
}

TaskWords NodeTalk::words_for(std::size_t node, const Assignment& assignment) {
    const std::size_t c = *view(node).of_class;
    const SetTask& task = assignment.task;
    kept_.end_runs(node, nullptr);  // of what it helped with
    nodes_[node].running.clear();
    TaskWords words;
    words.id = assignment.id;
    words.task = task;
    words.banned = assignment.banned;
    words.starts = assignment.starts;
    for (const std::size_t near : task.near) words.near.push_back(kept_.end_of(c, near)["warm_start"]);
    if (task.kind == SetTask::Kind::compare) {
        words.winner = kept_.winner_of(c, task.place);
        if (!task.offers.empty()) words.tried = kept_.end_of(c, task.place)["warm_start"]["tried"];
    } else if (task.goes_on) {
        words.before = kept_.result_of(c, task.place);
        // Another node may have found it.
        const SetTask::Values best = kept_.winner_of(c, task.place).best;
        if (!best.empty()) words.starts.push_back(best);
    }
    words.config = kept_.config_of(coordinator_.roofs(c), task.place);
    words.most_helpers = static_cast<int>(std::min<std::size_t>(kMostHelpers, names_.size() - 1));
    nodes_[node].helpers_told = -1;
    nodes_[node].text =
        (task.kind == SetTask::Kind::compare ? "compares " : "begins ") + title_of(task.place);
    return words;
}

void NodeTalk::stop() {
    stopping_ = true;
    coordinator_.stop();
    observer_.notice("the nodes end with what they have");
    for (std::size_t node = 0; node < names_.size(); ++node) links_->send(node, {"stop", Json::object()});
}

std::vector<NodeLine> NodeTalk::lines() const {
    std::vector<NodeLine> lines;
    for (std::size_t i = 0; i < names_.size(); ++i) lines.push_back({names_[i], nodes_[i].text});
    return lines;
}

}  // namespace rooftune
