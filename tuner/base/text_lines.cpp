#include "tuner/base/text_lines.h"

#include <zlib.h>

#include <algorithm>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/text_file.h"

namespace rooftune {
namespace {

std::string unpacked(const std::string& path, std::size_t most) {
    // Refuses what is missing or no regular file, with the message that all inputs have.
    const std::string packed = read_text_file(path, most);
    if (packed.size() < 2 || packed[0] != '\x1f' || packed[1] != '\x8b')
        throw InputError(path + ": named .gz, but not compressed by gzip");
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    if (inflateInit2(&stream, kGzip) != Z_OK) throw EnvironmentError(path + ": cannot unpack: no memory");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    std::string block(1 << 16, '\0');
    // Members may follow one another (RFC 1952), as logs of several runs do: their texts are one.
    for (bool is_whole = false; !is_whole;) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        const int state = inflate(&stream, Z_NO_FLUSH);
        if (state != Z_OK && state != Z_STREAM_END)
            throw InputError(path + ": damaged or cut short: it stops unpacking after " +
                             std::to_string(text.size()) + " bytes");
        text.append(block, 0, block.size() - stream.avail_out);
        if (text.size() > most)
            throw InputError(path + ": unpacks to more than " + std::to_string(most >> 20) + " MiB");
        if (state != Z_STREAM_END) continue;
        is_whole = stream.avail_in == 0;
        if (!is_whole && (stream.avail_in < 2 || stream.next_in[0] != 0x1f || stream.next_in[1] != 0x8b))
            throw InputError(path +
                             ": bytes follow the end of its gzip data; unpack it and compress it again");
        if (!is_whole && inflateReset(&stream) != Z_OK) throw EnvironmentError(path + ": cannot unpack");
    }
    return text;
}

}  // namespace

std::vector<Line> lines_of(const std::string& file, std::string_view text) {
    const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (ends > kMostLines)
        throw InputError(file + ": " + std::to_string(ends) +
                         " lines, and a table of a profiler has at most " + std::to_string(kMostLines) +
                         "; name such a table");
    std::vector<Line> lines;
    lines.reserve(ends + 1);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back({number, line});
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::vector<Cell> cells_of(const std::string& file, const Line& line) {
    std::vector<Cell> cells;
    const std::string_view text = line.text;
    std::size_t at = 0;
    while (true) {
        Cell cell;
        cell.at = {line.number, static_cast<int>(at) + 1};
        if (at < text.size() && text[at] == '"') {
            cell.quoted = true;
            for (++at;; ++at) {
                if (at >= text.size()) fail(file, cell.at, "a quote that is not closed on its line");
                if (text[at] != '"') {
                    cell.text += text[at];
                } else if (at + 1 < text.size() && text[at + 1] == '"') {
                    cell.text += text[++at];
                } else {
                    break;
                }
            }
            ++at;
            if (at < text.size() && text[at] != ',')
                fail(file, {line.number, static_cast<int>(at) + 1}, "expected a comma behind the quote");
        } else {
            const std::size_t end = std::min(text.find(',', at), text.size());
            cell.text = text.substr(at, end - at);
            at = end;
        }
        cells.push_back(std::move(cell));
        if (at >= text.size()) return cells;
        ++at;
    }
}

std::string read_import(const std::string& path, std::size_t most) {
    return path.ends_with(".gz") ? unpacked(path, most) : read_text_file(path, most);
}

}  // namespace rooftune
