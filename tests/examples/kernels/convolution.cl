// A filter over an image: each work item computes WIDE points of a row, from the image itself or from a tile of it
// that its work-group keeps in local memory.
// rooftune: size w = 1024
// rooftune: size h = 768
// rooftune: size side = 5
// rooftune: in image f32[(w + side - 1) * (h + side - 1)] all
// rooftune: in weight f32[side * side] all
// rooftune: out result f32[w * h] all
// rooftune: parameter TX 8 16 32 64
// rooftune: parameter TY 1 2 4 8
// rooftune: parameter WIDE 1 2 4
// rooftune: parameter TILE 0 1
// rooftune: parameter OPT "" -cl-mad-enable (flag)
// rooftune: where TX * TY <= 256
// rooftune: global ceil(w/WIDE), h
// rooftune: local TX, TY
// rooftune: flops 2 * side * side * w * h
// rooftune: call filter(w, h, side, image, weight, result, local f32[TILE * (TX * WIDE + side - 1) * (TY + side - 1)])
// rooftune: reference plain(w, h, side, image, weight, result) over w, h

#ifndef TX
#define TX 8
#define TY 1
#define WIDE 1
#define TILE 0
#endif

__kernel void filter(int w, int h, int side, __global const float* image, __global const float* weight,
                     __global float* result, __local float* tile) {
    const int width = w + side - 1;
    const int y = get_global_id(1), first = get_group_id(0) * TX * WIDE;
#if TILE
    const int tile_width = TX * WIDE + side - 1, tile_height = TY + side - 1, y0 = get_group_id(1) * TY;
    for (int j = get_local_id(1); j < tile_height; j += TY) {
        for (int i = get_local_id(0); i < tile_width; i += TX) {
            const int at = min(first + i, width - 1), row = min(y0 + j, h + side - 2);
            tile[j * tile_width + i] = image[row * width + at];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int k = 0; k < WIDE; ++k) {
        const int inside = get_local_id(0) + k * TX, x = first + inside;
        if (x >= w || y >= h) continue;
        float sum = 0.0f;
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i) {
#if TILE
                sum += weight[j * side + i] * tile[(get_local_id(1) + j) * tile_width + inside + i];
#else
                sum += weight[j * side + i] * image[(y + j) * width + x + i];
#endif
            }
        }
        result[y * w + x] = sum;
    }
}

__kernel void plain(int w, int h, int side, __global const float* image, __global const float* weight,
                    __global float* result) {
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) sum += weight[j * side + i] * image[(y + j) * (w + side - 1) + x + i];
    }
    result[y * w + x] = sum;
}
