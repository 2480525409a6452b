// A store that lost its end, at every 512th byte: whatever is there afterwards plus whatever is said to be
// lost is what was written. Never fewer in silence.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/small_disk.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/store.h"
#include "tuner/store/store_mark.h"
#include "tuner/store/store_source.h"
#include "tuner/store/write_ahead_log.h"

using namespace rooftune;
using Catch::Contains;
using test::bytes_of;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::put_bytes;
using test::SmallDisk;
using test::spawn;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

constexpr int kRecords = 60;
constexpr std::size_t kStep = 512;

void fill(Store& store, int records = kRecords) {
    const JobId id = store.job(example_key());
    const RunId run = store.start_run(id);
    for (int i = 0; i < records; ++i) {
        store.journal_start(id, example_variant(i));
        store.add(id, example_variant(i), example_record(i), run);
        if (i % 10 == 0) store.add_history({{0, "m", "k", std::to_string(i), "2024-05-31T17:04:59Z", "{}"}});
    }
    store.finish_run(run, R"({"certificate": {}, "text": ")" + std::string(6000, 'x') + "\"}");
}

struct Found {
    std::set<std::string> variants;
    int records = 0, lost = 0, history = 0;
    bool whole_result = false, as_written = true;
    std::vector<std::string> notices;
    std::string refused;
};

/// Records that the notices own up to.
int confessed(const std::vector<std::string>& notices) {
    static const std::regex kRepair(
        R"(records of \d+ jobs? were kept, (?:at least )?(\d+) could not be read)");
    static const std::regex kGone(R"(: (\d+) records?[ ,].*had been stored are gone)");
    static const std::regex kLeftOut(R"(, record \d+: .*left out)");
    int lost = 0;
    for (const std::string& notice : notices) {
        std::smatch found;
        if (std::regex_search(notice, found, kRepair) || std::regex_search(notice, found, kGone))
            lost += std::stoi(found[1]);
        else if (std::regex_search(notice, kLeftOut))
            ++lost;
    }
    return lost;
}

Found look(const std::string& path) {
    Found found;
    try {
        Store store(path);
        for (const JobSummary& job : store.jobs())
            for (const StoredRecord& stored : store.records(job.id)) {
                // What is there is what was written.
                const int number = std::stoi(stored.record.variant.at("chunk"));
                found.as_written = found.as_written &&
                                   stored.record.slots[0].seconds == example_record(number).slots[0].seconds;
                found.variants.insert(stored.variant);
                ++found.records;
            }
        for (const RunSummary& run : store.runs())
            found.whole_result = found.whole_result || run.result.size() > 6000;
        found.history = static_cast<int>(store.history().size());
        found.notices = store.notices();
        found.lost = confessed(found.notices);
    } catch (const EnvironmentError& error) {
        found.refused = error.what();
    } catch (const InputError& error) {
        found.refused = error.what();
    }
    return found;
}

void judge(const Found& found, bool counted, int written = kRecords) {
    for (const std::string& notice : found.notices) UNSCOPED_INFO(notice);
    CHECK(found.refused == "");
    CHECK(found.as_written);
    CHECK(static_cast<int>(found.variants.size()) == found.records);
    if (counted)
        CHECK(found.records + found.lost == written);
    else if (found.records < written)
        CHECK_FALSE(found.notices.empty());
    if (!found.whole_result || found.history < (written + 9) / 10) CHECK_FALSE(found.notices.empty());
}

/// Folders in memory where that can be had: thousands of repairs wait for no device.
class Places {
public:
    std::string fresh() {
        fs::remove_all(folder_);
        folder_ = disk_.file(std::to_string(++count_));
        fs::create_directory(folder_);
        return folder_ + "/rooftune.db";
    }

private:
    SmallDisk disk_{std::size_t{64} << 20};
    std::string folder_;
    int count_ = 0;
};

void copy_beside(const std::string& from, const std::string& to, bool with_mark) {
    fs::copy_file(from, to);
    if (with_mark) fs::copy_file(from + ".mark", to + ".mark");
}

}  // namespace

