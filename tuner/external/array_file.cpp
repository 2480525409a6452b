#include "tuner/external/array_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/sparse/hash.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

// How NumPy writes the types, on machines that store the lowest byte first.
std::string_view numpy_type(Element e) {
    switch (e) {
        case Element::f64:
            return "<f8";
        case Element::f32:
            return "<f4";
        case Element::f16:
            return "<f2";
        case Element::bf16:
            return "";  // it has none
        case Element::i64:
            return "<i8";
        case Element::i32:
            return "<i4";
        case Element::i16:
            return "<i2";
        case Element::i8:
            return "|i1";
        case Element::u64:
            return "<u8";
        case Element::u32:
            return "<u4";
        case Element::u16:
            return "<u2";
        case Element::u8:
            return "|u1";
    }
    return "";
}

// The text behind 'key': in a header, up to a comma outside of brackets or the closing brace.
std::string field(const std::string& header, const std::string& key) {
    const std::size_t at = header.find("'" + key + "'");
    std::size_t from = at == std::string::npos ? at : header.find(':', at);
    if (from == std::string::npos) return "";
    int depth = 0;
    std::string text;
    for (++from; from < header.size(); ++from) {
        const char c = header[from];
        if (depth == 0 && (c == ',' || c == '}')) break;
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c != ' ' && c != '\'') text += c;
    }
    return text;
}

struct Layout {
    std::uintmax_t offset = 0;  // bytes before the elements
};

Layout layout_of(const std::string& path, Element type, std::size_t count, const std::string& where) {
    const auto fail = [&](const std::string& what) { throw InputError(where + " " + path + ": " + what); };
    std::error_code none;
    if (fs::exists(path, none) && !fs::is_regular_file(path, none)) fail("it is no file with elements");
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("it cannot be read; is the name right, relative to the source's folder?");
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    if (error) fail("it is no file with elements");
    const std::uintmax_t wanted = static_cast<std::uintmax_t>(count) * bytes_of(type);
    const auto wants = [&](std::uintmax_t there) {
        fail(fmt::format("it holds {} bytes of elements, and {} elements of {} have {}", there, count,
                         to_text(type), wanted));
    };
    char start[10] = {};
    file.read(start, sizeof start);
    constexpr std::string_view kMagic = "\x93NUMPY";
    if (file.gcount() < 10 || std::string_view(start, 6) != kMagic) {
        if (path.ends_with(".npy")) fail("it does not begin as a .npy file does; save it by numpy.save");
        if (bytes != wanted) wants(bytes);
        return {};
    }
    const auto byte = [&](int i) {
        return static_cast<std::uintmax_t>(static_cast<unsigned char>(start[i]));
    };
    std::uintmax_t length = byte(8) | byte(9) << 8, begin = 10;
    if (byte(6) >= 2) {  // four bytes
        char more[2] = {};
        file.read(more, 2);
        length |= static_cast<std::uintmax_t>(static_cast<unsigned char>(more[0])) << 16 |
                  static_cast<std::uintmax_t>(static_cast<unsigned char>(more[1])) << 24;
        begin = 12;
    }
    constexpr std::uintmax_t kMostHeader = 1 << 20;
    if (length > kMostHeader || begin + length > bytes) fail("its header is cut short");
    std::string header(length, '\0');
    file.read(header.data(), static_cast<std::streamsize>(length));
    if (numpy_type(type).empty())
        fail("NumPy has no type for bf16; give the elements alone, 16 bits each, in a file of another name");
    const std::string found = field(header, "descr"), shape = field(header, "shape");
    if (found != numpy_type(type))
        fail(
            fmt::format("its elements are '{}', and {} is '{}' in NumPy; declare the array so, or save it by "
                        "astype",
                        found, to_text(type), numpy_type(type)));
    if (field(header, "fortran_order") == "True" && shape.find(',') + 1 < shape.size() - 1)
        fail("its elements lie column by column; save it by numpy.ascontiguousarray");
    if (bytes - begin - length != wanted) wants(bytes - begin - length);
    return {begin + length};
}

}  // namespace

void check_array_file(const std::string& path, Element type, std::size_t count, const std::string& where) {
    layout_of(path, type, count, where);
}

void read_array_file(const std::string& path, Element type, std::size_t count, std::byte* to,
                     const std::string& where) {
    const Layout layout = layout_of(path, type, count, where);
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(layout.offset));
    const auto bytes = static_cast<std::streamsize>(count * bytes_of(type));
    file.read(reinterpret_cast<char*>(to), bytes);
    if (file.gcount() != bytes) throw EnvironmentError(where + " " + path + ": it became shorter meanwhile");
}

std::string hash_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": it cannot be read");
    sparse::Digest digest;
    std::vector<char> part(std::size_t{1} << 20);
    do {
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        digest.add(part.data(), static_cast<std::size_t>(file.gcount()));
    } while (file);
    return digest.text();
}

}  // namespace rooftune::external
