// Reading of Nsight Compute's two forms. The text log of a launch is
//   [1234] program@host
//     kernel(float *, int) (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0
//       Section: Command line profiler metrics
//       ------------ ----------- ------------
//       Metric Name  Metric Unit Metric Value
//       ------------ ----------- ------------
//       dram__sectors_read.sum   sector      1,234
// and older versions have no heading of the columns, and the date in place of the grid.
#include <algorithm>
#include <optional>

#include "tuner/base/digits.h"
#include "tuner/base/text_lines.h"
#include "tuner/import/figures.h"
#include "tuner/import/ncu.h"

namespace rooftune::imports {
namespace {

struct Raw {
    std::string name, unit, figure;
    Position unit_at, figure_at;
};

struct RawLaunch {
    std::string kernel;
    Position at;
    std::vector<Raw> metrics;
};

/// Past "(8, 1, 1)" at the beginning of the text; 0 where something else stands.
std::size_t past_sizes(std::string_view text) {
    std::size_t end = 0;
    for (const std::string_view before : {"(", ", ", ", "}) {
        const std::size_t digits = end + before.size();
        if (!text.substr(end).starts_with(before) || past_digits(text, digits) == digits) return 0;
        end = past_digits(text, digits);
    }
    return text.substr(end).starts_with(')') ? end + 1 : 0;
}

/// Whether this is what follows a kernel's name: the grid, the date of older versions, or the context.
bool follows_a_name(std::string_view text) {
    static constexpr std::string_view kContext = ", Context ", kDate = ", 0000-Aaa-00 ";
    if (text.starts_with(kContext) && past_digits(text, kContext.size()) > kContext.size()) return true;
    if (has_form(text.substr(0, kDate.size()), kDate)) return true;
    const std::size_t grid = text.starts_with(' ') ? past_sizes(text.substr(1)) : 0;
    return grid > 0 && text.substr(1 + grid).starts_with('x') && past_sizes(text.substr(2 + grid)) > 0;
}

/// "void f<float>(float *) (8, 1, 1)x(32, 1, 1), Context 1" → "void f<float>(float *)".
std::string kernel_name(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && !follows_a_name(text.substr(end))) ++end;
    text = text.substr(0, end);
    return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
}

bool is_rule(std::string_view text) {
    return text.size() >= 8 && text.find_first_not_of("- ") == std::string_view::npos;
}

Position after_blanks(const Line& line) {
    const std::size_t at = line.text.find_first_not_of(" \t");
    return {line.number, static_cast<int>(at == std::string_view::npos ? 0 : at) + 1};
}

/// Where a word begins and ends in its line.
struct Word {
    std::size_t begin, end;
};

std::vector<Word> words_of(std::string_view text) {
    static constexpr std::string_view kBlanks = " \t\n\v\f\r";
    std::vector<Word> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
        words.push_back({at, std::min(text.find_first_of(kBlanks, at), text.size())});
        at = words.back().end;
    }
    return words;
}

/// "dram__sectors_read.sum": a unit's name in small letters and digits, two underscores, and more.
bool is_counter(std::string_view word) {
    const std::size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
    return end != 0 && end < word.size() && !is_digit(word[0]) && word.substr(end).starts_with("__") &&
           end + 2 < word.size();
}

