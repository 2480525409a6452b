// What makes two tunes the same job, so that the second resumes the first: problem, family, backend,
// space version, state, threads, build of the kernels, and the machine. Budget and seed are not
// part of it.
#pragma once

#include <map>
#include <string>

namespace rooftune {

struct JobKey {
    std::string family;
    std::string backend = "cpu";
    std::map<std::string, std::string> problem;  ///< for people; identity is the digest
    std::string digest;                          ///< of the problem's content
    std::string dtype;
    std::string state;
    int threads = 1;
    std::string machine_id;
    int space_version = 0;
    std::string build;  ///< hash of the kernels' build
    std::string title;  ///< for people

    /// The identity as text, a line a field. The problem enters by its digest, so that a matrix
    /// moved to another folder is the same problem; by its keys and values where it has no digest.
    std::string canonical() const;
    /// 16 hexadecimal digits of the canonical text: the job's short name.
    std::string hash() const;
};

}  // namespace rooftune
