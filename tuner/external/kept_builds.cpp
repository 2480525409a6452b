#include "tuner/external/kept_builds.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/text_width.h"
#include "tuner/external/compiled.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 50000;
constexpr std::size_t kMostMessage = 1500;  // of a build: its end says why it failed

std::string key_of(const std::vector<std::string>& words) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::string& word : words) {
        for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        hash = (hash ^ 256U) * 0x100000001b3U;
    }
    return fmt::format("{:016x}", hash);
}

// What later builds are made of and no run needs: it stays as the last build left it.
bool is_intermediate(const fs::path& file) {
    constexpr std::array<std::string_view, 8> kEndings{".o",  ".obj", ".a",   ".d",
                                                       ".lo", ".la",  ".gch", ".pch"};
    return std::find(kEndings.begin(), kEndings.end(), file.extension().string()) != kEndings.end();
}

std::string read_whole(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Names are separated by zeros, which no name has.
std::vector<std::string> names_in(const fs::path& path) {
    const std::string text = read_whole(path);
    std::vector<std::string> names;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\0', from), text.size());
        names.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return names;
}

void write_names(const fs::path& path, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + '\0';
    write_atomically(path.string(), text);
}

// A copy with the time and the rights of the original, in place of what is there: a program that runs keeps
// the file that it was started from.
void copy_over(const fs::path& from, const fs::path& to) {
    const fs::path part = to.string() + ".rooftune-part";
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
    if (!error) fs::last_write_time(part, fs::last_write_time(from), error);
    if (!error) fs::rename(part, to, error);
    if (!error) return;
    const std::string why = error.message();
    fs::remove(part, error);
    throw EnvironmentError(from.string() + " cannot be copied to " + to.string() + ": " + why);
}

std::string end_of(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.size() > kMostMessage) message = "…" + message.substr(message.size() - kMostMessage);
    return message;
}

}  // namespace

// In the store: `last`, the key of the build whose files all lie in the folder, absent while one is under way
// or after one that failed; `products`, the names of files that builds changed and that were there before;
// `made`, of those that were not; `left`, how those files were left; KEY.names, the names of the files that
// are kept of a build; KEY.INDEX, the files.
KeptBuilds::KeptBuilds(std::string folder, std::string store)
    : folder_(std::move(folder)), store_(std::move(store)) {}

KeptBuilds::Listing KeptBuilds::listing() const {
    Listing found;
    std::error_code error;
    fs::recursive_directory_iterator at(folder_, fs::directory_options::skip_permission_denied, error), end;
    for (std::size_t seen = 0; at != end; at.increment(error)) {
        if (error) break;
        const bool is_hidden = at->path().filename().string().starts_with('.') && at->is_directory(error);
        if (is_hidden || at->path() == store_) {
            at.disable_recursion_pending();
            continue;
        }
        const std::optional<Seen> file = seen_at(at->path().string());
        if (!file) continue;
        if (++seen > kMostFiles)
            throw EnvironmentError(fmt::format(
                "below {} lie more than {} files, too many to see what a build changes; put the program "
                "into a folder of its own",
                folder_, kMostFiles));
        found[fs::relative(at->path(), folder_, error).string()] = *file;
    }
    return found;
}

std::optional<KeptBuilds::Seen> KeptBuilds::seen_at(const std::string& file) {
    struct stat facts {};
    if (lstat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
    return Seen{facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec,
                static_cast<std::uint64_t>(facts.st_size), facts.st_ino};
}

KeptBuilds::Listing KeptBuilds::left() const {
    Listing found;
    const std::vector<std::string> texts = names_in(fs::path(store_) / "left");
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2) {
        Seen seen;
        std::istringstream(texts[i + 1]) >> seen.changed >> seen.bytes >> seen.inode;
        found[texts[i]] = seen;
    }
    return found;
}

void KeptBuilds::write_left(const Listing& left) const {
    std::vector<std::string> texts;
    for (const auto& [name, seen] : left) {
        texts.push_back(name);
        texts.push_back(fmt::format("{} {} {}", seen.changed, seen.bytes, seen.inode));
    }
    write_names(fs::path(store_) / "left", texts);
}

bool KeptBuilds::is_of_others(const std::string& name, const Listing& left) const {
    const std::string file = (fs::path(folder_) / name).string();
    const std::optional<Seen> now = seen_at(file);
    const auto was = left.find(name);
    return now && was != left.end() && was->second != *now && access(file.c_str(), X_OK) != 0;
}

