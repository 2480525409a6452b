/* Loads the shared library as a plugin does, uses it and lets it go, a hundred times: plugin LIBRARY */
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rooftune/rooftune_c.h>

typedef rooftune_plan* (*make_plan)(const rooftune_tuned*, int64_t, int64_t, const int64_t*, const int32_t*,
                                    const double*, int, int);
typedef int (*run_plan)(rooftune_plan*, const double*, double*);
typedef void (*free_plan)(rooftune_plan*);
typedef const char* (*last_error)(void);

/* Threads of this process. */
static int threads(void) {
    FILE* status = fopen("/proc/self/status", "r");
    char line[256];
    int number = -1;
    while (status && fgets(line, sizeof line, status)) sscanf(line, "Threads: %d", &number);
    if (status) fclose(status);
    return number;
}

int main(int count, char** words) {
    const int64_t begin[] = {0, 2, 3};
    const int32_t column[] = {0, 1, 1};
    const double value[] = {1.0, 2.0, 3.0}, x[] = {10.0, 100.0};
    if (count != 2) return 2;
    for (int round = 0; round < 100; ++round) {
        void* library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
        make_plan make;
        run_plan run;
        free_plan drop;
        last_error why;
        double y[] = {0.0, 0.0};
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 3;
        }
        *(void**)&make = dlsym(library, "rooftune_spmv_plan_f64");
        *(void**)&run = dlsym(library, "rooftune_spmv_f64");
        *(void**)&drop = dlsym(library, "rooftune_free_plan");
        *(void**)&why = dlsym(library, "rooftune_error");
        if (!make || !run || !drop || !why) return 4;
        if (make(NULL, 2, 2, NULL, column, value, 0, 0) || !strstr(why(), "null pointer")) return 8;
        rooftune_plan* plan = make(NULL, 2, 2, begin, column, value, 0, 0);
        if (!plan || run(plan, x, y) != ROOFTUNE_OK || y[0] != 210.0 || y[1] != 300.0) return 5;
        drop(plan);
        /* The kernel counts a thread for a moment after it was joined. */
        for (int look = 0; threads() != 1 && look < 5000; ++look) usleep(1000);
        if (threads() != 1) {
            fprintf(stderr, "%d threads are left\n", threads());
            return 6;
        }
        dlclose(library);
#if defined(__GLIBC__)
        /* Others need not let go of what was closed. */
        if (dlopen(words[1], RTLD_NOW | RTLD_NOLOAD)) {
            fputs("the library is still there\n", stderr);
            return 7;
        }
#endif
    }
    puts("loaded and let go 100 times");
    return 0;
}
