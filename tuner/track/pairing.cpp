#include "tuner/track/pairing.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tuner/formats/setting_words.h"

namespace rooftune::track {
namespace {

// What is compared may have been tuned for other threads or on another device.
using PairKey = std::tuple<std::string, std::string, std::string, std::string>;

PairKey pair_key_of(const TuneResult& r) {
    return {r.family, r.digest, r.backend, r.state};
}

PairKey pair_key_of(const ConfigFile& file) {
    return pair_key_of(file.config.result);
}

bool is_wanted(const ConfigFile& file, const std::vector<std::string>& kernels) {
    return track::is_wanted(file.config.result.title, file.config.result.family, kernels);
}

}  // namespace

bool is_same_problem(const TuneResult& a, const TuneResult& b) {
    return pair_key_of(a) == pair_key_of(b);
}

bool is_wanted(const std::string& title, const std::string& family, const std::vector<std::string>& kernels) {
    return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& text) {
               return title.find(text) != std::string::npos || family.find(text) != std::string::npos;
           });
}

KernelName name_of(const TuneResult& result) {
    return {result.title, setting_words(result.backend, result.state)};
}

std::vector<ConfigFile> side_at(const std::string& path, const Notice& notice) {
    std::vector<ConfigFile> files = configs_at(path, notice);
    keep_newest(files, [](const TuneResult& result) { return pair_key_of(result); });
    // Problems of one title, in several states of the caches say, in an order that no file name decides.
    const auto place = [](const ConfigFile& file) {
        return std::tuple(file.config.result.title, pair_key_of(file));
    };
    std::sort(files.begin(), files.end(),
              [&](const ConfigFile& a, const ConfigFile& b) { return place(a) < place(b); });
    return files;
}

Pairing pair_up(const std::vector<ConfigFile>& base, const std::vector<ConfigFile>& candidate,
                const std::vector<std::string>& kernels) {
    std::map<PairKey, const ConfigFile*> there;
    for (const ConfigFile& file : candidate) {
        if (is_wanted(file, kernels)) there[pair_key_of(file)] = &file;
    }
    Pairing pairing;
    for (const ConfigFile& file : base) {
        if (!is_wanted(file, kernels)) continue;
        const auto other = there.find(pair_key_of(file));
        if (other == there.end()) {
            pairing.only_base.push_back(name_of(file.config.result));
        } else {
            pairing.pairs.push_back({file, *other->second, {}});
            there.erase(other);
        }
    }
    for (const ConfigFile& file : candidate) {
        if (there.contains(pair_key_of(file)) && is_wanted(file, kernels))
            pairing.only_candidate.push_back(name_of(file.config.result));
    }
    return pairing;
}

}  // namespace rooftune::track
