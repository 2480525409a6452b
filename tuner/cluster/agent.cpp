#include "tuner/cluster/agent.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/plain_name.h"
#include "tuner/base/ranges_text.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/cluster/assist_session.h"
#include "tuner/cluster/class_roofs.h"
#include "tuner/cluster/outbox.h"
#include "tuner/cluster/words.h"
#include "tuner/engine/look_back.h"
#include "tuner/engine/tune_job.h"
#include "tuner/engine/tune_set.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr double kWelcomeSeconds = 600.0;  // a coordinator may load large matrices first
constexpr double kForEver = 1e9;
constexpr double kProgressEvery = 1.0;
constexpr double kProbeAgainSeconds = 4.0;

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// A folder of this node's own: SQLite's locks do not hold on every shared file system.
// Everybody may write where temporary files are: a folder that is another's, or a link, is not used.
void make_own_folder(const std::string& folder) {
    if (mkdir(folder.c_str(), 0700) == 0) return;
    struct stat found {};
    const bool is_own = errno == EEXIST && lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
                        found.st_uid == geteuid();
    if (!is_own)
        throw EnvironmentError("the folder " + folder +
                               " cannot be made, or is another user's; name one by --node-results");
}

std::string default_results(const std::string& node, const std::string& store) {
    const char* temporary = std::getenv("TMPDIR");
    const fs::path base = temporary && *temporary ? temporary : "/tmp";
    const fs::path own = base / ("rooftune-agent-" + std::to_string(geteuid()));
    make_own_folder(own.string());
    return (own / (plain_name(node) + "_" + store)).string();
}

class Agent final : public TuneObserver, public RecordTap, public Helpers {
public:
    Agent(const Registry& registry, const std::string& version, Descriptor in, Descriptor out)
        : registry_(registry),
          outbox_(std::move(out)),
          inbox_(std::move(in)),
          stop_([this] { return inbox_.stopped(); }) {
        const std::vector<int> cpus = chosen_cpus({});
        HelloWords hello;
        hello.build = kernels_build();
        hello.version = version;
        hello.host = host_name();
        hello.pid = static_cast<int>(getpid());
        hello.fingerprint = new_machine().id;
        hello.processors = ranges_text(cpus);
        outbox_.send(message_of("hello", hello));
    }

    ~Agent() override {
        std::error_code ignored;
        if (!own_.empty()) fs::remove_all(own_, ignored);
    }
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    int serve() {
        const std::optional<Message> first = inbox_.next(kWelcomeSeconds, "welcome");
        if (!first) return 0;
        begin(words_of<WelcomeWords>(*first));
        make_model();
        // After a stop there is nothing to begin, and what is said must still be sent.
        while (!inbox_.stopped() && !interrupted()) {
            const std::optional<Message> message = inbox_.next(kForEver);
            if (!message) break;
            answer(*message);
        }
        return 0;
    }

    void fail(const std::string& why) { outbox_.send(message_of("failed", NoteWords{why})); }

    void progress(const TuneProgress& p) override {
        const double now = monotonic_seconds();
        if (now - told_ < kProgressEvery) return;
        told_ = now;
        outbox_.send(message_of("progress", ProgressWords{p.stage, p.best_seconds, p.elapsed_seconds,
                                                          p.budget_seconds, p.evaluated, p.space}));
    }
    void notice(const std::string& text) override { outbox_.send(message_of("note", NoteWords{text})); }

    void begins(const JobKey& key, const std::string& variant) override {
        outbox_.send(message_of("begins", BeginsWords{key, variant}));
    }
    void recorded(const JobKey& key, const std::string& variant, const Record& record) override {
        outbox_.send(message_of("record", RecordWords{key, variant, record}));
    }

