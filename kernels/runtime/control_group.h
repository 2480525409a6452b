// What a control group (a container, say) leaves a process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rooftune {

/// The whole text of a file of the system's; nullopt where there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;
/// Of this machine.
std::optional<std::string> read_file(const std::string& path);

/// The number that a text begins with; nullopt where it begins with none ("max"), or there is no text.
std::optional<double> number_in(const std::optional<std::string>& text);

/// The folder of this process in a controller's hierarchy of version 1, or, without a controller, in version
/// 2; "/" when it is not said.
std::string group_of(const ReadFile& read, const std::string& controller);

/// A group's file and those of the groups that it is in, up to the root: the limits of all of them hold.
/// Inside a container that sees its group as the root, it is at the root.
std::vector<std::string> in_group(const std::string& hierarchy, const std::string& group,
                                  const std::string& name);

/// Bytes that the control groups of this process still leave it, what they hold of files that nobody has used
/// lately not counted as taken; infinity where none has a limit.
double memory_left(const ReadFile& read);

/// How many processors' time this process and the others of its control group may use at once (1.5: one and a
/// half); nullopt: as many as there are.
std::optional<double> processor_quota(const ReadFile& read);
/// The same of this machine.
std::optional<double> processor_quota();

}  // namespace rooftune
