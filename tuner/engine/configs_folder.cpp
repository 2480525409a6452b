#include "tuner/engine/configs_folder.h"

#include <filesystem>

#include "tuner/engine/options.h"

namespace rooftune {

std::string missing_configs() {
    const std::filesystem::path configs = std::filesystem::path(home_folder()) / "configs";
    std::error_code none;
    if (std::filesystem::is_directory(configs, none)) return "";
    return "the folder with presets and job files, " + configs.string() +
           ", is not there; let ROOFTUNE_HOME name the folder that configs lies in";
}

}  // namespace rooftune
