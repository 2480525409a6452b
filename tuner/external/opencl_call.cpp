#include "tuner/external/opencl_call.h"

#include <algorithm>

#include "tuner/external/cursor.h"

namespace rooftune::external {
namespace {

const char* const kForm = "f(n, x, y), where local f32[WG] stands for local memory";

OpenclArgument local_memory(const Declaration& d, Cursor& c) {
    OpenclArgument a;
    a.kind = OpenclArgument::Kind::local_memory;
    const Text type = c.word();
    const std::optional<Element> element = element_from(type.text);
    if (!element)
        refuse(d.file, type, "'" + type.text + "' is no type of elements; write local f32[WG], say");
    a.element = *element;
    c.need('[', "local f32[WG]");
    a.text = c.until(']');
    c.need(']', "local f32[WG]");
    if (a.text.text.empty())
        refuse(d.file, a.text, "the number of elements is missing; write local f32[WG], say");
    return a;
}

OpenclArgument argument(const Declaration& d, Cursor& c) {
    if (c.take_word("local")) return local_memory(d, c);
    OpenclArgument a;
    a.text = c.until_any(",)");
    if (a.text.text.empty()) refuse(d.file, a.text, std::string("an argument is missing; write ") + kForm);
    const auto known = std::find_if(d.arrays.begin(), d.arrays.end(),
                                    [&](const DeclaredArray& x) { return x.name.text == a.text.text; });
    if (known != d.arrays.end()) {
        a.kind = OpenclArgument::Kind::array;
        a.array = static_cast<std::size_t>(known - d.arrays.begin());
    }
    return a;
}

}  // namespace

OpenclCall opencl_call(const Declaration& declaration, const Text& text) {
    Cursor c(declaration.file, text);
    OpenclCall call;
    call.kernel = c.name(kForm);
    c.need('(', kForm);
    if (!c.take(')')) {
        do call.arguments.push_back(argument(declaration, c));
        while (c.take(','));
        c.need(')', kForm);
    }
    if (c.take_word("over")) {
        do {
            call.over.push_back(c.until(','));
            if (call.over.back().text.empty() || call.over.size() > 3)
                refuse(declaration.file, call.over.back(), "one to three sizes are needed; write over n, m");
        } while (c.take(','));
    }
    c.finish(kForm);
    return call;
}

void check_language(const Declaration& d) {
    if (d.language != Language::opencl) {
        for (const std::vector<Text>* sizes : {&d.global, &d.local}) {
            if (!sizes->empty())
                refuse(d.file, sizes->front(),
                       "work items are of OpenCL kernels, in files that end in .cl; leave it out");
        }
        return;
    }
    for (const DeclaredParameter& p : d.parameters) {
        if (p.kind == ParameterKind::compiler || p.kind == ParameterKind::environment ||
            p.kind == ParameterKind::threads)
            refuse(d.file, p.name,
                   "an OpenCL kernel has no parameter of kind " + std::string(to_text(p.kind)) +
                       "; make it a macro, a flag or an argument");
    }
    for (const auto& [word, text] : {std::pair{"threads", &d.threads}, {"compiler", &d.compiler}}) {
        if (*text)
            refuse(d.file, **text,
                   std::string("'") + word +
                       "' says nothing of an OpenCL kernel, whose device has its own; " + "leave it out");
    }
    if (d.global.empty())
        refuse(d.file, d.call,
               d.call.flag.empty()
                   ? "no annotation says how many work items there are; add one like `// rooftune: global n`"
                   : "nothing says how many work items there are; add \"global\": [\"n\"]");
    if (!d.local.empty() && d.local.size() != d.global.size())
        refuse(d.file, d.local.front(),
               "there are more or fewer local sizes than global ones; give as many of each");
    const OpenclCall call = opencl_call(d, d.call);
    if (!call.over.empty())
        refuse(d.file, call.over.front(), "the kernel's work items are those of `global`; leave over out");
    if (d.reference) opencl_call(d, *d.reference);
}

}  // namespace rooftune::external
