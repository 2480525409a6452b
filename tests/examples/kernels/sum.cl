// The sum of an array: each item adds its part to the one result, or a work-group first adds up its items' parts, in
// a tree in local memory.
// rooftune: size n = 1<<20
// rooftune: in x i32[n] all
// rooftune: inout sum i32[1] all = 0
// rooftune: parameter METHOD atomic tree
// rooftune: parameter WG 32 64 128 256
// rooftune: parameter GROUPS 2 8 32 128
// rooftune: parameter NEIGHBOURS 0 1
// rooftune: global WG * GROUPS
// rooftune: local WG
// rooftune: call total(n, x, sum, local i32[WG])
// rooftune: reference plain(n, x, sum)

#define atomic 0
#define tree 1
#ifndef METHOD
#define METHOD tree
#endif

__kernel void total(int n, __global const int* x, __global int* sum, __local int* part) {
    const int items = get_global_size(0), me = get_global_id(0);
    int mine = 0;
#if NEIGHBOURS
    for (int i = me; i < n; i += items) mine += x[i];
#else
    const int each = (n + items - 1) / items, end = min(n, (me + 1) * each);
    for (int i = me * each; i < end; ++i) mine += x[i];
#endif
#if METHOD == atomic
    atomic_add(sum, mine);
#else
    const int at = get_local_id(0);
    part[at] = mine;
    for (int half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at < half_way) part[at] += part[at + half_way];
    }
    if (at == 0) atomic_add(sum, part[0]);
#endif
}

__kernel void plain(int n, __global const int* x, __global int* sum) {
    int all = 0;
    for (int i = 0; i < n; ++i) all += x[i];
    *sum += all;
}
