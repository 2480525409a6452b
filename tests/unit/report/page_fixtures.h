// Input of reports, made of the made-up results.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/report/convergence_fixtures.h"
#include "tuner/report/html.h"
#include "tuner/report/markdown.h"
#include "tuner/report/sections.h"

namespace rooftune::test {

inline page::Input input_of(const std::vector<TuneResult>& results) {
    page::Input input;
    for (const TuneResult& r : results)
        input.files.push_back(
            {r, "tuned/" + r.family + ".json", "2024-05-31T17:04:59Z", "g++ 12.2.0", "b41ld"});
    return input;
}

inline std::string html_of_results(const std::vector<TuneResult>& results) {
    return page::html_of(page::build(input_of(results)));
}

}  // namespace rooftune::test
