#include "tests/fuzz/targets.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "kernels/runtime/error.h"
#include "kernels/sparse/matrix_market.h"
#include "tests/fuzz/node_messages.h"
#include "tuner/base/gzip.h"
#include "tuner/base/text_lines.h"
#include "tuner/command/command_line.h"
#include "tuner/engine/job.h"
#include "tuner/external/array_file.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/family.h"
#include "tuner/external/kernel_document.h"
#include "tuner/external/program_description.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/measured_points.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/import/likwid.h"
#include "tuner/import/ncu.h"
#include "tuner/import/torch.h"
#include "tuner/ladder/json.h"
#include "tuner/measure/noise_history.h"
#include "tuner/measure/protocol.h"
#include "tuner/program/commands.h"
#include "tuner/replay/recorded_space.h"
#include "tuner/store/store.h"
#include "tuner/store/store_mark.h"
#include "tuner/track/entry.h"

namespace rooftune::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr double kMemory = 64e6;  // bytes, told to readers that ask how much there is

std::string contents(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// Files of a folder of the checkout whose names end so; a target without seeds would read nothing, and
// all_targets() is asked by a test whether each has some.
std::vector<std::string> seeds_in(const fs::path& folder, const std::vector<std::string>& endings,
                                  std::size_t most = std::size_t{1} << 16) {
    std::vector<fs::path> paths;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        const auto ends_so = [&](const std::string& ending) { return name.ends_with(ending); };
        if (std::any_of(endings.begin(), endings.end(), ends_so) && entry.file_size(none) <= most)
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> seeds;
    for (const fs::path& path : paths) seeds.push_back(contents(path));
    return seeds;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// A reader of a file by its name: the bytes become that file.
std::function<void(const std::string&)> of_file(const std::string& path,
                                                std::function<void(const std::string&)> read) {
    return [path, read = std::move(read)](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        read(path);
    };
}

// A reader that says something, or nothing.
template <class Read>
std::function<std::string(const std::string&)> saying(Read read) {
    return [read = std::move(read)](const std::string& bytes) -> std::string {
        if constexpr (std::is_void_v<std::invoke_result_t<Read, const std::string&>>) {
            read(bytes);
            return {};
        } else {
            return read(bytes);
        }
    };
}

// What guided runs found worth keeping (tests/fuzz/corpus.py): a string of JSON a line, whose characters are
// bytes.
std::vector<std::string> corpus_of(const fs::path& path) {
    std::vector<std::string> seeds;
    std::ifstream lines(path);
    for (std::string line; std::getline(lines, line);) {
        std::string bytes;
        const auto text = nlohmann::json::parse(line).get<std::string>();
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = static_cast<unsigned char>(text[i]);
            // U+0080 to U+00FF take two bytes of UTF-8.
            if (c < 0x80) {
                bytes += text[i];
            } else if (++i < text.size()) {
                bytes += static_cast<char>(((c & 3U) << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU));
            }
        }
        seeds.push_back(bytes);
    }
    return seeds;
}

std::vector<std::string> matrices() {
    return {
        "%%MatrixMarket matrix coordinate real general\n% made\n3 3 4\n1 1 1.5\n2 2 -2e3\n3 1 4\n3 3 5\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 3\n4 2\n",
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 7\n3 2 -1\n",
        "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 -4\n",
    };
}

// NumPy's header, version 1, then so many bytes of elements.
std::string npy(const std::string& header, std::size_t bytes) {
    std::string text = "\x93NUMPY";
    text += '\x01';
    text += '\0';
    text += static_cast<char>(header.size() & 0xffU);
    text += static_cast<char>(header.size() >> 8U);
    return text + header + std::string(bytes, '\x3f');
}

std::vector<std::string> messages() {
    MeasureRequest measure;
    RotateRequest rotate;
    rotate.seeds = {1, 2};
    WorkerLine line;
    line.phase = "done";
    line.records.emplace_back();
    line.records.back().slots.push_back({});
    return {to_text(measure), to_text(rotate), to_text(ProbeRequest{}), to_text(line),
            to_text(WorkerSetup{})};
}

std::string read_message(const std::string& bytes) {
    // Whoever reads a line of the pipe takes the library's exceptions for a worker that is out of order.
    nlohmann::json message = nlohmann::json::parse(bytes, nullptr, false);
    if (message.is_discarded()) return "no JSON";
    std::string said;
    const auto as = [&](auto* type) {
        using Message = std::remove_pointer_t<decltype(type)>;
        try {
            message_from<Message>(message);
        } catch (const nlohmann::json::exception& error) {
            said += std::string(error.what()) + "\n";
        }
    };
    as(static_cast<MeasureRequest*>(nullptr));
    as(static_cast<RotateRequest*>(nullptr));
    as(static_cast<ProbeRequest*>(nullptr));
    as(static_cast<WorkerLine*>(nullptr));
    as(static_cast<WorkerSetup*>(nullptr));
    return said;
}

// What a mistaken command line is told, millions of times. ROOFTUNE_FUZZ_LOUD=1 shows a sanitizer's report of
// one input.
class WithoutStandardOutputs {
public:
    WithoutStandardOutputs() {
        if (std::getenv("ROOFTUNE_FUZZ_LOUD")) return;
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        for (int i = 0; i < 2; ++i) {
            kept_[i] = dup(i + 1);
            dup2(nowhere, i + 1);
        }
        close(nowhere);
    }
    ~WithoutStandardOutputs() {
        for (int i = 0; i < 2; ++i) {
            if (kept_[i] < 0) continue;
            dup2(kept_[i], i + 1);
            close(kept_[i]);
        }
    }
    WithoutStandardOutputs(const WithoutStandardOutputs&) = delete;
    WithoutStandardOutputs& operator=(const WithoutStandardOutputs&) = delete;

private:
    int kept_[2] = {-1, -1};
};

// One word a line; nothing is run.
std::string read_command_line(const std::string& bytes, const Registry& registry) {
    CommandLine line("rooftune", "", "rooftune 0");
    Command program = line.root();
    add_all_commands(program, registry);
    std::vector<std::string> words{"rooftune"};
    std::istringstream lines(bytes);
    for (std::string word; words.size() < 200 && std::getline(lines, word);)
        words.push_back(word.substr(0, word.find('\0')));
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const WithoutStandardOutputs silence;
    int status = 0;
    const Action action = line.parse(static_cast<int>(words.size()), arguments.data(), status);
    return action ? "a command" : status == 0 ? "an answer" : "a mistake";
}

// A store with one row in each table but the journal, which is empty when a store is closed.
std::string small_store(const fs::path& folder) {
    const fs::path path = folder / "rooftune.db";
    fs::create_directories(folder);
    {
        Store store(path);
        JobKey key;
        key.family = "spmv";
        key.problem = {{"matrix", "ship.mtx"}, {"dtype", "f64"}};
        key.digest = "d1g3st";
        key.dtype = "f64";
        key.machine_id = "m1";
        const JobId job = store.job(key);
        const RunId run = store.start_run(job);
        Record record;
        record.variant = {{"format", "csr"}};
        record.slots.push_back({1e-3, 4, false});
        record.when = "2024-05-31T17:04:59Z";
        store.add(job, "format=csr", record, run);
        store.add_history({{0, "m1", "kernel", "abc", "2024-05-31T17:04:59Z", "{}"}});
        store.finish_run(run, "{}");
    }
    return contents(path);
}

// What a repair sets aside goes before the next.
std::string read_store(const std::string& bytes, const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "rooftune.db", std::ios::binary) << bytes;
    Store store(folder / "rooftune.db");
    for (const JobSummary& job : store.jobs()) {
        store.records(job.id);
        store.last_result(job.id);
        store.quarantined(job.id);
    }
    store.runs();
    store.history();
    std::string said;
    for (const std::string& notice : store.notices()) said += notice + "\n";
    return said;
}

