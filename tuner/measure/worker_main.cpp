#include "tuner/measure/worker_main.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/child_process.h"
#include "tuner/base/descriptor.h"
#include "tuner/measure/page_draw.h"
#include "tuner/measure/protocol.h"
#include "tuner/measure/variant_server.h"

namespace rooftune {
namespace {

// Replies go to a private copy of standard output, so that a kernel that prints cannot garble them.
class Replies {
public:
    Replies() : descriptor_(dup(STDOUT_FILENO)) {
        const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0) dup2(null, STDOUT_FILENO);
        if (null >= 0) close(null);
    }
    void send(const WorkerLine& line) {
        if (!write_whole(descriptor_, to_text(line) + "\n")) _exit(1);  // the tuner is gone
    }

private:
    Descriptor descriptor_;
};

}  // namespace

std::optional<int> worker_parent(int argc, char** argv) {
    const char* mark = std::getenv(kWorkerMark);
    if (argc != 3 || !mark || std::strcmp(argv[1], kWorkerFlag) != 0 || std::strcmp(argv[2], mark) != 0)
        return std::nullopt;
    return std::atoi(mark);
}

int run_worker(const Registry& registry, int parent, const Reprobe& reprobe) {
    // Once more, after exec, which may have undone it, and from a thread that lives as long as the process.
    if (!die_with_parent(parent)) return 1;
    unsetenv(kWorkerMark);  // what kernels start are no workers
    Replies replies;
    // Before any array is made.
    const PageDraw pages = any_pages();
    std::unique_ptr<VariantServer> server;
    const Reached reached = [&replies](const char* phase) { replies.send({phase, "", {}, {}}); };
    for (std::string text; std::getline(std::cin, text);) {
        try {
            const nlohmann::json request = nlohmann::json::parse(text);
            const std::string ask = request.at("ask").get<std::string>();
            if (ask == "load") {
                server = std::make_unique<VariantServer>(registry, message_from<WorkerSetup>(request));
                server->on_reference([&replies](const std::string& place) {
                    replies.send({"reference", place, {}, {}});
                });
                replies.send({"loaded", kernels_build(), {}, {}});
            } else if (!server) {
                continue;
            } else if (ask == "measure") {
                Record record = server->measure(message_from<MeasureRequest>(request), reached);
                replies.send({"done", server->spoiled(), {std::move(record)}, {}});
            } else if (ask == "rotate") {
                replies.send(server->rotate(message_from<RotateRequest>(request), reprobe, reached));
            } else if (ask == "probe") {
                const ProbeRequest probe = message_from<ProbeRequest>(request);
                replies.send({"done", "", {}, reprobe(probe.ceilings, server->team(), probe.seconds)});
            } else {
                replies.send({"failed", "unknown request '" + ask + "'", {}, {}});
            }
        } catch (const std::bad_alloc&) {
            replies.send({"failed", "not enough memory", {}, {}});
        } catch (const InputError& error) {
            replies.send({"refused", error.what(), {}, {}});
        } catch (const std::exception& error) {
            replies.send({"failed", error.what(), {}, {}});
        }
    }
    return 0;
}

}  // namespace rooftune
