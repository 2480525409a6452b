#include "kernels/sparse/text_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace rooftune::sparse {
namespace {

class Descriptor {
public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (descriptor_ >= 0) close(descriptor_);
    }

    int get() const { return descriptor_; }

    std::size_t read(char* to, std::size_t bytes) const {
        for (;;) {
            const ssize_t got = ::read(descriptor_, to, bytes);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR)
                throw SourceFault("reading failed (" + std::generic_category().message(errno) +
                                  "); check the disk or copy the file");
        }
    }

private:
    int descriptor_;
};

class PlainSource final : public TextSource {
public:
    explicit PlainSource(int descriptor) : file_(descriptor) {}
    std::size_t read(char* to, std::size_t bytes) override { return file_.read(to, bytes); }

private:
    Descriptor file_;
};

class GzipSource final : public TextSource {
public:
    explicit GzipSource(int descriptor) : file_(descriptor), input_(std::size_t{1} << 17) {
        constexpr int kGzipOnly = 16;
        if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override { inflateEnd(&stream_); }

    std::size_t read(char* to, std::size_t bytes) override {
        if (!fault_.empty()) throw SourceFault(fault_);
        if (ended_) return 0;
        stream_.next_out = reinterpret_cast<Bytef*>(to);
        stream_.avail_out = static_cast<uInt>(bytes);
        while (stream_.avail_out > 0 && !ended_ && fault_.empty()) step();
        const std::size_t got = bytes - stream_.avail_out;
        // The sound bytes go out first, so that the fault is reported at the line where they end.
        if (got == 0 && !fault_.empty()) throw SourceFault(fault_);
        return got;
    }

private:
    void step() {
        if (stream_.avail_in == 0 && !refill()) {
            fault_ = "the gzip data end before their end mark: the file is cut; copy or download it again";
            return;
        }
        const int status = inflate(&stream_, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            finish();
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            const std::string detail = stream_.msg ? std::string(" (") + stream_.msg + ")" : std::string();
            fault_ = "the gzip data are damaged" + detail + "; copy or download the file again";
        }
    }

    bool refill() {
        const std::size_t got = file_.read(input_.data(), input_.size());
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(got);
        return got > 0;
    }

    // RFC 1952 lets members follow one another. Here that is far more often two files glued together
    // by mistake than one matrix in pieces, so it is refused and the way out is named.
    void finish() {
        ended_ = true;
        if (stream_.avail_in == 0 && !refill()) return;
        const bool member = stream_.next_in[0] == 0x1f;
        fault_ = member ? "a second gzip member follows the first (concatenated gzip files); decompress with "
                          "gzip -dc, "
                          "check that it is one matrix, and compress again"
                        : "bytes follow the end of the gzip data; decompress the file and compress it again";
    }

    Descriptor file_;
    std::vector<char> input_;
    z_stream stream_{};
    bool ended_ = false;
    std::string fault_;
};

void require_regular(const struct stat& status) {
    if (S_ISREG(status.st_mode)) return;
    std::string kind = "not a regular file";
    if (S_ISDIR(status.st_mode)) kind = "a folder";
    if (S_ISFIFO(status.st_mode)) kind = "a FIFO (pipe)";
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) kind = "a device";
    if (S_ISSOCK(status.st_mode)) kind = "a socket";
    throw SourceFault("is " + kind + "; give a Matrix Market file (.mtx or .mtx.gz)");
}

/// Formats that people download matrices in, by their first bytes.
void refuse_other_formats(std::string_view head) {
    using namespace std::string_view_literals;
    struct Signature {
        std::string_view bytes;
        std::string_view format;
    };
    constexpr std::array<Signature, 5> kSignatures{{
        {"BZh"sv, "bzip2"},
        {"\xfd"
         "7zXZ\0"sv,
         "xz"},
        {"\x28\xb5\x2f\xfd"sv, "Zstandard"},
        {"PK\3\4"sv, "zip"},
        {"\x89HDF"sv, "HDF5 (perhaps a MATLAB file)"},
    }};
    for (const auto& [bytes, format] : kSignatures) {
        if (head.substr(0, bytes.size()) == bytes) {
            throw SourceFault("is in " + std::string(format) +
                              " format; extract the Matrix Market file from it (plain or gzip)");
        }
    }
}

}  // namespace

std::unique_ptr<TextSource> TextSource::open(const std::string& path) {
    // O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        if (errno == ENOENT) throw SourceFault("no such file; check the path");
        throw SourceFault("cannot be opened (" + std::generic_category().message(errno) +
                          "); check the path and its permissions");
    }
    auto plain = std::make_unique<PlainSource>(descriptor);
    struct stat status {};
    if (fstat(descriptor, &status) != 0)
        throw SourceFault("cannot be examined (" + std::generic_category().message(errno) + ")");
    require_regular(status);

    std::array<char, 8> head{};
    const ssize_t got = pread(descriptor, head.data(), head.size(), 0);
    if (got < 0)
        throw SourceFault("cannot be read (" + std::generic_category().message(errno) +
                          "); check the disk or copy the file");
    if (got == 0) throw SourceFault("is empty; a Matrix Market file starts with %%MatrixMarket");
    const std::string_view first(head.data(), static_cast<std::size_t>(got));
    refuse_other_formats(first);
    if (first.substr(0, 2) != "\x1f\x8b") return plain;

    const int duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) throw SourceFault("cannot be opened (" + std::generic_category().message(errno) + ")");
    return std::make_unique<GzipSource>(duplicate);
}

}  // namespace rooftune::sparse