TEST_CASE("store: a file cut at every 512th byte is repaired, and kept and lost make up what was written",
          "[store][faults][cut]") {
    const bool with_mark = GENERATE(true, false);
    Places source, places;
    const std::string path = source.fresh();
    {
        Store store(path);
        fill(store);
    }
    REQUIRE_FALSE(fs::exists(path + "-wal"));
    const std::string whole = bytes_of(path);
    REQUIRE(whole.size() > 20'000);
    int repaired = 0;
    // Without a mark a repair looks for rows far beyond the tear, which takes its time.
    const std::size_t step = with_mark ? kStep : 5 * kStep;
    for (std::size_t bytes = whole.size() % step; bytes <= whole.size(); bytes += step) {
        INFO("cut to " << bytes << " of " << whole.size() << (with_mark ? "" : " without its mark"));
        const std::string cut = places.fresh();
        copy_beside(path, cut, with_mark);
        fs::resize_file(cut, bytes);
        const StoreState state = check_store(cut);  // changes nothing
        CHECK(fs::file_size(cut) == bytes);
        CHECK(state.whole() == (bytes == whole.size()));
        const Found found = look(cut);
        judge(found, with_mark);
        if (bytes < whole.size()) CHECK_FALSE(found.notices.empty());
        if (bytes == whole.size()) CHECK(found.records == kRecords);
        repaired += found.records > 0 && found.records < kRecords;
        CHECK(look(cut).notices.empty());  // said once; what is left is whole
        CHECK(check_store(cut).whole());
    }
    CHECK(repaired > (with_mark ? 20 : 4));
}

TEST_CASE("store: a write-ahead log cut at every 512th byte loses nothing in silence",
          "[store][faults][cut]") {
    const bool with_mark = GENERATE(true, false);
    constexpr int kFew = 14;
    Places source, places;
    const std::string path = source.fresh();
    CHECK(ended(spawn([&] {
              Store store(path);
              fill(store, kFew);
              std::raise(SIGKILL);  // leaves the log behind
          })) == 128 + SIGKILL);
    const std::string log = bytes_of(path + "-wal");
    REQUIRE(log.size() > 200'000);
    const std::string main_file = bytes_of(path), mark = bytes_of(path + ".mark");
    int fewer = 0, silent = 0;
    for (std::size_t bytes = 0; bytes <= log.size(); bytes += kStep) {
        INFO("log cut to " << bytes << " of " << log.size());
        const std::string cut = places.fresh();
        put_bytes(cut, main_file);
        put_bytes(cut + "-wal", log.substr(0, bytes));
        if (with_mark) put_bytes(cut + ".mark", mark);
        const bool between = !ends_within_commit(std::string_view(log).substr(0, bytes));
        silent += !with_mark && between;
        const Found found = look(cut);
        // Where a log ends between commits, and nothing beside it knows more, nobody can.
        if (with_mark || !between) judge(found, with_mark, kFew);
        fewer += found.records < kFew;
        if (bytes % (kStep * 16) == 0) CHECK(look(cut).notices.empty());
    }
    CHECK(fewer > 100);
    CHECK(silent <= 5);  // the empty log, the whole one, and few between
    // And whole, it is.
    const Found all = look(path);
    CHECK(all.records == kFew);
    CHECK(all.notices.empty());
}

TEST_CASE("store: a file cut under its write-ahead log, and a log without its file", "[store][faults][cut]") {
    Places source, places;
    const std::string path = source.fresh();
    {
        Store store(path);
        fill(store);  // into the file
    }
    constexpr int kMore = 5;
    CHECK(ended(spawn([&] {
              Store store(path);
              const JobId id = store.job(example_key());
              for (int i = 0; i < kMore; ++i)
                  store.add(id, example_variant(kRecords + i), example_record(kRecords + i));
              std::raise(SIGKILL);
          })) == 128 + SIGKILL);
    const std::string main_file = bytes_of(path), log = bytes_of(path + "-wal"),
                      mark = bytes_of(path + ".mark");
    REQUIRE(log.size() > 10'000);
    for (std::size_t bytes = 0; bytes <= main_file.size(); bytes += kStep) {
        INFO("cut to " << bytes << " of " << main_file.size() << ", with a log");
        const std::string cut = places.fresh();
        put_bytes(cut, main_file.substr(0, bytes));
        put_bytes(cut + "-wal", log);
        put_bytes(cut + ".mark", mark);
        const Found found = look(cut);
        for (const std::string& notice : found.notices) UNSCOPED_INFO(notice);
        CHECK(found.refused == "");
        CHECK(found.records + found.lost == kRecords + kMore);
    }
    // The file is gone, its log is not: what the log has of it is no reason to begin anew in silence.
    const TemporaryFolder folder;
    put_bytes(folder.file("rooftune.db-wal"), log);
    put_bytes(folder.file("rooftune.db.mark"), mark);
    const Found found = look(folder.file("rooftune.db"));
    CHECK_FALSE(found.notices.empty());
    CHECK(found.records + found.lost == kRecords + kMore);
}

TEST_CASE("store: what a mark knows of and is not there is said once", "[store][faults][mark]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db"), old = folder.file("old.db");
    {
        Store store(path);
        const JobId id = store.job(example_key());
        store.add(id, "a", example_record(1));
    }
    fs::copy_file(path, old);
    {
        Store store(path);
        const JobId id = store.job(example_key());
        const RunId run = store.start_run(id);
        store.add(id, "b", example_record(2), run);
        store.add(id, "c", example_record(3), run);
        store.finish_run(run, "{}");
    }
    fs::copy_file(old, path, fs::copy_options::overwrite_existing);
    {
        const Store store(path);
        REQUIRE(store.notices().size() == 1);
        CHECK_THAT(store.notices()[0],
                   Contains(path + ": 2 records and 1 run that had been stored are gone"));
    }
    CHECK(Store(path).notices().empty());
    // Another store in its place is no loss.
    {
        JobKey other = example_key();
        other.state = "cold";
        Store store(folder.file("other.db"));
        store.job(other);
    }
    fs::copy_file(folder.file("other.db"), path, fs::copy_options::overwrite_existing);
    CHECK(Store(path).notices().empty());
    // A file that was emptied.
    put_bytes(path, "");
    const auto notices = Store(path).notices();
    REQUIRE(notices.size() == 1);
    CHECK_THAT(notices[0], Contains("1 job that had been stored are gone") || Contains("without a byte"));
    fs::remove(path + ".mark");
    put_bytes(path, "");
    REQUIRE(Store(path).notices().size() == 1);
    // A file that was deleted, with what was in it.
    {
        Store store(path);
        store.add(store.job(example_key()), "a", example_record(1));
    }
    fs::remove(path);
    const auto deleted = Store(path).notices();
    REQUIRE(deleted.size() == 1);
    CHECK_THAT(deleted[0],
               Contains("is a new store; the one that was here, with 1 record and 1 job, is gone"));
    CHECK(Store(path).notices().empty());
}

TEST_CASE("mark: text, order and what is missing", "[store][mark]") {
    const StoreMark mark{-5, 1, 2, 3, 4, 2};
    CHECK(mark_from(mark_text(mark)) == mark);
    CHECK(mark_text({}).size() ==
          mark_text({std::numeric_limits<std::int64_t>::min(), 1, 1, 1 << 30, 9, 0}).size());
    CHECK(mark_from(mark_text({std::numeric_limits<std::int64_t>::max(), 0, 0, 0, 0, 0}))->origin ==
          std::numeric_limits<std::int64_t>::max());
    const std::string text = mark_text(mark);
    for (std::size_t bytes = 0; bytes < text.size(); ++bytes) CHECK_FALSE(mark_from(text.substr(0, bytes)));
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string changed = text;
        changed[at] = changed[at] == '7' ? '8' : '7';
        CHECK_FALSE(mark_from(changed));
    }
    CHECK(raised(mark, {0, 3, 1, 9, 4, 2}) == StoreMark{-5, 3, 2, 9, 4, 2});
    CHECK(raised({}, mark) == mark);

    CHECK_FALSE(missing_rows(mark, mark).any());
    CHECK_FALSE(missing_rows({}, mark).any());
    CHECK_FALSE(missing_rows(mark, {6, 0, 0, 0, 0, 0}).any());  // another store
    const MissingRows all = missing_rows(mark, {});
    CHECK(phrase(all) == "3 records, 2 runs, 1 job and 4 rows of history");
    CHECK(phrase(missing_rows(mark, {-5, 1, 2, 3, 4, 1})) == "the result of a run");
    CHECK(phrase(missing_rows(mark, {-5, 1, 1, 2, 4, 1})) == "1 record and 1 run");
    CHECK(phrase({}) == "");
}

TEST_CASE("log: where it ends, at every byte", "[store][wal]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("t.db");
    CHECK(ended(spawn([&] {
              Database database(path, Database::Access::write);
              database.text("PRAGMA journal_mode = WAL");
              database.run("CREATE TABLE t (x); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)");
              std::raise(SIGKILL);
          })) == 128 + SIGKILL);
    const std::string log = bytes_of(path + "-wal");
    constexpr std::size_t kFrame = 24 + 4096;
    REQUIRE((log.size() - 32) % kFrame == 0);
    REQUIRE(log.size() >= 32 + 4 * kFrame);
    CHECK_FALSE(ends_within_commit(log));
    CHECK_FALSE(ends_within_commit(""));
    CHECK_FALSE(log_ends_within_commit(folder.file("none.db")));
    std::size_t ends = 0;
    for (std::size_t bytes = 1; bytes < log.size(); bytes += bytes % kFrame < 64 ? 1 : 97) {
        if (ends_within_commit(std::string_view(log).substr(0, bytes))) continue;
        CHECK((bytes - 32) % kFrame == 0);
        ++ends;
    }
    CHECK(ends >= 1);  // the header alone, and the first two commits where the steps meet them
    // Frames of an earlier use, whole or torn, are no part of it.
    std::string used = log.substr(0, 32 + kFrame);
    for (std::size_t at = 32 + kFrame; at < log.size(); at += kFrame) {
        std::string frame = log.substr(at, kFrame);
        frame[9] = static_cast<char>(frame[9] + 1);
        used += frame;
    }
    CHECK(ends_within_commit(used) == ends_within_commit(log.substr(0, 32 + kFrame)));
    used.resize(used.size() - 100);
    CHECK(ends_within_commit(used) == ends_within_commit(log.substr(0, 32 + kFrame)));
    // A changed byte is a frame that was not finished.
    std::string changed = log;
    changed[log.size() - 5] = static_cast<char>(changed[log.size() - 5] + 1);
    CHECK(ends_within_commit(changed));
    changed = log;
    changed[3] = 'x';
    CHECK(ends_within_commit(changed));
}
