#include "tuner/engine/options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/ranges_text.h"
#include "tuner/base/suggested.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

std::string value_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

// Past symbolic links: a home folder is often one, and CMake and the kernel name the same folder differently.
bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(folder, error);
    const fs::path relative = file.lexically_relative(error ? folder : real);
    return !relative.empty() && *relative.begin() != "..";
}

// A home may be written to where it is the user's own: a checkout, but no installed share.
struct Home {
    fs::path folder;
    bool writable = false;
};

Home own_home() {
    if (const std::string home = value_of("ROOFTUNE_HOME"); !home.empty()) return {home, true};
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path beside = program.parent_path().parent_path() / "share" / "rooftune";
    if (!error && fs::is_directory(beside / "configs", error)) return {beside};
    // Another's program that links this library, perhaps on another machine, has no business in the checkout.
    const fs::path checkout = ROOFTUNE_SOURCE_DIR;
    if ((lies_in(program, checkout) || lies_in(program, ROOFTUNE_BINARY_DIR)) &&
        fs::is_directory(checkout / "configs", error))
        return {checkout, true};
    return {fs::path(ROOFTUNE_DATA_DIR) / "rooftune"};
}

// Where results go unless --results says otherwise.
fs::path own_results_folder() {
    if (const Home own = own_home(); own.writable) return own.folder / "results" / "local";
    const std::string state = value_of("XDG_STATE_HOME"), home = value_of("HOME");
    if (!state.empty()) return fs::path(state) / "rooftune";
    return home.empty() ? fs::path("rooftune-results") : fs::path(home) / ".local" / "state" / "rooftune";
}

int whole_number(const std::string& text, const std::string& whole) {
    std::size_t used = 0;
    int value = -1;
    try {
        value = std::stoi(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (text.empty() || used != text.size() || value < 0) {
        throw InputError("--cpus " + whole + ": '" + text +
                         "' is not a processor number; write a list like 0,2-3");
    }
    return value;
}

}  // namespace

std::string results_folder(const CommonOptions& options) {
    return fs::absolute(options.results.empty() ? own_results_folder() : fs::path(options.results))
        .lexically_normal()
        .string();
}

void suggest_on(const std::string& results) {
    CommonOptions named;
    named.results = results;
    const std::string folder = results_folder(named);
    suggest_results_folder(folder == results_folder({}) ? "" : folder);
}

std::vector<int> chosen_cpus(const CommonOptions& options) {
    const std::vector<int> usable = usable_cpus();
    std::vector<int> chosen;
    if (options.cpus.empty()) {
        chosen = usable;
    } else {
        std::stringstream list(options.cpus);
        for (std::string item; std::getline(list, item, ',');) {
            const std::size_t dash = item.find('-');
            const int first = whole_number(item.substr(0, dash), options.cpus);
            const int last =
                dash == std::string::npos ? first : whole_number(item.substr(dash + 1), options.cpus);
            constexpr int kMost = 1 << 16;
            if (last < first || last - first > kMost) {
                throw InputError("--cpus " + options.cpus + ": the range '" + item +
                                 "' is empty or too long");
            }
            for (int cpu = first; cpu <= last; ++cpu) {
                if (std::find(usable.begin(), usable.end(), cpu) == usable.end()) {
                    throw InputError("--cpus " + options.cpus + ": processor " + std::to_string(cpu) +
                                     " is not one that this process may use; it may use " +
                                     ranges_text(usable));
                }
                if (std::find(chosen.begin(), chosen.end(), cpu) == chosen.end()) chosen.push_back(cpu);
            }
        }
    }
    if (options.threads > static_cast<int>(chosen.size())) {
        throw InputError("--threads " + std::to_string(options.threads) + ": only " +
                         std::to_string(chosen.size()) + (chosen.size() == 1 ? " processor" : " processors") +
                         " may be used here (" + ranges_text(chosen) + "); ask for at most that many");
    }
    if (options.threads > 0) chosen.resize(static_cast<std::size_t>(options.threads));
    return chosen;
}

std::string home_folder() {
    return own_home().folder.string();
}

}  // namespace rooftune