// A file that a later build changed, and that this one found made, is not among what is kept of it.
bool KeptBuilds::is_kept(const std::string& key) const {
    const fs::path names = fs::path(store_) / (key + ".names");
    std::error_code error;
    if (!fs::exists(names, error)) return false;
    const std::vector<std::string> kept = names_in(names);
    const std::set<std::string> has(kept.begin(), kept.end());
    const std::vector<std::string> products = names_in(fs::path(store_) / "products");
    return std::all_of(products.begin(), products.end(), [&](const auto& p) { return has.contains(p); });
}

void KeptBuilds::keep(const std::string& key, const std::vector<std::string>& names) const {
    std::error_code error;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const fs::path file = fs::path(folder_) / names[i];
        if (fs::exists(file, error)) copy_over(file, fs::path(store_) / fmt::format("{}.{}", key, i));
    }
    write_names(fs::path(store_) / (key + ".names"), names);
}

void KeptBuilds::put_back(const std::string& key) const {
    const std::vector<std::string> names = names_in(fs::path(store_) / (key + ".names"));
    Listing left = this->left();
    std::error_code error;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (is_of_others(names[i], left)) continue;
        const fs::path kept = fs::path(store_) / fmt::format("{}.{}", key, i);
        const fs::path file = fs::path(folder_) / names[i];
        if (fs::exists(kept, error)) {
            copy_over(kept, file);
        } else {
            fs::remove(file, error);
        }
        left.erase(names[i]);
        if (const std::optional<Seen> now = seen_at(file.string())) left[names[i]] = *now;
    }
    write_left(left);
}

void KeptBuilds::run(const std::vector<std::string>& build) const {
    // Into a file: a build may print more than is read of a program's output.
    const std::string log = (fs::path(store_) / "log").string();
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" >\"$0\" 2>&1", log};
    words.insert(words.end(), build.begin(), build.end());
    const Execution done =
        execute(words, compile_limit(),
                {.folder = folder_, .limit_flag = "$ROOFTUNE_COMPILE_LIMIT", .own_group = false});
    if (done.end == Execution::End::exited && done.status == 0) return;
    if (done.end == Execution::End::interrupted) throw EnvironmentError("interrupted while it was built");
    const std::string said = end_of(printable(read_whole(log)));
    throw VariantError(VariantError::Kind::build, "the build `" + printable(shell_line(build)) + "`: " +
                                                      done.detail + (said.empty() ? "" : "\n" + said));
}

void KeptBuilds::use(const std::vector<std::string>& build, bool names_differ) {
    const std::string key = key_of(build);
    if (key == current_) return;
    const fs::path store(store_);
    make_folder(store_);
    std::error_code error;
    if (is_kept(key)) {
        put_back(key);
        current_ = key;
        return;
    }
    // A build finds what the one before it left, whatever was put back since.
    const std::string last = read_whole(store / "last");
    if (!last.empty() && last != current_) put_back(last);
    current_.clear();
    fs::remove(store / "last", error);
    const Listing before = listing();
    std::optional<VariantError> failure;
    try {
        run(build);
    } catch (const VariantError& own) {
        failure = own;  // what it has written until then is a build's all the same
    }
    std::vector<std::string> products = names_in(store / "products"), made = names_in(store / "made");
    Listing left = this->left();
    bool changed = false;
    for (const auto& [name, seen] : listing()) {
        const auto old = before.find(name);
        if (old != before.end() && old->second == seen) continue;
        changed = true;
        if (is_intermediate(name)) continue;
        left[name] = seen;
        std::vector<std::string>& known = old != before.end() ? products : made;
        if (std::find(products.begin(), products.end(), name) == products.end() &&
            std::find(known.begin(), known.end(), name) == known.end())
            known.push_back(name);
    }
    write_left(left);
    if (failure) throw *failure;
    if (!changed && !last.empty() && last != key && !names_differ) {
        throw VariantError(VariantError::Kind::build,
                           "the build `" + printable(shell_line(build)) + "` changed no file below " +
                               folder_ +
                               ", after one with other values: it would be the same program; have it build "
                               "anew, as `make -B` does");
    }
    for (std::vector<std::string>* names : {&products, &made})
        std::erase_if(*names, [&](const std::string& name) { return is_of_others(name, left); });
    write_names(store / "products", products);
    write_names(store / "made", made);
    std::erase_if(made, [&](const std::string& name) {
        return std::find(products.begin(), products.end(), name) != products.end();
    });
    products.insert(products.end(), made.begin(), made.end());
    keep(key, products);
    write_atomically((store / "last").string(), key);
    current_ = key;
}

}  // namespace rooftune::external
