#include "tuner/verify/check.h"

namespace rooftune::verify {

std::string_view to_text(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::changed:
            return "changed";
        case Status::failed:
            return "failed";
        case Status::undecided:
            return "undecided";
        case Status::not_checked:
            return "not checked";
    }
    return "not checked";
}

std::string_view to_text(Question question) {
    switch (question) {
        case Question::features:
            return "features";
        case Question::machine:
            return "machine";
        case Question::space:
            return "space";
        case Question::problem:
            return "problem";
        case Question::variant:
            return "variant";
        case Question::compiler:
            return "compiler";
        case Question::kernels:
            return "kernels";
        case Question::set:
            return "set";
        case Question::answer:
            return "answer";
        case Question::roof:
            return "roof";
        case Question::speed:
            return "speed";
        case Question::winner:
            return "winner";
    }
    return "features";
}

}  // namespace rooftune::verify
