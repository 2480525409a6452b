#include "tuner/track/baselines.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/command_words.h"
#include "tuner/base/suggested.h"
#include "tuner/track/track_text.h"

namespace rooftune::track {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kDateDigits = 10;  // of a date
constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

// As configs are paired: threads do not belong to it.
auto problem_of(const Entry& e) {
    return std::tie(e.machine, e.family, e.digest, e.backend, e.state);
}

// Dates are written so that later ones compare greater; of equal ones the later place counts.
bool takes_over(const Entry& entry, const Entry* from) {
    return !from || entry.at >= from->at;
}

[[noreturn]] void nobody(std::span<const Entry> entries, const std::string& name, const std::string& machine,
                         const std::string& store) {
    std::set<std::string> here, elsewhere;
    for (const Entry& e : entries) {
        if (e.baseline.empty()) continue;
        if (e.machine == machine) here.insert(e.baseline);
        if (e.machine != machine && e.baseline == name) elsewhere.insert(e.machine_name);
    }
    const auto list = [](const std::set<std::string>& names) {
        return listed(std::vector<std::string>(names.begin(), names.end()));
    };
    std::string text =
        "--baseline " + name + ": nothing was recorded under that name on this machine in " + store;
    if (!elsewhere.empty()) text += "; it was on " + list(elsewhere) + ", compare there";
    text += here.empty() ? "; there is no baseline of this machine" : "; there is " + list(here);
    throw InputError(text + " (" + suggested("track record --baseline " + shell_word(name)) + " makes it)");
}

// Throws InputError for one that cannot be run again.
BaselineConfig config_of(const Entry& e) {
    const std::string phrase = baseline_phrase(e);
    if (e.tuned_config.empty())
        throw InputError(phrase + " of " + kernel_key(e) + " holds no tuned config that could be run again");
    BaselineConfig config{{phrase, tuned_config_from(parse_json(e.tuned_config, phrase), phrase)}, {}};
    if (!e.environment.compiler.empty()) config.environment = e.environment;
    return config;
}

}  // namespace

void check_baseline_name(const std::string& name, const std::string& flag) {
    const bool good = !name.empty() && name.size() <= kLongestName &&
                      kFirst.find(name.front()) != std::string_view::npos &&
                      name.find_first_not_of(std::string(kFirst) + "._+-") == std::string::npos;
    if (!good)
        throw InputError(flag + " '" + name +
                         "': a name has up to 64 letters, digits, '.', '_', '+' and '-', and begins with a "
                         "letter or digit, like v1.2 or before-blocking");
}

std::map<std::string, std::size_t> baselines_of(std::span<const Entry> entries) {
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].baseline.empty()) continue;
        const auto [place, is_new] = names.try_emplace(entries[i].baseline, i);
        if (!is_new && takes_over(entries[i], &entries[place->second])) place->second = i;
    }
    return names;
}

const Entry* holder_of(std::span<const Entry> entries, const std::string& name, const Entry& like) {
    const Entry* holder = nullptr;
    for (const Entry& e : entries) {
        if (e.baseline == name && problem_of(e) == problem_of(like) && takes_over(e, holder)) holder = &e;
    }
    return holder;
}

std::string baseline_phrase(const Entry& e) {
    return "baseline " + e.baseline + " (" + short_revision(e.revision) + " of " +
           e.revision_date.substr(0, kDateDigits) + ")";
}

std::vector<BaselineConfig> baseline_configs(std::span<const Entry> entries, const BaselineWish& wish,
                                             const Notice& notice) {
    std::vector<BaselineConfig> configs;
    std::vector<std::string> faults;
    bool has_name = false;
    for (const Entry& e : entries) {
        if (e.baseline != wish.name || e.machine != wish.machine || holder_of(entries, wish.name, e) != &e)
            continue;
        has_name = true;
        if (!is_wanted(e.title, e.family, wish.kernels)) continue;
        try {
            configs.push_back(config_of(e));
        } catch (const InputError& error) {
            faults.push_back(wish.store + ": " + error.what() + "; record it anew with " +
                             suggested("track record --baseline " + shell_word(wish.name)));
        }
    }
    if (!has_name) nobody(entries, wish.name, wish.machine, wish.store);
    if (configs.empty() && faults.empty())
        throw InputError("--kernels leaves none of the baseline " + wish.name + " in " + wish.store);
    // The last that is left out says why nothing is left.
    for (std::size_t i = 0; i + (configs.empty() ? 1 : 0) < faults.size(); ++i)
        notice(faults[i] + "; it is left out");
    if (configs.empty()) throw InputError(faults.back());
    std::stable_sort(configs.begin(), configs.end(), [](const BaselineConfig& a, const BaselineConfig& b) {
        return a.file.config.result.title < b.file.config.result.title;
    });
    return configs;
}

Pairing pair_with_baseline(const std::vector<BaselineConfig>& baseline,
                           const std::vector<ConfigFile>& candidate,
                           const std::vector<std::string>& kernels) {
    std::vector<ConfigFile> base;
    for (const BaselineConfig& config : baseline) base.push_back(config.file);
    Pairing pairing = pair_up(base, candidate, kernels);
    for (ConfigPair& pair : pairing.pairs) {
        for (const BaselineConfig& config : baseline) {
            if (is_same_problem(config.file.config.result, pair.base.config.result))
                pair.base_environment = config.environment;
        }
    }
    return pairing;
}

}  // namespace rooftune::track
