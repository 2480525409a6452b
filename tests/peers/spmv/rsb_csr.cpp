#include <rsb.h>

#include <type_traits>

#include "tests/peers/spmv/arms.h"
#include "tests/peers/spmv/pinned.h"
#include "tests/peers/spmv/subject.h"

namespace rooftune::peers {
namespace {

constexpr double kTuningSeconds = 10.0;

void require(rsb_err_t status, const char* what) {
    if (status != RSB_ERR_NO_ERROR) throw EnvironmentError(std::string("librsb: ") + what + " failed");
}

template <typename T>
class RsbMatrix final : public SparseSubject<T> {
public:
    RsbMatrix(const ProblemSpec& spec, const std::vector<int>& cpus) : SparseSubject<T>(spec) {
        pin_openmp(cpus);
        require(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "starting");
        rsb_int_t threads = static_cast<rsb_int_t>(cpus.size());
        require(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads), "setting the number of threads");
        PeerMatrix<T>& a = this->matrix();
        const rsb_type_t type =
            std::is_same_v<T, float> ? RSB_NUMERICAL_TYPE_FLOAT : RSB_NUMERICAL_TYPE_DOUBLE;
        rsb_err_t failed = RSB_ERR_NO_ERROR;
        handle_ = rsb_mtx_alloc_from_csr_const(
            a.value.template as<T>(), a.begin.template as<int>(), a.column.template as<int>(), a.stored, type,
            a.rows, a.cols, RSB_DEFAULT_ROW_BLOCKING, RSB_DEFAULT_COL_BLOCKING, RSB_FLAG_NOFLAGS, &failed);
        require(failed, "making a matrix");
        if (handle_ == nullptr) throw EnvironmentError("librsb: no matrix");
        // Its own tuning of blocks, with the threads as they are; y is scratch here.
        rsb_real_t gain = 1.0;
        std::fill_n(this->y(), a.rows, T{0});
        require(
            rsb_tune_spmm(&handle_, &gain, nullptr, 0, kTuningSeconds, RSB_TRANSPOSITION_N, &kOne, nullptr, 1,
                          RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, this->x(), a.cols, &kZero, this->y(), a.rows),
            "tuning");
    }

    void run() override {
        require(rsb_spmv(RSB_TRANSPOSITION_N, &kOne, handle_, this->x(), 1, &kZero, this->y(), 1),
                "a product");
    }

    std::string detail() const override { return RSB_HEADER_VERSION_STRING ", tuned by rsb_tune_spmm"; }

private:
    static constexpr T kOne{1}, kZero{0};
    rsb_mtx_t* handle_ = nullptr;
};

}  // namespace

std::vector<Arm> rsb_arms(const ProblemSpec& spec) {
    return {sparse_arm<RsbMatrix>("librsb", spec)};
}

}  // namespace rooftune::peers
