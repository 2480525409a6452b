#include "kernels/spmv/shared_matrix.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/limits.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {
namespace {

constexpr std::array<char, 8> kMagic{'R', 'T', 's', 'p', 'm', 'v', 'A', '\n'};
constexpr std::uint32_t kVersion = 1;

struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = kVersion;
    std::uint32_t texts = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t stored = 0;
    std::uint64_t text_bytes = 0;
    std::uint64_t check = 0;  ///< over the fields above and the texts

    std::uint64_t expected_check(const std::byte* text) const {
        std::uint64_t sum = mixed(version, texts);
        for (const std::int64_t size : {rows, cols, stored})
            sum = mixed(sum, static_cast<std::uint64_t>(size));
        for (std::uint64_t i = 0; i < text_bytes; ++i) sum = mixed(sum, static_cast<std::uint64_t>(text[i]));
        return sum;
    }
};

/// Where each part of the file begins.
struct SharedLayout {
    explicit SharedLayout(const Header& header)
        : row_begin(whole_lines(sizeof(Header) + header.text_bytes)),
          column(whole_lines(row_begin + 8 * (static_cast<std::uint64_t>(header.rows) + 1))),
          value(whole_lines(column + 4 * static_cast<std::uint64_t>(header.stored))),
          end(whole_lines(value + 8 * static_cast<std::uint64_t>(header.stored))) {}
    static std::uint64_t whole_lines(std::uint64_t bytes) {
        return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    }
    std::uint64_t row_begin;
    std::uint64_t column;
    std::uint64_t value;
    std::uint64_t end;
};

std::string reason(int error) {
    return std::generic_category().message(error);
}

/// Written rather than copied into a mapping: where memory runs out, write() returns an error and a
/// mapping kills the process.
void write_at(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) {
    const auto* from = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = pwrite(descriptor, from, bytes, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            throw EnvironmentError("the matrix cannot be shared with worker processes (" + reason(errno) +
                                   "); free memory or take a smaller matrix");
        }
        from += written;
        bytes -= static_cast<std::size_t>(written);
        offset += static_cast<std::uint64_t>(written);
    }
}

void write_file(int descriptor, const CsrView& matrix, const std::vector<std::string>& texts) {
    std::string text;
    for (const std::string& part : texts) text.append(part).push_back('\0');
    Header header;
    header.texts = static_cast<std::uint32_t>(texts.size());
    header.rows = matrix.rows;
    header.cols = matrix.cols;
    header.stored = matrix.stored();
    header.text_bytes = text.size();
    header.check = header.expected_check(reinterpret_cast<const std::byte*>(text.data()));
    const SharedLayout layout(header);
    const auto free_bytes = available_memory();
    if (static_cast<double>(layout.end) > free_bytes) {
        throw EnvironmentError("sharing the matrix with worker processes needs " +
                               readable_bytes(static_cast<double>(layout.end)) + " of memory and " +
                               readable_bytes(std::max(0.0, free_bytes)) +
                               " are free; free memory or take a smaller matrix");
    }
    if (ftruncate(descriptor, static_cast<off_t>(layout.end)) != 0) {
        throw EnvironmentError("the matrix cannot be shared with worker processes (" + reason(errno) + ")");
    }
    write_at(descriptor, &header, sizeof header, 0);
    write_at(descriptor, text.data(), text.size(), sizeof header);
    write_at(descriptor, matrix.row_begin.data(), matrix.row_begin.size_bytes(), layout.row_begin);
    write_at(descriptor, matrix.column.data(), matrix.column.size_bytes(), layout.column);
    write_at(descriptor, matrix.value.data(), matrix.value.size_bytes(), layout.value);
}

[[noreturn]] void refuse(const std::string& what) {
    throw EnvironmentError("the descriptor does not hold a shared matrix of this build: " + what +
                           "; start the worker from the tuner of the same build");
}

