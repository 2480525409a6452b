// Nothing but a worker: what tests of the engine, whose own program runs tests, give as TuneOptions::worker.
#include "tuner/engine/tune.h"

int main(int argc, char** argv) {
    return rooftune::serve_worker(argc, argv).value_or(2);
}
