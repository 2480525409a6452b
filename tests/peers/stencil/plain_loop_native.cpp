// The plain loop for the processor that it is built on: -O3 -fopenmp -march=native.
#include "tests/peers/stencil/plain_loop-inl.h"

namespace rooftune::peers {

PlainCode<double> plain_native_f64() {
    return {&sweeps<double>, &first_touch<double>};
}
PlainCode<float> plain_native_f32() {
    return {&sweeps<float>, &first_touch<float>};
}

}  // namespace rooftune::peers
