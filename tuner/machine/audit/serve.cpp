#include "tuner/machine/audit/serve.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu_mask.h"
#include "tuner/base/child_process.h"
#include "tuner/machine/audit/child.h"

namespace rooftune::audit {
namespace {

using Message = nlohmann::json;

Environment environment_for(const Peer& peer, int threads) {
    const std::string n = std::to_string(threads);
    // The numbers of threads that the usual libraries read; each on a processor of its own, as ours are.
    Environment environment{{"OMP_NUM_THREADS", n},   {"OPENBLAS_NUM_THREADS", n}, {"BLIS_NUM_THREADS", n},
                            {"MKL_NUM_THREADS", n},   {"MKL_DYNAMIC", "FALSE"},    {"OMP_DYNAMIC", "FALSE"},
                            {"OMP_PROC_BIND", "true"}};
    if (peer.environment) {
        for (auto& variable : peer.environment(threads)) environment.push_back(std::move(variable));
    }
    return environment;
}

Message amounts_to_json(const Amounts& a) {
    return {{"flops", a.flops.value},
            {"read", a.read.value},
            {"written", a.written.value},
            {"footprint", a.footprint.value}};
}
Amounts amounts_from(const Message& m) {
    return {Operations(m.at("flops").get<double>()), Bytes(m.at("read").get<double>()),
            Bytes(m.at("written").get<double>()), Bytes(m.at("footprint").get<double>())};
}

Message case_to_json(const Case& c) {
    return {{"peer", c.peer},       {"kernel", c.kernel},       {"dtype", to_text(c.dtype)},
            {"threads", c.threads}, {"arguments", c.arguments}, {"least", amounts_to_json(c.least)}};
}
Case case_from(const Message& m) {
    Case c;
    c.peer = m.at("peer").get<std::string>();
    c.kernel = m.at("kernel").get<std::string>();
    c.dtype = dtype_from(m.at("dtype").get<std::string>()).value_or(DType::f64);
    c.threads = m.at("threads").get<int>();
    c.arguments = m.at("arguments").get<std::map<std::string, std::string>>();
    c.least = amounts_from(m.at("least"));
    return c;
}

Message measurement_to_json(const Measurement& m) {
    Message message{{"outcome", static_cast<int>(m.outcome)},
                    {"detail", m.detail},
                    {"seconds", std::isfinite(m.seconds) ? m.seconds : 0.0},
                    {"windows", m.windows},
                    {"error", std::isfinite(m.error) ? m.error : 1e300}};
    if (m.amounts) message["amounts"] = amounts_to_json(*m.amounts);
    return message;
}
Measurement measurement_from(const Message& message) {
    Measurement m;
    const int outcome = message.at("outcome").get<int>();
    m.outcome = outcome >= 0 && outcome <= static_cast<int>(Outcome::hung) ? static_cast<Outcome>(outcome)
                                                                           : Outcome::failed;
    m.detail = message.at("detail").get<std::string>();
    m.seconds = message.at("seconds").get<double>();
    m.windows = message.at("windows").get<int>();
    m.error = message.at("error").get<double>();
    if (message.contains("amounts")) m.amounts = amounts_from(message.at("amounts"));
    return m;
}

// The first n processors are the case's.
std::vector<int> first(const std::vector<int>& cpus, int n) {
    return {cpus.begin(),
            cpus.begin() + std::min<std::ptrdiff_t>(n, static_cast<std::ptrdiff_t>(cpus.size()))};
}

ChildAnswer ask(const std::string& program, const Peer& peer, int threads, const Message& question,
                double deadline_seconds) {
    return ask_child(program, {kChildFlag, std::to_string(getpid())}, environment_for(peer, threads),
                     question.dump(), deadline_seconds);
}

void confine_to(const std::vector<int>& cpus) {
    CpuMask(cpus).give_to();
}

Message answer(const Message& question, const std::vector<Peer>& peers) {
    const auto cpus = question.at("cpus").get<std::vector<int>>();
    const auto name = question.at("peer").get<std::string>();
    for (const Peer& peer : peers) {
        if (peer.name != name) continue;
        confine_to(cpus);
        if (question.at("ask") == "find") {
            const Found found = peer.find();
            return {{"ok", found.ok}, {"detail", found.detail}};
        }
        return measurement_to_json(
            peer.measure(case_from(question.at("case")), cpus, question.at("seconds").get<double>()));
    }
    return {{"failed", "this program has no peer '" + name + "'"}};
}

}  // namespace

Found find_peer(const std::string& program, const Peer& peer, const std::vector<int>& cpus,
                double deadline_seconds) {
    const Message question{{"ask", "find"}, {"peer", peer.name}, {"cpus", first(cpus, 1)}};
    const ChildAnswer reply = ask(program, peer, 1, question, deadline_seconds);
    if (reply.end != ChildAnswer::End::answered) return {false, reply.detail};
    try {
        const Message message = Message::parse(reply.line);
        if (message.contains("failed")) return {false, message.at("failed").get<std::string>()};
        return {message.at("ok").get<bool>(), message.at("detail").get<std::string>()};
    } catch (const Message::exception&) {
        return {false, "it wrote to its own output instead of answering"};
    }
}

Measurement measure_in_child(const std::string& program, const Peer& peer, const Case& what,
                             const std::vector<int>& cpus, double seconds, double deadline_seconds) {
    const Message question{{"ask", "measure"},
                           {"peer", peer.name},
                           {"cpus", first(cpus, what.threads)},
                           {"case", case_to_json(what)},
                           {"seconds", seconds}};
    const ChildAnswer reply = ask(program, peer, what.threads, question, deadline_seconds);
    Measurement m;
    m.detail = reply.detail;
    switch (reply.end) {
        case ChildAnswer::End::answered:
            break;
        case ChildAnswer::End::crashed:
            m.outcome = Outcome::crashed;
            return m;
        case ChildAnswer::End::hung:
            m.outcome = Outcome::hung;
            return m;
        case ChildAnswer::End::not_started:
        case ChildAnswer::End::interrupted:
            return m;
    }
    try {
        const Message message = Message::parse(reply.line);
        if (!message.contains("failed")) return measurement_from(message);
        m.detail = message.at("failed").get<std::string>();
    } catch (const Message::exception&) {
        m.detail = "it wrote to its own output instead of answering";
    }
    return m;
}

int serve(const std::vector<Peer>& peers, int parent) {
    // Once more, after exec, which may have undone it, and from a thread that lives as long as the process.
    if (!die_with_parent(parent)) return 1;
    // What a library prints must not pass for an answer.
    const Descriptor reply_to(dup(STDOUT_FILENO));
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::string line;
    std::getline(std::cin, line);
    Message reply;
    try {
        reply = answer(Message::parse(line), peers);
    } catch (const std::bad_alloc&) {
        reply = {{"failed", "not enough memory"}};
    } catch (const std::exception& error) {
        reply = {{"failed", error.what()}};
    }
    // A version string of a library may hold anything.
    const std::string text = reply.dump(-1, ' ', false, Message::error_handler_t::replace) + "\n";
    const bool sent = write_whole(reply_to, text);
    // A library's threads are not to be wound up here.
    _exit(sent ? 0 : 1);
}

std::optional<int> serve_if_asked(int argc, char** argv, const std::vector<Peer>& peers) {
    if (argc != 3 || std::strcmp(argv[1], kChildFlag) != 0) return std::nullopt;
    return serve(peers, std::atoi(argv[2]));
}

}  // namespace rooftune::audit
