// y = a x + b, some items of the array for each work item: neighbours of an item's, or one in as many as there are
// work items.
__kernel void scale(const int n, const float a, const float b, __global const float* x, __global float* y) {
    const int item = get_global_id(0);
#if STRIDED
    const int step = get_global_size(0);
    for (int k = 0; k < PER_ITEM; ++k) {
        const int i = item + k * step;
        if (i < n) y[i] = a * x[i] + b;
    }
#else
    for (int k = 0; k < PER_ITEM; ++k) {
        const int i = item * PER_ITEM + k;
        if (i < n) y[i] = a * x[i] + b;
    }
#endif
}
