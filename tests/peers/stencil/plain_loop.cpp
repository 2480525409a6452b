// The plain loop for any x86-64: -O3 -fopenmp.
#include "tests/peers/stencil/plain_loop-inl.h"

namespace rooftune::peers {

PlainCode<double> plain_f64() {
    return {&sweeps<double>, &first_touch<double>};
}
PlainCode<float> plain_f32() {
    return {&sweeps<float>, &first_touch<float>};
}

}  // namespace rooftune::peers