// As far as `check` goes without a compiler: sizes, space, the first variant.
void read_source(const std::string& bytes, const std::string& name) {
    const external::Instance instance =
        external::instance_of(external::declaration_from(bytes, name), {}, kMemory);
    rooftune::Target target;
    target.threads = 2;
    const Space space = external::make_space(instance, target);
    external::first_variant(instance, space);
    constexpr Bytes kCache{4096.0};
    external::make_work_model(instance, space, target, State::warm)->work({}).traffic.sum_beyond(kCache);
}

const std::vector<std::string> kAnnotationWords{"// rooftune: ",
                                                "size n = ",
                                                "parameter ",
                                                " (flag)",
                                                "where ",
                                                "when ",
                                                "in x f64[n] all\n",
                                                "out y f32[n*m]\n",
                                                "flops ",
                                                "reads ",
                                                "reads_beyond(w) 8*n - w",
                                                "call f(n, x)",
                                                "reference ",
                                                "real a = 2",
                                                "1:1000000000",
                                                "16:1024:x2",
                                                "ceil(",
                                                "min(",
                                                "log2(",
                                                "&& ",
                                                "|| ",
                                                "== ",
                                                "matrix A ",
                                                "threads ",
                                                "<<",
                                                "tolerance ",
                                                "global ",
                                                "local ",
                                                "width ",
                                                "chain_steps ",
                                                "1/0",
                                                "((((((((",
                                                "n^n^n"};
