// Questions to git, in repositories that are made for them. Skipped, visibly, where git is not installed.
#include "tuner/track/git.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_repository.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace fs = std::filesystem;

TEST_CASE("what is no repository is told from one") {
    if (!has_git()) return;
    const TemporaryFolder folder;
    CHECK_FALSE(Git(folder.path()).there());
    CHECK_FALSE(Git(folder / "none").there());
    const ScratchRepository repository;
    CHECK(Git(repository.path()).there());
    CHECK_FALSE(Git(repository.path()).resolve("HEAD"));  // no commit yet
}

TEST_CASE("commits: hash, author, date, title; revisions of any kind") {
    if (!has_git()) return;
    const ScratchRepository repository;
    const std::string first = repository.commit({{"a", "1"}}, "First: a \"title\" with | and ü");
    const std::string second = repository.commit({{"a", "2"}}, "Second");
    const Git git(repository.path());
    CHECK(git.resolve("HEAD") == second);
    CHECK(git.resolve("HEAD~1") == first);
    CHECK(git.resolve(first.substr(0, 8)) == first);
    CHECK_FALSE(git.resolve("no-such-branch"));
    CHECK_FALSE(git.resolve("--help"));
    CHECK_FALSE(git.resolve(""));
    const Commit commit = git.commit(first);
    CHECK(commit.hash == first);
    CHECK(commit.author == "Some Body");
    CHECK(commit.title == "First: a \"title\" with | and ü");
    CHECK(commit.date == "2026-01-01T00:00:01Z");
    CHECK_THROWS_AS(git.commit("0000000000000000000000000000000000000000"), InputError);
    CHECK(git.is_ancestor(first, second));
    CHECK_FALSE(git.is_ancestor(second, first));
    CHECK(git.between(first, second) == std::vector{second});
    CHECK(git.between(second, second).empty());
}

TEST_CASE("tracked files that differ make it dirty, others do not") {
    if (!has_git()) return;
    const ScratchRepository repository;
    repository.commit({{"a", "1"}}, "First");
    const Git git(repository.path());
    CHECK_FALSE(git.is_dirty());
    repository.write("untracked", "x");
    CHECK_FALSE(git.is_dirty());
    repository.write("a", "changed");
    CHECK(git.is_dirty());
}

TEST_CASE("commits between two follow first parents, and all of more than a thousand are listed") {
    if (!has_git()) return;
    const ScratchRepository repository;
    const std::string base = repository.commit({{"a", "0"}}, "base");
    repository.git({"checkout", "-q", "-b", "side"});
    const std::string aside = repository.commit({{"side", "1"}}, "aside");
    repository.git({"checkout", "-q", "main"});
    const std::string ours = repository.commit({{"a", "1"}}, "ours");
    repository.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
    const Git git(repository.path());
    const std::vector<std::string> between = git.between(base, git.resolve("HEAD").value());
    REQUIRE(between.size() == 2);
    CHECK(between[0] == ours);
    repository.many_commits(2100);
    const std::vector<std::string> many = git.between(base, git.resolve("HEAD").value());
    CHECK(many.size() == 2102);
    CHECK(many.front() == ours);
    CHECK(many.back() == git.resolve("HEAD"));
}

TEST_CASE("a GOOD that came in by a merge is refused, and the commit of the line is named") {
    if (!has_git()) return;
    const ScratchRepository repository;
    const std::string base = repository.commit({{"a", "0"}}, "base");
    repository.git({"checkout", "-q", "-b", "side"});
    repository.commit({{"side", "0"}}, "begins the branch");
    const std::string aside = repository.commit({{"side", "1"}}, "makes it fast");
    repository.git({"checkout", "-q", "main"});
    const std::string ours = repository.commit({{"a", "1"}}, "ours");
    repository.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
    const std::string merge = repository.git({"rev-parse", "HEAD"});
    const std::string bad = repository.commit({{"a", "2"}}, "bad");
    const Git git(repository.path());
    CHECK_THROWS_WITH(git.between(aside, bad),
                      Contains("GOOD " + aside.substr(0, 12)) && Contains("give " + base));
    CHECK_THROWS_AS(git.between(aside, bad), InputError);
    CHECK(git.between(base, bad) == std::vector{ours, merge, bad});
    CHECK(git.between(merge, bad) == std::vector{bad});
    // A line of its own, which shares no commit with GOOD's but for the merge.
    repository.git({"checkout", "-q", "--orphan", "other"});
    repository.commit({{"b", "1"}}, "another root");
    repository.git({"merge", "-q", "--no-ff", "--allow-unrelated-histories", "-m", "joins", "main"});
    CHECK_THROWS_WITH(git.between(bad, git.resolve("HEAD").value()), Contains("git log --first-parent"));
}

TEST_CASE("working trees are made, moved, and gone at the end; the checkout is not touched") {
    if (!has_git()) return;
    const ScratchRepository repository;
    const std::string first = repository.commit({{"a", "1"}}, "First");
    const std::string second = repository.commit({{"a", "2"}, {"b", "2"}}, "Second");
    repository.write("a", "mine");
    // A hook that would spoil it is not run.
    const std::string hook = repository.path() + "/.git/hooks/post-checkout";
    std::ofstream(hook) << "#!/bin/sh\ntouch '" << repository.path() << "/hooked'\n";
    fs::permissions(hook, fs::perms::owner_all);
    const Git git(repository.path());
    std::string tree;
    {
        Worktrees trees(git);
        tree = trees.at("tried", first, false);
        CHECK(contents(tree + "/a") == "1");
        CHECK_FALSE(fs::exists(tree + "/b"));
        std::ofstream(tree + "/built") << "x";
        std::ofstream(tree + "/a") << "spoilt by a build";
        CHECK(trees.at("tried", second, false) == tree);
        CHECK(contents(tree + "/a") == "2");
        CHECK(fs::exists(tree + "/built"));
        trees.at("tried", first, true);
        CHECK(contents(tree + "/a") == "1");
        CHECK_FALSE(fs::exists(tree + "/built"));
        CHECK_THROWS_AS(trees.at("other", "0000000000000000000000000000000000000000", false),
                        EnvironmentError);
    }
    CHECK_FALSE(fs::exists(fs::path(tree).parent_path()));
    CHECK(repository.git({"worktree", "list"}).find('\n') ==
          repository.git({"worktree", "list"}).rfind('\n'));
    CHECK(contents(repository.path() + "/a") == "mine");
    CHECK_FALSE(fs::exists(repository.path() + "/hooked"));
    CHECK(git.resolve("HEAD") == second);
}

TEST_CASE("what a process that was killed has left is removed by the next one, and not while it lives") {
    if (!has_git()) return;
    const ScratchRepository repository;
    const std::string first = repository.commit({{"a", "1"}}, "First");
    const Git git(repository.path());
    const pid_t killed = fork();
    REQUIRE(killed >= 0);
    if (killed == 0) {
        Worktrees trees(git);
        trees.at("good", first, false);
        trees.at("tried", first, false);
        _exit(0);
    }
    waitpid(killed, nullptr, 0);
    const std::vector<std::string> left = git.worktrees();
    REQUIRE(left.size() == 3);
    CHECK(fs::exists(left[1] + "/a"));
    {
        Worktrees living(git);
        const std::string tree = living.at("good", first, false);
        CHECK_FALSE(fs::exists(fs::path(left[1]).parent_path()));
        const Worktrees beside(git);
        CHECK(contents(tree + "/a") == "1");
        CHECK(git.worktrees().size() == 2);
    }
    CHECK(git.worktrees().size() == 1);
}
