// `rooftune new mine.cpp`: a commented example to start from.
#include <filesystem>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_output.h"
#include "tuner/external/declaration.h"
#include "tuner/external/example.h"
#include "tuner/external/program_description.h"
#include "tuner/own/commands.h"

namespace rooftune {

void add_new_command(Command& program) {
    auto file = std::make_shared<std::string>();
    Command app = program.command(
        "new", "Writes a kernel with annotations, or the description of a program, to start from");
    app.footer(
        "Examples:\n"
        "  rooftune new mine.cpp      a commented example: y = a x + y\n"
        "  rooftune new mine.cl       the same for an OpenCL device\n"
        "  rooftune new mine.rooftune the description of a program, commented\n"
        "  rooftune check mine.cpp    what its annotations say\n"
        "  rooftune tune mine.cpp     the best of its variants");
    app.option("file", *file,
               "The file to write, which must not be there yet (.cpp, .cc, .cxx, .cl or .rooftune)")
        .required();
    app.runs([file] {
        const bool is_description = external::is_description_name(*file);
        const auto language = external::language_of(*file);
        if (!is_description && (!language || language == external::Language::c))
            throw InputError(
                *file +
                ": the examples are C++ and OpenCL; give it a name that ends in .cpp or .cl, or in "
                ".rooftune for the description of a program");
        std::error_code error;
        if (std::filesystem::exists(std::filesystem::symlink_status(*file, error)))
            throw InputError(*file + ": it is there already, and is not written over; give another name");
        write_atomically(*file, is_description                           ? external::example_description()
                                : language == external::Language::opencl ? external::opencl_example_source()
                                                                         : external::example_source());
        print_page("Written: " + *file + "\n\nNext: `rooftune check " + *file +
                   "` says what its annotations mean, `rooftune tune " + *file +
                   "` finds the best of its variants.\n");
        return 0;
    });
}

}  // namespace rooftune