const std::vector<std::string> kJsonWords{"{",    "}",    "[",          "]",     ",", ":",
                                          "null", "true", "\"schema\"", "1e999", "-0"};

// Chosen from what `fuzz --told` shows: neither what every damaged input meets first, nor what only a seed
// meets.
std::string_view deep_in(std::string_view target) {
    static const std::map<std::string_view, std::string_view> kDeep{
        {"machine", "numa_nodes: expected a whole number"},
        {"tuned_config", "at /result/bound/terms/0/"},
        {"tuned_set", "at /groups/0/problems/0/audit/measured"},
        {"results", "at /explanation/levers/0/seconds: expected"},
        {"job", "/problem/ny: expected a text"},
        {"annotations", "is no value of METHOD"},
        {"annotations_opencl", "TX has names for values"},
        {"kernel_document", "at /arrays/y/count"},
        {"description", "there is no size or parameter"},
        {"matrix_market", "is not finite"},
        {"matrix_market_gzip", "the column index"},
        {"gzip", "bytes follow the end"},
        {"ncu", "dram__bytes_read.sum is negative"},
        {"nsys", "is not a time"},
        {"likwid", "neither flops nor memory traffic"},
        {"torch", "Input Dims/0"},
        {"recorded_space", "at /build: expected a text"},
        {"worker_messages", "type must be boolean, but is string"},
        {"node_messages", "at /task/offers/0/values"},
        {"array_file", "in NumPy; declare the array so"},
        {"points", "at /points/0/flops_per_second"},
        {"noise", "at /comparisons/0/difference: expected"},
        {"ladder", "at /rounds: expected a whole number"},
        {"track_entry", "at /seconds/low: expected a number from"},
        {"store_mark", "a mark"},
        {"store", "could not be read"},
        {"command_line", "an answer"},
        {"words", "expected key=value"}};
    const auto found = kDeep.find(target);
    return found == kDeep.end() ? std::string_view() : found->second;
}

}  // namespace

std::string told_of(const Target& target, const std::string& bytes) {
    try {
        return target.read(bytes);
    } catch (const InputError& error) {
        return error.what();
    } catch (const EnvironmentError& error) {
        return error.what();
    }
}

