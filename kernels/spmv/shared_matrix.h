// A matrix in a shared-memory file, so that a fresh process maps it instead of parsing it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Writes matrix and texts into a new memory file that cannot be changed or resized afterwards.
/// Layout: header, texts, then row starts, columns and values, each on a cache line's boundary.
/// Returns its descriptor (the caller's, closed on exec). Throws EnvironmentError when the system
/// gives no memory for it.
int share_matrix(const CsrView& matrix, const std::vector<std::string>& texts);

/// A read-only mapping of what share_matrix() wrote.
class SharedMatrix {
public:
    /// Maps and validates: layout, row starts ascending, columns ascending and in range. The
    /// descriptor may be closed afterwards. Throws EnvironmentError when it holds something else.
    explicit SharedMatrix(int descriptor);
    SharedMatrix(const SharedMatrix&) = delete;
    SharedMatrix& operator=(const SharedMatrix&) = delete;
    ~SharedMatrix();

    const CsrView& matrix() const { return matrix_; }
    const std::vector<std::string>& texts() const { return texts_; }

private:
    void read();
    void unmap();

    const std::byte* mapping_ = nullptr;
    std::size_t bytes_ = 0;
    CsrView matrix_;
    std::vector<std::string> texts_;
};

}  // namespace rooftune::spmv