/// A name, a unit or none, and a figure, which may have "(!) " before it. A name may hold single spaces
/// ("DRAM Throughput"), and columns stand two or more apart unless a name fills its column; a counter's own
/// name holds none.
std::optional<Raw> row_of(const Line& line, const std::vector<Word>& words, bool counter) {
    const auto piece = [&](Word from, Word to) { return line.text.substr(from.begin, to.end - from.begin); };
    const auto one_space_before = [&](std::size_t i) {
        return words[i].begin - words[i - 1].end == 1 && line.text[words[i - 1].end] == ' ';
    };
    const std::size_t count = words.size();
    std::size_t name = 1;  // how many words the name has
    while (!counter && name < count && one_space_before(name)) ++name;
    if (name >= count || (!counter && words[name].begin - words[name - 1].end < 2)) return std::nullopt;
    const bool marked =
        count >= 2 && piece(words[count - 2], words[count - 2]) == "(!)" && one_space_before(count - 1);
    const std::size_t columns = count - name;
    if (columns > 3 || (columns == 3 && !marked)) return std::nullopt;
    const std::size_t figure = columns == 3 || (columns == 2 && marked && counter) ? count - 2 : count - 1;
    const bool has_unit = figure > name;
    const auto at = [&](std::size_t begin) { return Position{line.number, static_cast<int>(begin) + 1}; };
    return Raw{std::string(piece(words[0], words[name - 1])),
               std::string(has_unit ? piece(words[name], words[name]) : ""),
               std::string(piece(words[figure], words.back())),
               at(has_unit ? words[name].begin : line.text.size()), at(words[figure].begin)};
}

std::optional<Raw> row_of(const Line& line) {
    const std::vector<Word> words = words_of(line.text);
    if (words.empty()) return std::nullopt;
    std::optional<Raw> row;
    if (is_counter(line.text.substr(words[0].begin, words[0].end - words[0].begin)))
        row = row_of(line, words, true);
    return row ? row : row_of(line, words, false);
}

std::vector<RawLaunch> read_log(const std::vector<Line>& lines, const std::string& file) {
    std::vector<RawLaunch> launches;
    bool in_table = false;
    std::optional<Line> before;  // the last line that could name a kernel
    for (const Line& line : lines) {
        const std::size_t first = line.text.find_first_not_of(" \t");
        const std::string_view body = first == std::string_view::npos ? "" : line.text.substr(first);
        if (body.starts_with("Section: ")) {
            if (before) {
                launches.push_back({kernel_name(before->text.substr(before->text.find_first_not_of(" \t"))),
                                    after_blanks(*before),
                                    {}});
                before.reset();
            }
            if (launches.empty())
                fail(file, after_blanks(line), "a section before any kernel: the log lacks its beginning");
            in_table = false;
            continue;
        }
        if (is_rule(body)) {
            if (!launches.empty()) in_table = true;
            continue;
        }
        if (body.empty()) {
            in_table = false;
            continue;
        }
        if (body.starts_with("Metric Name ")) continue;
        if (body.find(", Context ") != std::string_view::npos && first > 0) {
            before = line;
            in_table = false;
            continue;
        }
        if (!in_table) continue;
        const std::optional<Raw> raw = row_of(line);
        if (raw) {
            launches.back().metrics.push_back(*raw);
        } else if (body.find("__") != std::string_view::npos) {
            fail(file, after_blanks(line), "expected a metric's name, unit and value; the line is cut short");
        }
    }
    return launches;
}

/// Index of each column by its heading.
struct Columns {
    std::vector<Cell> cells;
    int find(std::string_view name) const {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i].text == name) return static_cast<int>(i);
        }
        return -1;
    }
};

