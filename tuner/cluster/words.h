// The messages between a coordinator and its agents as structs, with one list of fields each that writes and
// strictly reads them (tuner/formats/fields.h).
//
//     agent                            coordinator
//     hello      who and where      →
//                                   ←  welcome    what is tuned, where to keep it
//     model      its own ceilings   →
//                                   ←  probe      (a node that seems slow) these once more, then `model`
//                                   ←  roofs      ceilings of its class
//                                   ←  task       tune or compare
//     begins, record, note, progress →            while it does
//     end        what became of it  →
//                                   ←  helpers    so many nodes have nothing to do
//     ask        a variant for one  →
//                                   ←  assist     (to one of them) that variant, beside that node's best
//     assisted   its record         →             passed on to the node that asked
//     alive                         →  ←          every few seconds
//                                   ←  stop       end early with what there is; bye: end
//     failed     why it cannot go on →
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tuner/cluster/message.h"
#include "tuner/engine/look_back.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/warm_start.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/record.h"
#include "tuner/measure/evaluator.h"
#include "tuner/store/job_key.h"

namespace rooftune {

struct HelloWords {
    int protocol = kClusterProtocol;
    std::string build;    ///< kernels_build(), which alone makes times comparable
    std::string version;  ///< of the program, for people
    std::string host;
    int pid = 0;
    std::string fingerprint;  ///< of its machine
    std::string processors;   ///< that it may use: "0-3"
};
void fields(Fields& f, HelloWords& w);

/// What all tasks have in common.
struct WelcomeWords {
    std::string node;
    std::string folder;   ///< to be in, so that relative names mean the same
    std::string results;  ///< for its store; empty: below the node's folder for temporary files
    std::string store;    ///< tells what belongs to one results folder of the coordinator from others
    TuneOptions options{};
    double alive_seconds = 10.0;  ///< at most between two messages of an agent
};
void fields(Fields& f, WelcomeWords& w);

/// machine_to_json() on one line.
std::string machine_text(const Machine& machine);

struct ModelWords {
    std::string machine;  ///< as machine_text() writes it
    /// `model`: of the windows of this probing the share in which others had a processor of the node.
    double taken_away = 0.0;
};
void fields(Fields& f, ModelWords& w);

/// A record on its way to the coordinator's store.
struct RecordWords {
    JobKey key;
    std::string variant;  ///< as Space::to_text spells it
    Record record;
};
void fields(Fields& f, RecordWords& w);

struct BeginsWords {
    JobKey key;
    std::string variant;
};
void fields(Fields& f, BeginsWords& w);

/// A task. What only SetPlan needs of it does not travel.
struct TaskWords {
    std::uint64_t id = 0;
    SetTask task;
    std::vector<Json> near{};             ///< warm starts of `task.near`, as warm_start_json() writes them
    std::optional<Json> before{};         ///< the result that it goes on from
    std::optional<TunedWinner> winner{};  ///< compare: what the problem was tuned to
    std::optional<Json> tried{};          ///< compare: what its search has tried, as warm_start_json() has it
    std::optional<Json> config{};         ///< the tuned config that the coordinator has of this problem
    std::vector<std::string> banned;      ///< variants in quarantine
    std::vector<SetTask::Values> starts;  ///< measured first
    int most_helpers = 0;                 ///< other nodes that may come to measure variants of it
};
/// Reading needs the families. Throws InputError for one that is not there.
Json task_json(const TaskWords& words);
TaskWords task_from(const Json& body, const Registry& registry);

struct EndWords {
    std::uint64_t id = 0;
    std::optional<Json> result{};
    std::string stem;  ///< of its files
    std::string why;
    bool environment = false;  ///< what stood in the way was this node
    bool skipped = false;      ///< the problem may be left out, and is
    std::optional<Json> warm_start{};
    std::optional<LeftOut> left_out{};
    std::optional<std::uint64_t> better{};
    double spent_seconds = 0.0, loading_seconds = 0.0;
    std::string machine;  ///< ceilings of its class that rose, as machine_text() writes them; may be empty
};
Json end_json(const EndWords& words);
EndWords end_from(const Json& body);

/// A variant that somebody else is to measure, in turn with the best so far.
struct AskWords {
    std::uint64_t id = 0;
    SetTask::Values variant;
    SetTask::Values companion;
    EvaluationRequest request{};  ///< without companion and next
};
void fields(Fields& f, AskWords& w);

/// The same on its way to a helper, with the task that it is of.
struct AssistWords {
    AskWords ask;
    Json task;  ///< as task_json() writes it
};
Json assist_json(const AssistWords& words);
AssistWords assist_from(const Json& body);

struct AssistedWords {
    std::uint64_t id = 0;
    std::string why;  ///< there is no record
    std::optional<Record> record{};
};
void fields(Fields& f, AssistedWords& w);

/// How many nodes could measure variants of others.
struct HelpersWords {
    int free = 0;
};
void fields(Fields& f, HelpersWords& w);

struct NoteWords {
    std::string text;
};
void fields(Fields& f, NoteWords& w);

struct ProgressWords {
    std::string stage;
    double best_seconds = 0.0, elapsed_seconds = 0.0, budget_seconds = 0.0;
    std::uint64_t evaluated = 0, space = 0;
};
void fields(Fields& f, ProgressWords& w);

Json warm_start_json(const WarmStart& warm_start);
WarmStart warm_start_from(const Json& json);
/// Of its `tried` alone.
std::set<SetTask::Values> tried_from(const Json& json);

/// Any message of the structs above.
template <class Words>
Message message_of(const char* kind, const Words& words) {
    Message message{kind, Json::object()};
    write_fields(message.body, words);
    return message;
}
template <class Words>
Words words_of(const Message& message) {
    return read_fields<Words>(StrictObject(message.body, kMessageName, "/" + message.kind));
}

}  // namespace rooftune
