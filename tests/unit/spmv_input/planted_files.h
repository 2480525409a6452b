// Files planted by a test, in a folder that goes with it; gzip text; the message of a refused read.
#pragma once

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/runtime/error.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/sparse.h"
#include "tests/support/catch.h"

namespace rooftune::spmv::test {

class PlantedFiles {
public:
    PlantedFiles() {
        std::string name = (std::filesystem::temp_directory_path() / "rooftune-input-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    PlantedFiles(const PlantedFiles&) = delete;
    PlantedFiles& operator=(const PlantedFiles&) = delete;
    ~PlantedFiles() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    const std::filesystem::path& folder() const { return folder_; }

    std::string write(const std::string& name, const std::string& bytes) const {
        const std::filesystem::path path = folder_ / name;
        std::ofstream out(path, std::ios::binary);
        out << bytes;
        out.close();
        if (!out) throw std::runtime_error("cannot write " + path.string());
        return path.string();
    }

private:
    std::filesystem::path folder_;
};

inline std::string gzipped(const std::string& text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) ==
            Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    REQUIRE(status == Z_STREAM_END);
    return out;
}

/// What the reader says about a file, the folder's name left out; "accepted" when it takes it.
inline std::string verdict(const PlantedFiles& files, const std::string& path,
                           const MatrixMarketOptions& options = {}) {
    try {
        read_matrix_market(path, options);
    } catch (const InputError& error) {
        std::string text = error.what();
        const std::string folder = files.folder().string() + "/";
        for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
            text.erase(at, folder.size());
        return text;
    }
    return "accepted";
}

/// Row starts from 0 to the number of entries, columns ascending and in range.
inline bool is_well_formed(const CsrView& matrix) {
    if (matrix.row_begin.size() != static_cast<std::size_t>(matrix.rows) + 1) return false;
    if (matrix.row_begin.front() != 0 || matrix.row_begin.back() != matrix.stored()) return false;
    if (matrix.value.size() != matrix.column.size()) return false;
    for (std::size_t row = 0; row + 1 < matrix.row_begin.size(); ++row) {
        std::int64_t before = -1;
        for (std::int64_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
            const std::int64_t column = matrix.column[static_cast<std::size_t>(k)];
            if (column <= before || column >= matrix.cols) return false;
            before = column;
        }
    }
    return true;
}

/// The value at a place, from 0; 0 where nothing is stored.
inline double value_at(const CsrView& matrix, std::int64_t row, std::int64_t col) {
    for (std::int64_t k = matrix.row_begin[static_cast<std::size_t>(row)];
         k < matrix.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
        if (matrix.column[static_cast<std::size_t>(k)] == col)
            return matrix.value[static_cast<std::size_t>(k)];
    }
    return 0.0;
}

}  // namespace rooftune::spmv::test
