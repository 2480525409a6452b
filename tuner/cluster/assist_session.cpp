#include "tuner/cluster/assist_session.h"

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/engine/evaluator_of.h"

namespace rooftune {

AssistSession::AssistSession(const Job& job, const TuneOptions& options, const Machine& machine,
                             RecordTap& tap)
    : job_(job),
      options_(options),
      setting_(make_setting(job_, options_.common, options_.only, machine)),
      shared_(setting_),
      store_((std::filesystem::path(results_folder(options_.common)) / "rooftune.db").string()),
      id_(store_.job(key_of(setting_, machine))),
      run_(store_.start_run(id_)),
      measuring_(evaluator_of(setting_, job_, options_, shared_)),
      evaluator_(*measuring_, store_, id_, run_, *setting_.space) {
    evaluator_.told_to(tap, key_of(setting_, machine));
}

AssistSession::~AssistSession() = default;

Record AssistSession::measure(const AskWords& ask) {
    std::string why;
    const std::optional<Variant> variant = setting_.space->from_map(ask.variant, why);
    const std::optional<Variant> companion = setting_.space->from_map(ask.companion, why);
    if (!variant || !companion) throw InputError("a variant that is none on this node: " + why);
    EvaluationRequest request = ask.request;
    request.companion = companion;
    return evaluator_.evaluate(*variant, request);
}

}  // namespace rooftune
