// An SpMV problem: a matrix from a Matrix Market file or a generator, and an element type.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "kernels/runtime/team.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/layout.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Entries side by side in a row, on average; 1 without entries.
double mean_run(const CsrView& matrix);

class SpmvProblem final : public Problem {
public:
    /// Loads and validates. Throws InputError.
    static std::unique_ptr<SpmvProblem> load(const ProblemSpec& spec);
    /// A problem on a matrix in hand (tests, generators).
    static std::unique_ptr<SpmvProblem> from(Csr matrix, DType dtype, ProblemSpec spec, std::string title);
    /// A problem on a matrix that somebody else holds, for as long as the problem lives; so long nobody else
    /// may use `team`, which reads the arrays with more than one thread.
    static std::unique_ptr<SpmvProblem> from(const CsrView& matrix, DType dtype, ProblemSpec spec,
                                             std::string title, Team* team = nullptr);
    /// Maps what share() wrote.
    static std::unique_ptr<SpmvProblem> attach(int descriptor);
    /// Keys that a spec may hold.
    static std::vector<ProblemKey> keys();

    ~SpmvProblem() override;
    ProblemSpec spec() const override;
    std::string title() const override;
    std::string digest() const override;
    /// Of size, row starts and columns: no format and no kernel looks at the values.
    std::string pattern_digest() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::pair<std::string, double>> features() const override;
    Inspection inspect(int cells) const override;
    DType dtype() const override;
    double flops_nominal() const override;

    const CsrView& matrix() const;
    /// The structure of the matrix in a format. The one that was asked for last is kept: who chooses a
    /// variant and then converts needs it twice. To be called by one thread at a time.
    std::shared_ptr<const Layout> layout(const FormatKey& format) const;
    /// A memfd (the caller's) with the matrix and everything attach() needs.
    int share() const;

private:
    struct Data;
    explicit SpmvProblem(std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

}  // namespace rooftune::spmv
