// Every fault that a Matrix Market file can have, planted, with the line and the reason that the
// message must name. The whole messages are golden output.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <vector>

#include "planted_files.h"
#include "tests/support/golden.h"

namespace rooftune::spmv::test {
namespace {

using namespace std::string_literals;

const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";
const std::string kInteger = "%%MatrixMarket matrix coordinate integer general\n";
const std::string kPattern = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string kSkew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

struct Fault {
    std::string name;
    std::string text;
    std::string said;  ///< part of the message, from ":LINE:" on
};

std::vector<Fault> faults() {
    return {
        // The banner.
        {"banner-typo", "%%MatrixMarkt matrix coordinate real general\n1 1 1\n1 1 1\n",
         ":1: the file starts with '%%MatrixMarkt', not with the banner (did you mean %%MatrixMarket?)"},
        {"banner-one-percent", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
         ":1: the banner starts with one %"},
        {"banner-no-percent", "MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
         ":1: the banner lacks its two %"},
        {"banner-blank-inside", "%% MatrixMarket matrix coordinate real general\n",
         ":1: a blank stands between %% and MatrixMarket"},
        {"banner-indented", " %%MatrixMarket matrix coordinate real general\n",
         ":1: the banner does not start at the beginning"},
        {"banner-missing", "1 1 1\n1 1 1\n", ":1: the file starts with '1', not with the banner"},
        {"banner-after-blank-line", "\n" + kReal, ":1: the first line is blank"},
        {"banner-object", "%%MatrixMarket matrx coordinate real general\n",
         ":1: unknown object 'matrx' in the banner; did you mean 'matrix'?"},
        {"banner-vector", "%%MatrixMarket vector coordinate real general\n", ":1: the object is a vector"},
        {"banner-format", "%%MatrixMarket matrix cordinate real general\n",
         ":1: unknown format 'cordinate' in the banner; did you mean 'coordinate'?"},
        {"banner-field", "%%MatrixMarket matrix coordinate reel general\n",
         ":1: unknown field 'reel' in the banner; did you mean 'real'?"},
        {"banner-double", "%%MatrixMarket matrix coordinate double general\n",
         ":1: unknown field 'double' in the banner; did you mean 'real'?"},
        {"banner-unsigned-skew", "%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric\n",
         ":1: unknown field 'unsigned-integer' in the banner; did you mean 'integer'?"},
        {"banner-symmetry", "%%MatrixMarket matrix coordinate real symetric\n",
         ":1: unknown symmetry 'symetric' in the banner; did you mean 'symmetric'?"},
        {"banner-skew", "%%MatrixMarket matrix coordinate real skew\n",
         ":1: unknown symmetry 'skew' in the banner; did you mean 'skew-symmetric'?"},
        {"banner-unknown-word", "%%MatrixMarket matrix coordinate float general\n",
         ":1: unknown field 'float' in the banner; known: real, integer, pattern or complex"},
        {"banner-extra", "%%MatrixMarket matrix coordinate real general sorted\n",
         ":1: extra text 'sorted' after the banner's five words"},
        {"banner-cut", "%%MatrixMarket matrix coordinate\n1 1 1\n",
         ":1: the banner ends after 'coordinate', its field is missing"},
        {"banner-only-word", "%%MatrixMarket",
         ":1: the banner ends after '%%MatrixMarket', its object is missing"},
        {"complex", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
         ":1: the field is complex"},
        {"complex-hermitian", "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n",
         ":1: the field is complex"},
        {"hermitian-real", "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n",
         ":1: hermitian goes with complex values only and the field is real"},
        {"hermitian-pattern", "%%MatrixMarket matrix coordinate pattern hermitian\n1 1 1\n1 1\n",
         ":1: hermitian goes with complex values only and the field is pattern"},
        {"pattern-skew", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n",
         ":1: a pattern has no values and so no signs"},
        {"pattern-array", "%%MatrixMarket matrix array pattern general\n1 1\n1\n",
         ":1: an array stores every value"},
        // Encodings.
        {"utf8-mark", "\xEF\xBB\xBF" + kReal + "1 1 1\n1 1 1\n",
         ":1: the file starts with a UTF-8 byte order mark"},
        {"utf16-mark", "\xFF\xFE%\0%\0M\0"s, ":1: the file is UTF-16"},
        {"utf16-big-endian", "\xFE\xFF\0%\0%"s, ":1: the file is UTF-16"},
        {"utf16-without-mark", "%\0%\0M\0a\0\n\0"s, ":1: the line holds NUL bytes"},
        {"old-macintosh", "%%MatrixMarket matrix coordinate real general\r1 1 1\r1 1 1\r",
         ":1: carriage returns inside the line"},
        {"tar", "matrix/matrix.mtx"s + std::string(240, '\0') + "ustar  "s + std::string(248, '\0') + kReal,
         ":1: the file is a tar archive"},
        {"nul-in-comment", kReal + "% a\0b\n1 1 1\n1 1 1\n"s, ":2: the line holds a NUL byte"},
        {"nul-in-entry", kReal + "1 1 1\n1 1 1\0\n"s, ":3: NUL byte in column 6"},
        {"nul-in-late-comment", kReal + "1 1 1\n1 1 1\n%\0\n"s, ":4: NUL byte in column 2"},
        {"line-of-megabytes", kReal + "%" + std::string(3'000'000, 'x') + "\n1 1 1\n1 1 1\n",
         ":2: the line is longer than 65536 bytes"},
        {"line-without-end", std::string(100'000, 'x'), ":1: the line is longer than 65536 bytes"},
        // The size line.
        {"size-missing", kReal + "% only a comment\n", ":2: the file ends before the size line"},
        {"size-forgotten", kReal + "1 1 2.5\n", ":2: the number of entries '2.5' is not an integer"},
        {"size-short", kReal + "% comment\n3 3\n1 1 1\n",
         ":3: the size line has 2 fields, expected 3 numbers"},
        {"size-extra", kReal + "3 3 1 0\n1 1 1\n", ":2: the size line has 4 fields, expected 3 numbers"},
        {"size-one-number", kArray + "3\n1\n", ":2: the size line has 1 field, expected 2 numbers"},
        {"array-size-with-entries", kArray + "2 2 4\n1\n1\n1\n1\n",
         ":2: the size line has 3 fields, expected 2 numbers"},
        {"size-negative", kReal + "-3 3 1\n1 1 1\n", ":2: the number of rows '-3' is negative"},
        {"entries-negative", kReal + "3 3 -1\n1 1 1\n", ":2: the number of entries '-1' is negative"},
        {"size-over-64-bits", kReal + "3 99999999999999999999 1\n1 1 1\n",
         ":2: the number of columns '99999999999999999999' does not fit 64 bits"},
        {"size-hexadecimal", kReal + "0x10 3 1\n1 1 1\n", ":2: the number of rows '0x10' is not an integer"},
        {"no-rows", kReal + "0 5 0\n", ":2: the matrix has 0 rows"},
        {"no-columns", kReal + "5 0 0\n", ":2: the matrix has 0 columns"},
        {"entries-beyond-places", kReal + "2 2 5\n1 1 1\n",
         ":2: the size line promises 5 entries and a matrix of 2 x 2 has room for 4"},
        {"entries-beyond-triangle", kSymmetric + "2 2 4\n1 1 1\n",
         ":2: the size line promises 4 entries and a matrix of 2 x 2 (one triangle) has room for 3"},
        {"symmetric-rectangular", kSymmetric + "2 3 1\n1 1 1\n",
         ":2: the banner says symmetric, but the matrix is 2 x 3"},
        {"skew-rectangular", kSkew + "3 2 1\n2 1 1\n",
         ":2: the banner says skew-symmetric, but the matrix is 3 x 2"},
        {"too-large-for-memory", kReal + "100000 100000 2000000000\n1 1 1\n",
         ":2: the matrix (100000 x 100000, 2000000000 entries) needs about 52.2 GiB of memory and 1.0 GiB "
         "are free"},
        {"rows-too-large-for-memory", kReal + "9000000000000000000 1 1\n1 1 1\n",
         ":2: the matrix (9e+18 x 1, 1 entries) needs about 1.34e+11 GiB"},
        {"array-too-large-for-memory", kArray + "3000000000 4000000000\n1\n",
         ":2: the matrix (3000000000 x 4000000000, 1.2e+19 entries) needs about"},
        // The entries.
        {"index-zero", kReal + "% comment\n\n2 2 2\n1 1 1\n0 1 1\n",
         ":6: the row index 0 is out of range; indices start at 1"},
        {"column-zero", kReal + "2 2 1\n1 0 1\n", ":3: the column index 0 is out of range"},
        {"index-negative", kReal + "2 2 1\n1 -1 1\n", ":3: the column index -1 is negative"},
        {"row-beyond", kReal + "2 2 1\n3 1 1\n", ":3: the row index 3 is beyond the 2 rows"},
        {"column-beyond", kReal + "2 2 1\n1 3 1\n", ":3: the column index 3 is beyond the 2 columns"},
        {"index-beyond-32-bits", kReal + "2 2 1\n4294967297 1 1\n",
         ":3: the row index 4294967297 is beyond the 2 rows"},
        {"index-over-64-bits", kReal + "2 2 1\n18446744073709551617 1 1\n",
         ":3: the row index '18446744073709551617' does not fit 64 bits"},
        {"index-real", kReal + "2 2 1\n1.0 1 1\n", ":3: the row index '1.0' is not an integer"},
        {"too-few", kReal + "2 2 3\n1 1 1\n2 2 1\n",
         ":4: the file ends after 2 of the 3 entries that line 2 promises"},
        {"none-at-all", kReal + "2 2 3\n", ":2: the file ends after 0 of the 3 entries"},
        {"too-many", kReal + "2 2 1\n1 1 1\n% comment\n2 2 1\n",
         ":5: more entries than the 1 that line 2 promises"},
        {"trailing-text", kReal + "1 1 1\n1 1 1\nend of file\n", ":4: more entries than the 1"},
        {"cut-mid-line", kReal + "2 2 2\n1 1 1\n2 2",
         ":4: the entry has 2 fields, expected 3 (row, column, value); the file ends within this line, it is "
         "cut"},
        {"value-missing", kReal + "2 2 2\n1 1\n2 2 1\n",
         ":3: the entry has 2 fields, expected 3 (row, column, value); correct the line"},
        {"value-extra", kReal + "2 2 1\n1 1 1 1\n", ":3: the entry has 4 fields, expected 3"},
        {"pattern-with-value", kPattern + "2 2 1\n1 1 1\n",
         ":3: the entry has 3 fields, expected 2 (row, column)"},
        {"array-two-values", kArray + "2 1\n1 2\n", ":3: the entry has 2 fields, expected 1 (a value)"},
        {"comment-behind-entry", kReal + "1 1 1\n1 1 1 % one\n", ":3: the entry has 5 fields, expected 3"},
        {"not-numeric", kReal + "2 2 1\n1 1 one\n", ":3: the value 'one' is not a decimal number"},
        {"decimal-comma", kReal + "2 2 1\n1 1 1,5\n", ":3: the value '1,5' is not a decimal number"},
        {"fortran-exponent", kReal + "2 2 1\n1 1 1.0D+03\n",
         ":3: the value '1.0D+03' is not a decimal number"},
        {"hexadecimal-value", kReal + "2 2 1\n1 1 0x1p3\n", ":3: the value '0x1p3' is not a decimal number"},
        {"two-signs", kReal + "2 2 1\n1 1 +-1\n", ":3: the value '+-1' is not a decimal number"},
        {"unprintable", kReal + "2 2 1\n1 1 \x01\xff\n", ":3: the value '\?\?' is not a decimal number"},
        {"value-overflow", kReal + "2 2 1\n1 1 1e999\n", ":3: the value '1e999' is too large for a double"},
        {"value-negative-overflow", kReal + "2 2 1\n1 1 -1.8e308\n",
         ":3: the value '-1.8e308' is too large for a double"},
        {"nan", kReal + "2 2 1\n1 1 NaN\n", ":3: the value 'NaN' is not finite"},
        {"infinity", kReal + "2 2 1\n1 1 -inf\n", ":3: the value '-inf' is not finite"},
        {"array-nan", kArray + "2 1\n1\nnan\n", ":4: the value 'nan' is not finite"},
        {"integer-with-fraction", kInteger + "2 2 1\n1 1 1.5\n", ":3: the value '1.5' is not an integer"},
        {"integer-overflow", kInteger + "2 2 1\n1 1 9223372036854775808\n",
         ":3: the value '9223372036854775808' does not fit 64 bits"},
        {"symmetric-upper", kSymmetric + "3 3 2\n1 1 1\n1 3 1\n",
         ":4: the entry (1, 3) lies above the diagonal"},
        {"skew-upper", kSkew + "3 3 1\n1 3 1\n", ":3: the entry (1, 3) lies above the diagonal"},
        {"skew-diagonal", kSkew + "3 3 2\n2 1 1\n2 2 0\n", ":4: the entry (2, 2) lies on the diagonal"},
        {"duplicate", kReal + "2 2 3\n1 1 1\n\n2 2 1\n% comment\n1 1 2\n",
         ":7: the entry (1, 1) was given in line 3 already"},
        {"duplicate-symmetric", kSymmetric + "3 3 3\n3 1 1\n2 2 1\n3 1 1\n",
         ":5: the entry (3, 1) was given in line 3 already"},
        {"duplicate-both-triangles", kSymmetric + "3 3 2\n3 1 1\n1 3 1\n",
         ":4: the entry (1, 3) lies above the diagonal"},
        {"array-too-few", kArray + "2 2\n1\n2\n3\n", ":5: the file ends after 3 of the 4 entries"},
        {"array-too-many", kArray + "2 1\n1\n2\n3\n", ":5: more entries than the 2"},
    };
}

MatrixMarketOptions one_gibibyte() {
    MatrixMarketOptions options;
    options.available_bytes = 0x1p30;
    return options;
}

}  // namespace

TEST_CASE("each planted fault is refused with its file, line and reason", "[matrix market]") {
    const PlantedFiles files;
    std::string messages;
    for (const Fault& fault : faults()) {
        const std::string name = fault.name + ".mtx";
        const std::string said = verdict(files, files.write(name, fault.text), one_gibibyte());
        INFO(fault.name);
        CHECK_THAT(said, Catch::StartsWith(name + fault.said));
        // The same through gzip: the lines are those of the text, not of the compressed bytes.
        const std::string through_gzip =
            verdict(files, files.write(name, gzipped(fault.text)), one_gibibyte());
        CHECK(through_gzip == said);
        messages += said + "\n";
    }
    rooftune::test::check_golden("spmv/matrix_market_faults.txt", messages);
}

TEST_CASE("a CRLF file has its faults at the same lines", "[matrix market]") {
    const PlantedFiles files;
    for (const Fault& fault : faults()) {
        if (fault.name.starts_with("old-mac") || fault.text.find("\xFE") != std::string::npos) continue;
        std::string text;
        for (const char c : fault.text) text += c == '\n' ? "\r\n"s : std::string(1, c);
        const std::string name = fault.name + ".mtx";
        INFO(fault.name);
        CHECK_THAT(verdict(files, files.write(name, text), one_gibibyte()),
                   Catch::StartsWith(name + fault.said));
    }
}

TEST_CASE("what is not a readable text file is refused by its kind", "[matrix market]") {
    const PlantedFiles files;
    const auto path = [&](const char* name) { return (files.folder() / name).string(); };
    const auto said = [&](const std::string& file) { return verdict(files, file); };

    CHECK_THAT(said(path("absent.mtx")), Catch::StartsWith("absent.mtx: no such file"));
    std::filesystem::create_directory(path("folder.mtx"));
    CHECK_THAT(said(path("folder.mtx")), Catch::StartsWith("folder.mtx: is a folder"));
    REQUIRE(mkfifo(path("pipe.mtx").c_str(), 0600) == 0);
    CHECK_THAT(said(path("pipe.mtx")), Catch::StartsWith("pipe.mtx: is a FIFO"));
    CHECK_THAT(said("/dev/null"), Catch::StartsWith("/dev/null: is a device"));
    CHECK_THAT(said(files.write("empty.mtx", "")), Catch::StartsWith("empty.mtx: is empty"));
    CHECK_THAT(said(files.write("empty.mtx.gz", gzipped(""))),
               Catch::StartsWith("empty.mtx.gz:1: the file is empty"));
    CHECK_THAT(said(files.write("a.bz2", "BZh91AY&SY")), Catch::Contains("is in bzip2 format"));
    CHECK_THAT(said(files.write("a.xz", "\xfd"s + "7zXZ\0\0"s)), Catch::Contains("is in xz format"));
    CHECK_THAT(said(files.write("a.zst", "\x28\xb5\x2f\xfd")), Catch::Contains("is in Zstandard format"));
    CHECK_THAT(said(files.write("a.zip", "PK\3\4....")), Catch::Contains("is in zip format"));
    std::filesystem::create_symlink("loop.mtx", path("loop.mtx"));
    CHECK_THAT(said(path("loop.mtx")), Catch::StartsWith("loop.mtx: cannot be opened"));
    if (geteuid() == 0) {
        WARN("skipped: a file without read permission, the superuser may read it");
    } else {
        const std::string closed = files.write("closed.mtx", kReal);
        std::filesystem::permissions(closed, std::filesystem::perms::none);
        CHECK_THAT(said(closed), Catch::StartsWith("closed.mtx: cannot be opened (Permission denied)"));
    }
}

TEST_CASE("damaged gzip data are named, at the line where the sound text ends", "[matrix market]") {
    const PlantedFiles files;
    std::string text = kReal + "2000 2000 2000\n";
    for (int i = 1; i <= 2000; ++i)
        text += std::to_string(i) + " " + std::to_string(i) + " 1." + std::to_string(i * 7919) + "\n";
    const std::string sound = gzipped(text);
    const auto said = [&](const std::string& bytes) {
        return verdict(files, files.write("a.mtx.gz", bytes));
    };

    REQUIRE(said(sound) == "accepted");
    CHECK_THAT(said(sound.substr(0, sound.size() / 2)),
               Catch::Matches("a\\.mtx\\.gz:[0-9]{3,4}: the gzip data end before their end mark.*"));
    CHECK_THAT(said(sound.substr(0, sound.size() - 1)),
               Catch::StartsWith("a.mtx.gz:2003: the gzip data end before"));
    CHECK_THAT(said(sound.substr(0, 5)), Catch::StartsWith("a.mtx.gz:1: the gzip data end before"));
    CHECK_THAT(said(sound + sound),
               Catch::StartsWith("a.mtx.gz:2003: a second gzip member follows the first"));
    CHECK_THAT(said(gzipped(text.substr(0, 4000)) + gzipped(text.substr(4000))),
               Catch::Contains("a second gzip member follows the first"));
    CHECK_THAT(said(sound + "\n"), Catch::StartsWith("a.mtx.gz:2003: bytes follow the end of the gzip data"));

    std::string wrong_sum = sound;
    wrong_sum[sound.size() - 6] = static_cast<char>(wrong_sum[sound.size() - 6] ^ 1);
    CHECK_THAT(said(wrong_sum),
               Catch::StartsWith("a.mtx.gz:2003: the gzip data are damaged (incorrect data check)"));
    std::string wrong_length = sound;
    wrong_length[sound.size() - 1] = static_cast<char>(wrong_length[sound.size() - 1] ^ 1);
    CHECK_THAT(said(wrong_length),
               Catch::StartsWith("a.mtx.gz:2003: the gzip data are damaged (incorrect length check)"));
    std::string wrong_method = sound;
    wrong_method[2] = 7;
    CHECK_THAT(said(wrong_method),
               Catch::StartsWith("a.mtx.gz:1: the gzip data are damaged (unknown compression method)"));
}

TEST_CASE("a compression bomb is stopped at the limit on text without entries", "[matrix market]") {
    const PlantedFiles files;
    MatrixMarketOptions options;
    options.largest_filler = 4 << 20;
    const std::string filling[] = {std::string(8 << 20, '\n'), [] {
                                       std::string comments;
                                       while (comments.size() < 8 << 20)
                                           comments += "%" + std::string(999, ' ') + "\n";
                                       return comments;
                                   }()};
    for (const std::string& filler : filling) {
        const std::string before_size =
            files.write("bomb.mtx.gz", gzipped(kReal + filler + "1 1 1\n1 1 1\n"));
        CHECK_THAT(verdict(files, before_size, options),
                   Catch::Contains("more than 4 MiB of text that is not entries"));
        const std::string after_entry =
            files.write("bomb.mtx.gz", gzipped(kReal + "1 1 1\n1 1 1\n" + filler));
        CHECK_THAT(verdict(files, after_entry, options),
                   Catch::Contains("more than 4 MiB of text that is not entries"));
        options.largest_filler = 16 << 20;
        CHECK(verdict(files, before_size, options) == "accepted");
        options.largest_filler = 4 << 20;
    }
}

}  // namespace rooftune::spmv::test
