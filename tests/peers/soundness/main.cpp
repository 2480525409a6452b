// `rooftune peers soundness`: everybody's code against this machine's ceilings, frozen, pass after pass. What
// `rooftune machine --audit` does with what is installed, with the peers that need headers beside it.
#include <algorithm>
#include <iostream>

#include "kernels/runtime/error.h"
#include "tests/peers/soundness/peers.h"
#include "tuner/base/interrupt.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/machine_model.h"
#include "tuner/machine/audit/audit_command.h"
#include "tuner/machine/audit/peers.h"
#include "tuner/machine/audit/serve.h"

namespace rooftune::peers {

std::vector<audit::Peer> soundness_peers() {
    std::vector<audit::Peer> peers = audit::built_in_peers();
#ifdef ROOFTUNE_XSMM
    // Linked, it takes the place of the one that would be loaded.
    const auto xsmm =
        std::find_if(peers.begin(), peers.end(), [](const auto& p) { return p.name == "libxsmm"; });
    if (xsmm != peers.end()) *xsmm = xsmm_peer();
#endif
#ifdef ROOFTUNE_EIGEN
    peers.push_back(eigen_peer());
#endif
#ifdef ROOFTUNE_RSB
    peers.push_back(rsb_peer());
#endif
    return peers;
}

namespace {

struct Options {
    CommonFlags common;
    AuditFlags audit{true, 3, true};
    bool known = false;
    bool thawed = false;
};

int run(const Options& o) {
    if (!o.known && o.common.machine.empty()) {
        if (!o.common.quiet)
            std::cerr << "rooftune: measuring the full machine model first, about a minute\n";
        probe_this_machine(o.common, chosen_cpus(o.common), false, {});
        if (interrupted()) return 130;
    }
    AuditFlags flags = o.audit;
    flags.frozen = !o.thawed;
    const int status = audit_machine(o.common, flags, soundness_peers());
    return interrupted() ? 130 : status;
}

}  // namespace
}  // namespace rooftune::peers

int main(int argc, char** argv) {
    using namespace rooftune;
    if (const auto status = audit::serve_if_asked(argc, argv, peers::soundness_peers())) return *status;
    constexpr int kUsage = 2;
    constexpr int kEnvironment = 3;
    peers::Options options;
    CommandLine line("rooftune peers soundness",
                     "Holds other people's code against this machine's ceilings: is any of it above?", {});
    Command app = line.root();
    app.footer(
        "Exit status: 0 nothing above a ceiling is left unexplained; 1 something is; 2 bad usage or input;\n"
        "3 machine or environment; 130 after Ctrl-C.");
    add_common(app, options.common);
    app.option("--passes", options.audit.passes, "How often everything is measured")
        .range(1, 1000)
        .shows_default();
    app.flag("--known", options.known,
             "Take the ceilings as they are known; without it the full model is measured first");
    app.flag("--thawed", options.thawed, "Let ceilings rise, and remember those that did");
    const auto complain = [](const std::string& text, int status) {
        std::cerr << "rooftune: " << text << "\n";
        return status;
    };
    app.runs([&] { return peers::run(options); });
    try {
        int answered = 0;
        const Action action = line.parse(argc, argv, answered);
        if (!action) return answered;
        watch_for_interrupt();
        return action();
    } catch (const InputError& error) {
        return complain(error.what(), kUsage);
    } catch (const EnvironmentError& error) {
        return complain(error.what(), kEnvironment);
    } catch (const std::exception& error) {
        return complain(std::string("internal error: ") + error.what(), kEnvironment);
    }
}
