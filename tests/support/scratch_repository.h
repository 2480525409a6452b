// A git repository for a test: commits with given files, dates and author, whatever the user's own
// configuration says.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/process.h"

namespace rooftune::test {

/// Whether git is installed; without it a test says that it is skipped.
inline bool has_git() {
    const bool there = run({"/usr/bin/env", "git", "--version"}).status == 0;
    if (!there) WARN("skipped: git is not installed");
    return there;
}

class ScratchRepository {
public:
    ScratchRepository() {
        for (const auto& [name, value] :
             {std::pair{"GIT_CONFIG_GLOBAL", "/dev/null"}, std::pair{"GIT_CONFIG_NOSYSTEM", "1"},
              std::pair{"GIT_AUTHOR_NAME", "Some Body"}, std::pair{"GIT_AUTHOR_EMAIL", "some@body"},
              std::pair{"GIT_COMMITTER_NAME", "Some Body"}, std::pair{"GIT_COMMITTER_EMAIL", "some@body"}})
            setenv(name, value, 1);
        git({"init", "-q", "-b", "main"});
    }

    std::string path() const { return folder_.path(); }

    /// What git printed, without the newline at its end.
    std::string git(std::vector<std::string> words) const {
        words.insert(words.begin(), {"/usr/bin/env", "git", "-C", path()});
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        std::string out = f.out;
        while (!out.empty() && out.back() == '\n') out.pop_back();
        return out;
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    /// A commit with these files written; seconds go up by one from commit to commit. Returns its hash.
    std::string commit(const std::map<std::string, std::string>& files, const std::string& title) const {
        for (const auto& [name, text] : files) {
            write(name, text);
            git({"add", name});
        }
        const std::string date = "@" + std::to_string(1767225600 + ++commits_) + " +0000";
        setenv("GIT_AUTHOR_DATE", date.c_str(), 1);
        setenv("GIT_COMMITTER_DATE", date.c_str(), 1);
        git({"commit", "-q", "--allow-empty", "-m", title});
        return git({"rev-parse", "HEAD"});
    }

    /// Many commits without files, quickly.
    void many_commits(int n) const {
        std::string stream;
        for (int i = 0; i < n; ++i) {
            stream += "commit refs/heads/main\ncommitter Some Body <some@body> " +
                      std::to_string(1800000000 + i) + " +0000\ndata 4\nmany\n";
            if (i == 0) stream += "from refs/heads/main^0\n";
            stream += "\n";
        }
        write("stream", stream);
        const Finished f =
            run({"/bin/sh", "-c",
                 "cd '" + path() + "' && git fast-import --quiet <stream && git reset -q --hard"});
        INFO(f.error);
        REQUIRE(f.status == 0);
    }

private:
    TemporaryFolder folder_;
    mutable int commits_ = 0;
};

}  // namespace rooftune::test
