// The sum of an array: one atomic variable for all, one for each thread's part, or a tree of partial sums.
// rooftune: size n = 1<<20
// rooftune: in x f64[n] all
// rooftune: out sum f64[1] all
// rooftune: parameter METHOD tree part atomic
// rooftune: parameter ACCUMULATORS 1 2 4 8 when METHOD != 'atomic'
// rooftune: parameter threads 1 all
// rooftune: flags -O3 -march=native -fopenmp
// rooftune: flops n
// rooftune: call total(n, x, sum)
// rooftune: reference plain(n, x, sum)

enum Method { tree, part, atomic };
#ifndef ACCUMULATORS
#define ACCUMULATORS 1
#endif

static double of_range(const double* x, long begin, long end) {
    double s[ACCUMULATORS] = {};
    long i = begin;
    for (; i + ACCUMULATORS <= end; i += ACCUMULATORS) {
        for (int k = 0; k < ACCUMULATORS; ++k) s[k] += x[i + k];
    }
    for (; i < end; ++i) s[0] += x[i];
    double all = 0.0;
    for (const double one : s) all += one;
    return all;
}

static double of_tree(const double* x, long begin, long end) {
    if (end - begin <= 4096) return of_range(x, begin, end);
    const long middle = begin + (end - begin) / 2;
    return of_tree(x, begin, middle) + of_tree(x, middle, end);
}

void total(long n, const double* x, double* sum) {
    double all = 0.0;
    constexpr long kParts = 64;
#pragma omp parallel for schedule(static)
    for (long p = 0; p < kParts; ++p) {
        const long begin = n * p / kParts, end = n * (p + 1) / kParts;
        if (METHOD == atomic) {
            for (long i = begin; i < end; ++i) {
#pragma omp atomic
                all += x[i];
            }
        } else {
            const double mine = METHOD == tree ? of_tree(x, begin, end) : of_range(x, begin, end);
#pragma omp atomic
            all += mine;
        }
    }
    *sum = all;
}

void plain(long n, const double* x, double* sum) {
    double all = 0.0;
    for (long i = 0; i < n; ++i) all += x[i];
    *sum = all;
}