    int count() override {
        while (const std::optional<Message> message = inbox_.next(0.0, "helpers"))
            free_ = words_of<HelpersWords>(*message).free;
        return free_;
    }
    void ask(std::uint64_t id, const Variant& variant, const EvaluationRequest& request) override {
        AskWords words;
        words.id = id;
        words.variant = space_->to_map(variant);
        words.companion = space_->to_map(*request.companion);
        words.request = request;
        outbox_.send(message_of("ask", words));
    }
    std::optional<Answer> answer(double seconds) override {
        const std::optional<Message> message = inbox_.next(seconds, "assisted");
        if (!message) return std::nullopt;
        const AssistedWords words = words_of<AssistedWords>(*message);
        return Answer{words.id, words.record};
    }

private:
    void begin(const WelcomeWords& welcome) {
        outbox_.alive_every(welcome.alive_seconds);
        if (!welcome.folder.empty()) {
            std::error_code error;
            fs::current_path(welcome.folder, error);
            if (error)
                throw EnvironmentError("the folder " + welcome.folder + " cannot be entered on this node (" +
                                       error.message() +
                                       "); run the tune from a folder that all nodes share");
        }
        options_ = welcome.options;
        options_.common.results =
            welcome.results.empty() ? default_results(welcome.node, welcome.store) : welcome.results;
        make_folder(options_.common.results);
        check_writable(options_.common.results);
        // Configs come with the problems: what an earlier job left here is not what the coordinator has. And
        // the folder may be one that people use: of it the store is ours, and what this process makes.
        own_ = fs::path(options_.common.results) / ("agent_" + std::to_string(getpid()));
        options_.common.out = (own_ / "tuned").string();
    }

    // What this node reaches now, whatever it reached on better days: a node that has become slow is to be
    // found out.
    void make_model() {
        CommonOptions now = options_.common;
        now.results = (own_ / "now").string();
        health_ = probe_this_machine(now, cpus(), true, {});
        roofs_ = health_;
        roofs_.path = (own_ / "class.json").string();
        send_model(taken_away(health_.machine.ceilings));
    }

    void send_model(double taken) {
        outbox_.send(message_of("model", ModelWords{machine_text(health_.machine), taken}));
    }

    std::vector<int> cpus() const { return chosen_cpus(options_.common); }

    void answer(const Message& message) {
        if (message.kind == "roofs") {
            take_higher(roofs_.machine, parse_machine(words_of<ModelWords>(message).machine, kMessageName));
        } else if (message.kind == "probe") {
            probe_again(parse_machine(words_of<ModelWords>(message).machine, kMessageName));
        } else if (message.kind == "helpers" || message.kind == "assisted" || message.kind == "alive") {
            return;  // of a tune that is over
        } else if (message.kind == "assist") {
            assist(assist_from(message.body));
        } else if (message.kind == "task") {
            session_.reset();
            session_of_.clear();
            outbox_.send({"end", end_json(done(task_from(message.body, registry_)))});
        } else if (message.kind != "stop" && message.kind != "bye") {
            throw InputError("the coordinator asks for '" + message.kind + "', which this version lacks");
        }
    }

    // The problem stays open until another one is asked for.
    void assist(const AssistWords& words) {
        AssistedWords assisted;
        assisted.id = words.ask.id;
        try {
            const std::string of = words.task.dump();
            if (of != session_of_) {
                session_.reset();
                session_of_.clear();
                session_.emplace(task_from(words.task, registry_).task.job, options_, roofs_.machine, *this);
                session_of_ = of;
            }
            assisted.record = session_->measure(words.ask);
        } catch (const InputError& error) {
            assisted.why = error.what();
        } catch (const EnvironmentError& error) {
            assisted.why = error.what();
        } catch (const std::bad_alloc&) {
            assisted.why = kNoMemory;
        }
        outbox_.send(message_of("assisted", assisted));
    }

    void probe_again(const Machine& wanted) {
        const MachineLock lock([] { return !interrupted(); });
        if (!lock.held()) return;
        Team team(cpus());
        const std::vector<Ceiling> fresh = reprobe(wanted.ceilings, team, kProbeAgainSeconds);
        for (const Ceiling& c : fresh) {
            if (c.max > 0.0) merge(health_.machine, c);
        }
        take_higher(roofs_.machine, health_.machine);
        send_model(taken_away(fresh));
    }