std::vector<Target> all_targets(const std::string& home, const std::string& folder) {
    const fs::path root(home);
    const fs::path documents = root / "tests/golden/documents", import = root / "tests/golden/import",
                   examples = root / "tests/examples/kernels";
    const auto file = [&](const std::string& name) { return folder + "/" + name; };
    static const Registry registry = all_families();
    std::vector<Target> targets;
    const auto add = [&](const std::string& name, std::vector<std::string> seeds,
                         std::vector<std::string> words, auto read, int cost = 1) {
        seeds = joined(std::move(seeds), corpus_of(root / "tests/fuzz/corpus" / (name + ".jsonl")));
        targets.push_back({name,
                           {std::move(words), std::move(seeds)},
                           saying(std::move(read)),
                           cost,
                           std::string(deep_in(name))});
    };
    const std::vector<std::string> recorded = joined(
        seeds_in(root / "tests/golden/export", {".json"}),
        {R"({"results": {}, "tune_params_keys": ["a"], "tune_params": {"a": [1, 2]}, "cache": {"1": {"a": 1, "time": 2.5},)"
         R"( "2": {"a": 2, "time": "InvalidConfig"}}, "device_name": "D", "kernel_name": "k"})"});
    add("machine", seeds_in(root / "configs/machines", {".json"}), kJsonWords,
        [](const std::string& bytes) { parse_machine(bytes, "machine.json"); });
    add("tuned_config", seeds_in(documents, {"tuned_config.json"}), kJsonWords,
        [](const std::string& bytes) { tuned_config_from(parse_json(bytes, "config.json"), "config.json"); });
    add("tuned_set", seeds_in(documents, {"tuned_set.json"}), kJsonWords,
        [](const std::string& bytes) { tuned_set_from(parse_json(bytes, "set.json"), "set.json"); });
    add("results", seeds_in(documents, {"tune_result.json", "tuned_config.json"}), kJsonWords,
        of_file(file("result.json"), [](const std::string& path) { read_results_or_config(path); }));
    add("job", seeds_in(root / "configs/jobs", {".json"}), kJsonWords,
        of_file(file("job.json"), [](const std::string& path) { read_jobs(path, registry); }));
    add("annotations", seeds_in(examples, {".c", ".cpp", ".cl"}), kAnnotationWords,
        [](const std::string& bytes) { read_source(bytes, "mine.cpp"); });
    add("annotations_opencl", seeds_in(examples, {".cl"}), kAnnotationWords,
        [](const std::string& bytes) { read_source(bytes, "mine.cl"); });
    add("kernel_document",
        {R"x({"schema": "rooftune/kernel/1", "source": "mine.c", "sizes": {"n": 64, "m": "2*n"}, "reals": {"a": 2.5}, )x"
         R"x("arrays": {"x": {"direction": "in", "type": "f64", "count": "n", "all": true, "values": "i % 7"}, )x"
         R"x("y": {"direction": "out", "type": "f64", "count": "n"}}, )x"
         R"x("parameters": {"T": [1, 2, 4], "R": "8:32:x2", )x"
         R"x("OPT": {"kind": "flag", "values": ["-O2", ""], "when": "T > 1"}, "threads": [1, "all"]}, )x"
         R"x("where": ["T <= R"], "flops": "2*n", "reads": 8, "writes": "8*n", "chain": "n/T", "reads_beyond": {"w": "n*n - w"}, )x"
         R"x("tolerance": 1e-6, "call": "f(n, a, x, y)", "reference": "f(n, a, x, y)"})x"},
        joined(kJsonWords, kAnnotationWords),
        of_file(file("kernel.json"), [source = file("mine.c")](const std::string& path) {
            std::ofstream(source) << "void f(int n, double a, const double* x, double* y);\n";
            external::kernel_document(path);
        }));
    add("description",
        {"command ./bench --tile {tile}\nparameter tile 8:512:x2\ntime printed\nflops 2*tile\n"},
        kAnnotationWords, [](const std::string& bytes) {
            external::description_from(external::lines_of_description(bytes, false), "bench.rooftune");
        });
    add("matrix_market", joined(matrices(), seeds_in(examples, {".mtx"})),
        {"%%MatrixMarket matrix ", "coordinate ", "array ", "real", "pattern", "symmetric", "hermitian",
         "\n\n", "% "},
        of_file(file("a.mtx"), [](const std::string& path) {
            sparse::read_matrix_market(path, {.available_bytes = kMemory});
        }));
    std::vector<std::string> packed;
    for (const std::string& matrix : matrices()) packed.push_back(gzipped(matrix));
    add("matrix_market_gzip", packed, {"\x1f\x8b\x08", std::string(4, '\0')},
        of_file(file("a.mtx.gz"), [](const std::string& path) {
            sparse::read_matrix_market(path, {.available_bytes = kMemory});
        }));
    add("gzip", joined(packed, {packed[0] + packed[1]}), {"\x1f\x8b\x08", std::string(4, '\0')},
        of_file(file("a.csv.gz"), [](const std::string& path) { read_import(path, std::size_t{1} << 22); }));
    add("ncu", seeds_in(import, {"ncu.csv", "ncu.txt", "ncu_2022.txt", "ncu_comma.csv", "ncu_raw.csv"}),
        {"\",\"", "\"\"", "Metric Value", "usecond", "Gbyte", "1,234.5"}, [](const std::string& bytes) {
            const std::vector<imports::Launch> launches = imports::read_ncu(bytes, "a.csv");
            imports::points_of(launches, "a.csv", {});
        });
    add("nsys", seeds_in(import, {"nsys.csv"}), {"\",\"", "Total Time (ns)", "Instances"},
        [](const std::string& bytes) { imports::read_nsys(bytes, "a.csv"); });
    add("likwid", seeds_in(import, {"likwid.csv"}), {"TABLE,", "Region ", ",,,", "DP [MFLOP/s]"},
        [](const std::string& bytes) { imports::read_likwid(bytes, "a.csv"); });
    add("torch", seeds_in(import, {"torch.json", "torch_cpu.json"}), kJsonWords,
        [](const std::string& bytes) { imports::read_torch(bytes, "a.json"); });
    add("recorded_space", recorded, kJsonWords,
        of_file(file("space.json"), [](const std::string& path) { read_recorded_space(path); }));
    add("worker_messages", messages(), kJsonWords, read_message);
    add("node_messages",
        node_messages(contents(documents / "tune_result.json"), contents(documents / "tuned_config.json")),
        joined(kJsonWords, {"{\"rooftune\":", "\n", "\"kind\"", "\"values\""}),
        [](const std::string& bytes) { read_node_messages(bytes, registry); });
    add("array_file",
        {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n", 32),
         npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n", 32), std::string(32, '\x40')},
        {"'descr'", "'<f4'", "(4,)", "()", "True"}, of_file(file("x.npy"), [](const std::string& path) {
            std::vector<std::byte> elements(32);
            external::check_array_file(path, external::Element::f64, 4, "mine.cpp:1:1:");
            external::read_array_file(path, external::Element::f64, 4, elements.data(), "mine.cpp:1:1:");
        }));
    add("points", {points_to_json({"ncu", "a.csv", {{"k", 1e-3, 2e6, 3e6, {{"f64", 2e6}}, 2, ""}}})},
        kJsonWords, of_file(file("points.json"), [](const std::string& path) { read_points_file(path); }));
    add("noise",
        {R"({"schema": "rooftune/noise/1", "machine": "m1", "comparisons": [)"
         R"({"when": "2024-05-31T17:04:59Z", "kernel": "k", "difference": 0.01}]})"},
        kJsonWords,
        of_file(file("noise.json"), [](const std::string& path) { track::read_noise(path, "m1"); }));
    add("ladder", seeds_in(documents, {"ladder.json"}), kJsonWords, [](const std::string& bytes) {
        ladder::result_from(parse_json(bytes, "ladder.json"), "ladder.json");
    });
    add("track_entry", seeds_in(documents, {"track_entry.json"}), kJsonWords,
        [](const std::string& bytes) { track::entry_from(parse_json(bytes, "entry.json"), "entry.json"); });
    add("store_mark", {mark_text({}), mark_text({-5, 1, 2, 3, 4, 2})}, {"rooftune-store-mark 1", "-", " "},
        [](const std::string& bytes) { return mark_from(bytes) ? "a mark" : "none"; });
    add(
        "store", {small_store(fs::path(folder) / "small")},
        {"SQLite format 3", std::string(4, '\0'), "\x0d", "CREATE TABLE ", "rooftune_checksum("},
        [store = fs::path(folder) / "store"](const std::string& bytes) { return read_store(bytes, store); },
        100);
    add(
        "command_line",
        {"tune\nspmv\nmatrix=a.mtx\n--budget\n90s,200\n--threads\n2\n",
         "compare\na.json\nb.json\n--seconds\n20\n", "results\nprune\n--keep-runs\n3\n",
         "track\nbisect\n--good\nHEAD~3\n--\n./bench\n"},
        {"--help\n", "--json\n", "--results\n", "--only\n", "--where\n", "machine\n", "tune\n",
         "--threads=", "-v\n", "--\n", "1e999\n", "-1\n", "--parameter\nT=1:9\n", "{", "\n"},
        [](const std::string& bytes) { return read_command_line(bytes, registry); }, 40);
    add("words", {"90s,200", "gen=poisson27,nx=12", "format=csr,index=32"}, {"s", "ms", "h", ",", "=", "1e9"},
        [](const std::string& bytes) {
            budget_from(bytes);
            spec_of(bytes);
        });
    return targets;
}

}  // namespace rooftune::fuzz
