// What must hold of every result of a tune, whatever the machine.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/session.h"

namespace rooftune::test {

inline void check_result(const nlohmann::json& r) {
    INFO(r.at("title").dump());
    CHECK(r.at("schema") == "rooftune/tune-result/4");
    CHECK(classes_sum(r.at("certificate")) == r.at("certificate").at("space").get<std::uint64_t>());
    CHECK(r.at("certificate").at("failed") == 0);
    const nlohmann::json& audit = r.at("certificate").at("audit");
    CHECK(audit.at("regrets").get<int>() <= audit.at("measured").get<int>());
    if (audit.at("regrets") == 0 && audit.at("measured").get<int>() >= 3) {
        CHECK(audit.at("upper_limit").get<double>() == Approx(3.0 / audit.at("measured").get<double>()));
    }
    const nlohmann::json& best = r.at("best");
    CHECK(best.at("verified").at("error").get<double>() <= 1.0);
    CHECK(best.at("verified").at("tolerance") == 1);
    const double median = best.at("seconds").at("median");
    CHECK(best.at("seconds").at("low").get<double>() <= median);
    CHECK(best.at("seconds").at("high").get<double>() >= median);
    const nlohmann::json& bound = r.at("bound");
    CHECK(bound.at("seconds_serial").get<double>() >= bound.at("seconds_lower").get<double>());
    for (const char* name : {"config", "header", "plot"}) {
        const std::string file = r.at("files").at(name);
        CHECK(std::filesystem::path(file).is_absolute());
        CHECK(std::filesystem::file_size(file) > 100);
    }
}

}  // namespace rooftune::test