std::vector<RawLaunch> read_table(const std::vector<Line>& lines, std::size_t header,
                                  const std::string& file) {
    const Columns columns{cells_of(file, lines[header])};
    const int id = columns.find("ID"), kernel = columns.find("Kernel Name");
    const int name = columns.find("Metric Name"), unit = columns.find("Metric Unit"),
              value = columns.find("Metric Value");
    const bool narrow = name >= 0;
    if (id < 0 || kernel < 0)
        fail(file, {lines[header].number, 1}, "the heading lacks \"ID\" or \"Kernel Name\"");
    if (narrow && (unit < 0 || value < 0))
        fail(file, {lines[header].number, 1}, "the heading lacks \"Metric Unit\" or \"Metric Value\"");
    std::vector<RawLaunch> launches;
    std::string last_id;
    std::vector<Cell> units;
    for (std::size_t i = header + 1; i < lines.size(); ++i) {
        const Line& line = lines[i];
        if (line.text.empty() || line.text.starts_with("==")) continue;
        // The profiled program may print between the rows; a row begins with its number.
        if (line.text[0] != '"' && !(line.text[0] >= '0' && line.text[0] <= '9')) continue;
        std::vector<Cell> cells = cells_of(file, line);
        if (cells.size() < columns.cells.size()) {
            fail(file, cells.back().at,
                 "expected " + std::to_string(columns.cells.size()) + " cells as in the heading, found " +
                     std::to_string(cells.size()));
        }
        const auto cell = [&](int at) -> const Cell& { return cells[static_cast<std::size_t>(at)]; };
        if (!narrow && cell(id).text.empty()) {
            units = cells;  // the raw page has a line of units below its heading
            continue;
        }
        if (launches.empty() || !narrow || cell(id).text != last_id) {
            launches.push_back({kernel_name(cell(kernel).text), cell(kernel).at, {}});
            last_id = cell(id).text;
        }
        RawLaunch& launch = launches.back();
        if (narrow) {
            if (cell(name).text.empty()) continue;  // a rule's line
            launch.metrics.push_back(
                {cell(name).text, cell(unit).text, cell(value).text, cell(unit).at, cell(value).at});
            continue;
        }
        for (std::size_t c = 0; c < columns.cells.size(); ++c) {
            if (columns.cells[c].text.find("__") == std::string::npos) continue;
            launch.metrics.push_back({columns.cells[c].text, c < units.size() ? units[c].text : "",
                                      cells[c].text, c < units.size() ? units[c].at : Position{},
                                      cells[c].at});
        }
    }
    return launches;
}

/// Metrics that points are made of; the rest of a report may hold anything.
bool is_used(const std::string& name) {
    return name.find("__sass_thread_inst_executed_op_") != std::string::npos ||
           name.starts_with("sm__ops_path_tensor_src_") || name.starts_with("dram__bytes") ||
           name.starts_with("dram__sectors_") || name.starts_with("gpu__time_duration") ||
           name.find("__cycles_elapsed") != std::string::npos || name == "Duration";
}

Decimal style(const std::vector<RawLaunch>& launches, const std::string& file) {
    std::optional<Decimal> found;
    for (const RawLaunch& launch : launches) {
        for (const Raw& raw : launch.metrics) {
            if (is_absent(raw.figure) || !is_used(raw.name)) continue;
            const std::optional<Decimal> style = style_of(raw.figure);
            if (style && found && *style != *found)
                fail(file, raw.figure_at,
                     "'" + raw.figure + "' separates thousands differently from figures before it");
            if (style) found = style;
        }
    }
    return found.value_or(Decimal::point);
}

}  // namespace

std::vector<Launch> read_ncu(std::string_view text, const std::string& file) {
    const std::vector<Line> lines = lines_of(file, text);
    const auto header = std::find_if(lines.begin(), lines.end(), [](const Line& line) {
        return line.text.starts_with("\"ID\",") || line.text.starts_with("ID,");
    });
    const std::vector<RawLaunch> raw =
        header != lines.end() ? read_table(lines, static_cast<std::size_t>(header - lines.begin()), file)
                              : read_log(lines, file);
    if (raw.empty()) {
        fail(file, {static_cast<int>(std::max<std::size_t>(1, lines.size())), 1},
             "no kernel found: expected the output of `ncu --csv` or the text that `ncu` prints");
    }
    const Decimal decimal = style(raw, file);
    std::vector<Launch> launches;
    for (const RawLaunch& from : raw) {
        Launch launch{from.kernel, {}, from.at};
        for (const Raw& m : from.metrics) {
            if (!is_used(m.name) || is_absent(m.figure)) continue;
            const std::optional<double> value = figure_from(m.figure, decimal);
            if (!value) fail(file, m.figure_at, "'" + m.figure + "' is not a figure (of " + m.name + ")");
            if (*value < 0.0) fail(file, m.figure_at, m.name + " is negative");
            const std::optional<double> factor = unit_factor(m.unit);
            if (!factor) fail(file, m.unit_at, "unit '" + m.unit + "' of " + m.name + " is not known");
            launch.metrics[m.name] = {*value * *factor, m.figure_at};
        }
        launches.push_back(std::move(launch));
    }
    return launches;
}

}  // namespace rooftune::imports
