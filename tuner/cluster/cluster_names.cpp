#include "tuner/cluster/cluster_names.h"

#include <cstdlib>
#include <cstring>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/child_output.h"
#include "tuner/base/child_process.h"

namespace rooftune {
namespace {

std::vector<std::string> lines_of(const std::vector<std::string>& words) {
    Pipe pipe;
    if (pipe.open() != 0) throw EnvironmentError("no pipe can be had");
    ChildProcess child;
    if (const int error = child.start({.words = words, .descriptors = {{pipe.write.fd(), 1}}}); error != 0)
        throw EnvironmentError(words.front() + " could not be started (" + std::strerror(error) +
                               "); it comes with Slurm");
    pipe.write.close();
    LineReader reader(std::move(pipe.read), std::size_t{16} << 20);
    std::vector<std::string> lines;
    for (std::string line; reader.next(60.0, line) == LineReader::End::line;) lines.push_back(line);
    const ChildProcess::End end = child.end(5.0);
    if (!end.by_itself || end.status != 0)
        throw EnvironmentError("`" + words.front() + "` failed; are Slurm's daemons up?");
    return lines;
}

std::string variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? value : "";
}

}  // namespace

std::vector<std::string> names_of(const ClusterOptions& cluster) {
    return node_names(cluster.nodes, variable, lines_of);
}

std::string in_node(std::string text, const std::string& node) {
    const std::string what = "{node}";
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += node.size())
        text.replace(at, what.size(), node);
    return text;
}

std::string mismatch(const HelloWords& hello) {
    if (hello.protocol != kClusterProtocol || hello.build != kernels_build())
        return "rooftune " + hello.version + " on " + hello.host +
               " is another build than this one, whose times could not be compared; install the same one "
               "there, or name it by --node-program";
    return {};
}

}  // namespace rooftune