/// Kernels index with these numbers unchecked, so they are checked here once.
void check_structure(const CsrView& matrix) {
    const auto& begin = matrix.row_begin;
    if (begin.front() != 0 || begin.back() != matrix.stored()) refuse("row starts do not span the entries");
    for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
        if (begin[row] > begin[row + 1]) refuse("row starts are not ascending");
    }
    for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
        std::int64_t before = -1;
        bool ascending = true;
        for (auto k = static_cast<std::size_t>(begin[row]); k < static_cast<std::size_t>(begin[row + 1]);
             ++k) {
            ascending = ascending && matrix.column[k] > before;
            before = matrix.column[k];
        }
        if (!ascending || before >= matrix.cols) refuse("columns are not ascending or out of range");
    }
}

}  // namespace

int share_matrix(const CsrView& matrix, const std::vector<std::string>& texts) {
    const int descriptor = memfd_create("rooftune-spmv", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) {
        throw EnvironmentError("no shared memory for worker processes (memfd_create: " + reason(errno) + ")");
    }
    try {
        write_file(descriptor, matrix, texts);
    } catch (...) {
        close(descriptor);
        throw;
    }
    // A safeguard, so a system without seals is no reason to stop. F_SEAL_WRITE would be the stronger
    // one, but kernels before 6.7 then refuse shared read-only mappings.
    fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
    return descriptor;
}

SharedMatrix::SharedMatrix(int descriptor) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) refuse(reason(errno));
    bytes_ = static_cast<std::size_t>(std::max<off_t>(0, status.st_size));
    if (!S_ISREG(status.st_mode) || bytes_ < sizeof(Header)) refuse("it is too short");
    void* mapping = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, descriptor, 0);
    if (mapping == MAP_FAILED) refuse("it cannot be mapped (" + reason(errno) + ")");
    mapping_ = static_cast<const std::byte*>(mapping);
    try {
        read();
    } catch (...) {
        unmap();
        throw;
    }
}

SharedMatrix::~SharedMatrix() {
    unmap();
}

void SharedMatrix::unmap() {
    if (mapping_) munmap(const_cast<std::byte*>(mapping_), bytes_);
    mapping_ = nullptr;
}

void SharedMatrix::read() {
    Header header;
    std::memcpy(&header, mapping_, sizeof header);
    if (header.magic != kMagic) refuse("wrong magic number");
    if (header.version != kVersion) {
        refuse("layout version " + std::to_string(header.version) + ", expected " + std::to_string(kVersion));
    }
    const bool sizes_in_range = header.rows >= 0 && header.rows <= kMostLines && header.cols >= 0 &&
                                header.cols <= kMostLines && header.stored >= 0 &&
                                header.stored <= kMostStored && header.text_bytes <= bytes_ - sizeof header;
    if (!sizes_in_range) refuse("sizes out of range");
    const SharedLayout layout(header);
    if (layout.end != bytes_) refuse("its length does not match its sizes");
    const std::byte* text = mapping_ + sizeof header;
    if (header.check != header.expected_check(text)) refuse("the header's check sum is wrong");

    const auto* character = reinterpret_cast<const char*>(text);
    const char* text_end = character + header.text_bytes;
    while (character != text_end) {
        const char* end = std::find(character, text_end, '\0');
        texts_.emplace_back(character, end);
        character = end == text_end ? end : end + 1;
    }
    if (texts_.size() != header.texts) refuse("its texts are incomplete");
    const auto stored = static_cast<std::size_t>(header.stored);
    matrix_.rows = header.rows;
    matrix_.cols = header.cols;
    matrix_.row_begin = {reinterpret_cast<const std::int64_t*>(mapping_ + layout.row_begin),
                         static_cast<std::size_t>(header.rows) + 1};
    matrix_.column = {reinterpret_cast<const std::uint32_t*>(mapping_ + layout.column), stored};
    matrix_.value = {reinterpret_cast<const double*>(mapping_ + layout.value), stored};
    check_structure(matrix_);
}

}  // namespace rooftune::spmv
