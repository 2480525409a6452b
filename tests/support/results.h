// What must hold of every result of a tune, whatever the machine.
#pragma once

#include <cmath>
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
    int measured = 0, wrong = 0;
    for (const char* name : {"excluded", "set_aside"}) {
        const nlohmann::json& its = audit.at(name);
        measured += its.at("measured").get<int>();
        wrong += its.at("wrong").get<int>();
        CHECK(its.at("drawn").get<int>() <= its.at("measured").get<int>());
        // A limit is told by random draws alone; of a class that was drawn whole it is the share itself.
        const double limit = its.at("upper_limit").get<double>();
        if (its.at("drawn_wrong") == 0 && limit > 0.0)
            CHECK(limit == Approx(1.0 - std::pow(0.05, 1.0 / its.at("drawn").get<double>())));
    }
    CHECK(measured == audit.at("measured").get<int>());
    CHECK(wrong == audit.at("regrets").get<int>());
    const nlohmann::json& certificate = r.at("certificate");
    if (certificate.at("gap_high").is_number()) {
        CHECK(certificate.at("gap_low").get<double>() <= certificate.at("gap").get<double>());
        CHECK(certificate.at("gap").get<double>() <= certificate.at("gap_high").get<double>());
    }
    if (certificate.contains("sampled")) {
        for (const char* name : {"unmeasured", "raced_out"}) {
            const nlohmann::json& its = certificate.at("sampled").at(name);
            CHECK(its.at("faster").get<int>() <= its.at("drawn").get<int>());
            if (its.at("population") == 0) CHECK(its.at("drawn") == 0);
        }
    }
    const nlohmann::json& best = r.at("best");
    CHECK(best.at("verified").at("error").get<double>() <= 1.0);
    CHECK(best.at("verified").at("tolerance") == 1);
    const double median = best.at("seconds").at("median");
    CHECK(best.at("seconds").at("low").get<double>() <= median);
    CHECK(best.at("seconds").at("high").get<double>() >= median);
    const nlohmann::json& bound = r.at("bound");
    CHECK(bound.at("seconds_serial").get<double>() >= bound.at("seconds_lower").get<double>());
    // What an earlier run wrote stays where the rounds do not decide between its winner and this one.
    const bool kept = r.contains("config_before") && r.at("config_before").at("fate") == "kept";
    for (const char* name : {"config", "header", "plot"}) {
        if (kept && r.at("files").at(name).is_null()) continue;
        const std::string file = r.at("files").at(name);
        CHECK(std::filesystem::path(file).is_absolute());
        CHECK(std::filesystem::file_size(file) > 100);
    }
}

}  // namespace rooftune::test
