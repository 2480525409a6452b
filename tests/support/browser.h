// A page in a real browser, driven by a script: the script is put into a copy of the page, does what a reader
// would do, and what it found is read from the document as the browser left it.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/process.h"

namespace rooftune::test {

/// Path of Chromium (package `chromium`), empty where there is none.
inline std::string chromium() {
    const char* path = std::getenv("PATH");
    std::stringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = folder + "/chromium";
        if (::access(program.c_str(), X_OK) == 0) return program;
    }
    return "";
}

struct Visit {
    std::string dom;                    ///< the document at the end
    std::vector<std::string> verdicts;  ///< lines of the element with the id "verdict"
    std::vector<std::string> console;   ///< what the browser itself reported of the page
};

/// The page with the driver behind its own script; errors are caught from the first line on.
inline std::string with_driver(std::string page, const std::string& driver) {
    const auto put = [&](const std::string& before, const std::string& text) {
        const std::size_t at = page.rfind(before);
        REQUIRE(at != std::string::npos);
        page.insert(at, text);
    };
    put("<style>",
        "<script>window.pageErrors = []; addEventListener('error', (e) => window.pageErrors.push(e.message));"
        "</script>\n");
    put("</body>", "<script>\n" + driver + "</script>\n");
    return page;
}

/// Opens a file of `folder` as file:// in a window of this size and waits until its scripts have ended.
inline Visit visit(const TemporaryFolder& folder, const std::string& file, const std::string& size,
                   const std::vector<std::string>& more = {}) {
    std::vector<std::string> command{chromium(),
                                     "--headless",
                                     "--no-sandbox",
                                     "--disable-gpu",
                                     "--disable-extensions",
                                     "--disable-background-networking",
                                     "--enable-logging=stderr",
                                     "--user-data-dir=" + folder / "profile",
                                     "--virtual-time-budget=6000",
                                     "--window-size=" + size,
                                     "--dump-dom"};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back("file://" + folder / file);
    const Finished f = run(command);
    Visit visit;
    visit.dom = f.out;
    std::istringstream log(f.error);
    for (std::string line; std::getline(log, line);) {
        if (line.find(":CONSOLE") != std::string::npos) visit.console.push_back(line);
    }
    const std::size_t begin = f.out.find("<pre id=\"verdict\">"), end = f.out.find("</pre>", begin);
    if (begin != std::string::npos && end != std::string::npos) {
        std::istringstream lines(f.out.substr(begin + 18, end - begin - 18));
        for (std::string line; std::getline(lines, line);) visit.verdicts.push_back(line);
    }
    return visit;
}

}  // namespace rooftune::test
