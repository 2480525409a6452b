// Intel's MKL, loaded while running from a folder of the benchmarks' own (fetch.sh): its headers are not
// needed, and who has not fetched it compares with the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftune::peers {

/// Its functions that comparisons call, with MKL_INT of 32 bits (the LP64 interface). Numbers of its
/// enumerations are those of mkl_spblas.h and mkl_cblas.h of version 2026.2.
struct Mkl {
    static constexpr int kRowMajor = 101, kColumnMajor = 102, kNoTranspose = 111, kTranspose = 112;
    static constexpr int kIndexFromZero = 0, kStraight = 10, kGeneral = 20, kAggressive = 81;

    struct SparseMatrix;  ///< opaque
    struct Description {
        int type = kGeneral;
        int fill = 0, diagonal = 0;  ///< of triangles only
    };

    void (*dgemm)(int order, int a, int b, int m, int n, int k, double alpha, const double*, int lda,
                  const double*, int ldb, double beta, double*, int ldc) = nullptr;
    void (*sgemm)(int order, int a, int b, int m, int n, int k, float alpha, const float*, int lda,
                  const float*, int ldb, float beta, float*, int ldc) = nullptr;

    int (*create_f64)(SparseMatrix**, int base, int rows, int cols, int* begins, int* ends, int* columns,
                      double* values) = nullptr;
    int (*create_f32)(SparseMatrix**, int base, int rows, int cols, int* begins, int* ends, int* columns,
                      float* values) = nullptr;
    int (*hint)(SparseMatrix*, int operation, Description, int calls) = nullptr;
    int (*memory_hint)(SparseMatrix*, int policy) = nullptr;
    int (*optimize)(SparseMatrix*) = nullptr;
    int (*product_f64)(int operation, double alpha, SparseMatrix*, Description, const double* x, double beta,
                       double* y) = nullptr;
    int (*product_f32)(int operation, float alpha, SparseMatrix*, Description, const float* x, float beta,
                       float* y) = nullptr;
    /// Of several vectors: their order is kRowMajor or kColumnMajor.
    int (*hint_several)(SparseMatrix*, int operation, Description, int order, int vectors,
                        int calls) = nullptr;
    int (*several_f64)(int operation, double alpha, SparseMatrix*, Description, int order, const double* x,
                       int vectors, int ldx, double beta, double* y, int ldy) = nullptr;
    int (*several_f32)(int operation, float alpha, SparseMatrix*, Description, int order, const float* x,
                       int vectors, int ldx, float beta, float* y, int ldy) = nullptr;
    /// Without places: all values, in the order of the rows.
    int (*update_f64)(SparseMatrix*, int count, int* rows, int* columns, double* values) = nullptr;
    int (*destroy)(SparseMatrix*) = nullptr;

    int (*most_threads)() = nullptr;
    std::string version;
};

/// Whose threads MKL uses. A program that has GNU's OpenMP runtime itself must leave them to it: what Intel's
/// asks of its threads by OpenMP's names would be answered by the other.
enum class MklThreads { intel, gnu };

/// Loads it for as many threads as `cpus`, for good: one process has one MKL. Intel's threads are bound to
/// `cpus`; GNU's are where the program has put them. Throws EnvironmentError where it is not there, or lacks
/// a function.
const Mkl& load_mkl(const std::vector<int>& cpus, MklThreads whose);

/// Whether it can be had at all; else why it is left out, and what gets it.
std::optional<std::string> why_no_mkl();

}  // namespace rooftune::peers
