#include <array>
#include <new>

#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl_context.h"

namespace rooftune::opencl {
namespace {

struct ErrorName {
    cl_int status;
    const char* name;
};

#define ROOFTUNE_CL(x) \
    ErrorName {        \
        x, #x          \
    }
constexpr std::array kNames{ROOFTUNE_CL(CL_DEVICE_NOT_FOUND),
                            ROOFTUNE_CL(CL_DEVICE_NOT_AVAILABLE),
                            ROOFTUNE_CL(CL_COMPILER_NOT_AVAILABLE),
                            ROOFTUNE_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE),
                            ROOFTUNE_CL(CL_OUT_OF_RESOURCES),
                            ROOFTUNE_CL(CL_OUT_OF_HOST_MEMORY),
                            ROOFTUNE_CL(CL_PROFILING_INFO_NOT_AVAILABLE),
                            ROOFTUNE_CL(CL_MEM_COPY_OVERLAP),
                            ROOFTUNE_CL(CL_BUILD_PROGRAM_FAILURE),
                            ROOFTUNE_CL(CL_MAP_FAILURE),
                            ROOFTUNE_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET),
                            ROOFTUNE_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
                            ROOFTUNE_CL(CL_COMPILE_PROGRAM_FAILURE),
                            ROOFTUNE_CL(CL_LINKER_NOT_AVAILABLE),
                            ROOFTUNE_CL(CL_LINK_PROGRAM_FAILURE),
                            ROOFTUNE_CL(CL_INVALID_VALUE),
                            ROOFTUNE_CL(CL_INVALID_PLATFORM),
                            ROOFTUNE_CL(CL_INVALID_DEVICE),
                            ROOFTUNE_CL(CL_INVALID_CONTEXT),
                            ROOFTUNE_CL(CL_INVALID_QUEUE_PROPERTIES),
                            ROOFTUNE_CL(CL_INVALID_COMMAND_QUEUE),
                            ROOFTUNE_CL(CL_INVALID_MEM_OBJECT),
                            ROOFTUNE_CL(CL_INVALID_BINARY),
                            ROOFTUNE_CL(CL_INVALID_BUILD_OPTIONS),
                            ROOFTUNE_CL(CL_INVALID_PROGRAM),
                            ROOFTUNE_CL(CL_INVALID_PROGRAM_EXECUTABLE),
                            ROOFTUNE_CL(CL_INVALID_KERNEL_NAME),
                            ROOFTUNE_CL(CL_INVALID_KERNEL),
                            ROOFTUNE_CL(CL_INVALID_ARG_INDEX),
                            ROOFTUNE_CL(CL_INVALID_ARG_VALUE),
                            ROOFTUNE_CL(CL_INVALID_ARG_SIZE),
                            ROOFTUNE_CL(CL_INVALID_KERNEL_ARGS),
                            ROOFTUNE_CL(CL_INVALID_WORK_DIMENSION),
                            ROOFTUNE_CL(CL_INVALID_WORK_GROUP_SIZE),
                            ROOFTUNE_CL(CL_INVALID_WORK_ITEM_SIZE),
                            ROOFTUNE_CL(CL_INVALID_GLOBAL_OFFSET),
                            ROOFTUNE_CL(CL_INVALID_EVENT_WAIT_LIST),
                            ROOFTUNE_CL(CL_INVALID_EVENT),
                            ROOFTUNE_CL(CL_INVALID_OPERATION),
                            ROOFTUNE_CL(CL_INVALID_BUFFER_SIZE),
                            ROOFTUNE_CL(CL_INVALID_GLOBAL_WORK_SIZE),
                            ROOFTUNE_CL(CL_INVALID_PROPERTY),
                            ROOFTUNE_CL(CL_INVALID_COMPILER_OPTIONS),
                            ROOFTUNE_CL(CL_INVALID_LINKER_OPTIONS)};
#undef ROOFTUNE_CL

}  // namespace

std::string error_name(cl_int status) {
    for (const ErrorName& entry : kNames) {
        if (entry.status == status) return entry.name;
    }
    return status == -1001 ? "no OpenCL platform" : "unknown error";
}

void check(cl_int status, const std::string& doing) {
    if (status == CL_SUCCESS) return;
    const std::string what =
        "OpenCL, " + doing + ": " + error_name(status) + " (" + std::to_string(status) + ")";
    switch (status) {
        case CL_OUT_OF_HOST_MEMORY:
            throw std::bad_alloc();
        case CL_OUT_OF_RESOURCES:
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_INVALID_BUFFER_SIZE:
        case CL_INVALID_WORK_GROUP_SIZE:
        case CL_INVALID_WORK_ITEM_SIZE:
            throw VariantError(VariantError::Kind::resources, what);
        case CL_BUILD_PROGRAM_FAILURE:
        case CL_COMPILE_PROGRAM_FAILURE:
        case CL_LINK_PROGRAM_FAILURE:
        case CL_INVALID_BUILD_OPTIONS:
        case CL_INVALID_COMPILER_OPTIONS:
        case CL_INVALID_KERNEL_NAME:
            throw VariantError(VariantError::Kind::build, what);
        case CL_INVALID_ARG_VALUE:
        case CL_INVALID_ARG_SIZE:
        case CL_INVALID_KERNEL_ARGS:
        case CL_INVALID_GLOBAL_WORK_SIZE:
            throw VariantError(VariantError::Kind::fault, what);
        default:
            throw EnvironmentError(what + "; `clinfo` shows whether the device works");
    }
}

}  // namespace rooftune::opencl