    EndWords done(const TaskWords& words) {
        EndWords end;
        const Machine before = roofs_.machine;
        try {
            if (words.task.kind == SetTask::Kind::tune) {
                tune(words, end);
            } else {
                compare(words, end);
            }
        } catch (const InputError& error) {
            end.why = error.what();
        } catch (const EnvironmentError& error) {
            end.why = error.what();
            end.environment = true;
        } catch (const std::bad_alloc&) {
            end.why = kNoMemory;
        }
        end.id = words.id;
        const Machine rose = risen(before, roofs_.machine);
        if (!rose.ceilings.empty()) end.machine = machine_text(rose);
        return end;
    }

    void tune(const TaskWords& words, EndWords& end) {
        std::vector<WarmStart> near;
        for (const Json& json : words.near) near.push_back(warm_start_from(json));
        std::optional<TuneResult> before;
        if (words.before) before = result_from(StrictObject(*words.before, kMessageName, "/before"));
        Companions companions;
        for (const WarmStart& w : near) companions.neighbours.push_back(&w);
        companions.probes = &probes_;
        companions.before = before ? &*before : nullptr;
        companions.tap = this;
        companions.banned = words.banned;
        companions.starts = words.starts;
        companions.helpers = this;
        companions.most_helpers = words.most_helpers;
        companions.on_space = [this](const Space& space) { space_ = &space; };
        if (words.config) keep_config(*words.config);
        if (backend_of(words.task.job, options_.common) == Backend::opencl) {
            const std::optional<Device> device = device_for(words, end);
            if (!device) return;
            know_device(roofs_, cpus(), *device, [this](const std::string& text) { notice(text); });
        }
        const TuneResult result =
            tune_job(words.task.job, options_of(words.task, options_), roofs_, this, &companions);
        end.result = to_json(result);
        end.stem = companions.stem;
        end.warm_start = warm_start_json(companions.warm_start);
        end.left_out = companions.left_out;
    }

    // A node without a device is no broken node: the problem says whether it may be left out.
    std::optional<Device> device_for(const TaskWords& words, EndWords& end) const {
        try {
            return chosen_device(options_.common, cpus());
        } catch (const EnvironmentError& error) {
            end.why = error.what();
            end.skipped = words.task.job.optional;
            return std::nullopt;
        }
    }

    void compare(const TaskWords& words, EndWords& end) {
        if (!words.winner) throw InputError("a comparison without a winner");
        const SetTaskEnd found =
            look_back(words.task, options_, roofs_.machine, *words.winner,
                      words.tried ? tried_from(*words.tried) : std::set<SetTask::Values>{});
        end.why = found.why;
        end.better = found.better;
        end.left_out = found.left_out;
        end.spent_seconds = found.spent_seconds;
        end.loading_seconds = found.loading_seconds;
    }

    // The winner of before is measured beside the new one, wherever it was found.
    void keep_config(const Json& config) {
        const TunedConfig known = tuned_config_from(config, kMessageName);
        const std::string name = fs::path(known.result.config_file).filename().string();
        if (name.empty()) return;
        make_folder(options_.common.out);
        write_atomically((fs::path(options_.common.out) / name).string(), json_text(config));
    }

    const Registry& registry_;
    Outbox outbox_;
    Inbox inbox_;
    StopRequest stop_;
    TuneOptions options_;
    MachineModel health_, roofs_;
    RecentProbes probes_;
    std::optional<AssistSession> session_;
    fs::path own_;                  ///< what this process has of files beside the store
    std::string session_of_;        ///< the task that it is of
    int free_ = 0;                  ///< nodes that could help
    const Space* space_ = nullptr;  ///< of the tune that runs
    double told_ = 0.0;
};

}  // namespace

int run_agent(const Registry& registry, const std::string& version, int in, int out) {
    // A coordinator on the same node keeps out of the way of what is measured, and its children inherit that.
    const sched_param none{};
    if (sched_getscheduler(0) == SCHED_BATCH) sched_setscheduler(0, SCHED_OTHER, &none);
    Agent agent(registry, version, Descriptor(in), Descriptor(out));
    try {
        return agent.serve();
    } catch (const InputError& error) {
        agent.fail(error.what());
        return 2;
    } catch (const EnvironmentError& error) {
        agent.fail(error.what());
        return 3;
    }
}

}  // namespace rooftune
