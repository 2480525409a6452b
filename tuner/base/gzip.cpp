#include "tuner/base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "kernels/runtime/error.h"

namespace rooftune {

std::string gzipped(std::string_view text) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    constexpr int kMemoryLevel = 9;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw EnvironmentError("no memory to compress the output; name it without .gz");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
    std::string packed, block(1 << 16, '\0');
    int state = Z_OK;
    while (state != Z_STREAM_END) {
        // zlib counts in 32 bits.
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        const std::string_view part = text.substr(0, kMost);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        stream.avail_in = static_cast<uInt>(part.size());
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = deflate(&stream, part.size() == text.size() ? Z_FINISH : Z_NO_FLUSH);
        if (state == Z_STREAM_ERROR) throw EnvironmentError("the output could not be compressed");
        text.remove_prefix(part.size() - stream.avail_in);
        packed.append(block, 0, block.size() - stream.avail_out);
    }
    return packed;
}

}  // namespace rooftune
