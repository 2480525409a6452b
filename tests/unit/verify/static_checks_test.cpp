// What can be seen without measuring: the hard key, the performance key, the build, the problem, the variant.
#include "tuner/verify/static_checks.h"

#include "tests/unit/verify/planted.h"
#include "tuner/base/fingerprint_words.h"

using namespace rooftune;
using namespace rooftune::verify;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Validity verdict(const Claim& claim, const Environment& here) {
    return verdict_of(static_checks(claim, here));
}

}  // namespace

TEST_CASE("nothing changed: VALID, and it may be measured") {
    const std::vector<Check> checks = static_checks(sound_claim(), sound_here());
    CHECK(verdict_of(checks) == Validity::valid);
    CHECK(reason_of(checks).empty());
    CHECK(may_measure(checks));
    for (const Check& c : checks) {
        INFO(to_text(c.question));
        CHECK(c.status == Status::ok);
        CHECK(c.meaning.empty());
        CHECK(c.then == c.now);
    }
}

TEST_CASE("a CPU flag that is gone: the winner's vectors are missing, NOT HERE") {
    Environment here = sound_here();
    here.widths = {128, 256};
    const std::vector<Check> checks = static_checks(sound_claim(), here);
    CHECK(verdict_of(checks) == Validity::not_here);
    CHECK_FALSE(may_measure(checks));
    CHECK_THAT(reason_of(checks), Contains("needs vectors of 512 bits") &&
                                      Contains("vectors of 256 bits at most") && Contains("default variant"));
    here.widths = {};
    CHECK_THAT(reason_of(static_checks(sound_claim(), here)), Contains("scalar code only"));
    SECTION("a winner without vectors does not need any") {
        Claim scalar = sound_claim();
        scalar.tuned.needs.vector_bits = 64;
        CHECK(verdict(scalar, here) == Validity::valid);
    }
    SECTION("an older config does not say what it needs") {
        Claim older = sound_claim();
        older.tuned.needs = {};
        CHECK(verdict(older, here) == Validity::valid);
    }
}

TEST_CASE("fewer processing units than it was tuned for: NOT HERE") {
    Environment here = sound_here();
    here.processors = 1;
    CHECK(verdict(sound_claim(), here) == Validity::not_here);
    here.processors = 3;
    CHECK(verdict(sound_claim(), here) == Validity::valid);
}

TEST_CASE("another machine: NOT HERE, with what differs") {
    Environment here = sound_here();
    here.machine_id = "GenuineIntel-6-143-8-c2t2n1-w256-48K-2048K-33792Kx2-KVMKVMKVM";
    const std::vector<Check> checks = static_checks(sound_claim(), here);
    CHECK(verdict_of(checks) == Validity::not_here);
    CHECK_THAT(reason_of(checks), Contains("Some Xeon") &&
                                      Contains("vectors of up to 512 bits then, 256 now") &&
                                      Contains("tune it here"));
    here.machine_id = "preset";
    CHECK_THAT(reason_of(static_checks(sound_claim(), here)), !Contains("then,"));
}

TEST_CASE("fingerprints are taken apart") {
    const std::string a = "AuthenticAMD-25-1-1-c4t8n1-w256-32Kx2-512Kx2-32768Kx8";
    CHECK(fingerprint_difference(a, a).empty());
    CHECK(fingerprint_difference(a, "AuthenticAMD-25-1-1-c4t4n1-w256-32Kx2-512Kx2-32768Kx8") ==
          "8 processing units then, 4 now");
    CHECK(fingerprint_difference(a, "AuthenticAMD-25-1-2-c4t8n1-w256-32Kx2-512Kx2-32768Kx8-KVMKVMKVM") ==
          "the processor AuthenticAMD-25-1-1 then, AuthenticAMD-25-1-2 now; the hypervisor none then, "
          "KVM now");
    // Two signatures of one hypervisor: its name would not tell them apart.
    CHECK(fingerprint_difference(a + "-KVMKVMKVM", a + "-Linux_KVM_Hv") ==
          "the hypervisor KVMKVMKVM then, Linux_KVM_Hv now");
    CHECK(fingerprint_difference(a, "AuthenticAMD-25-1-1-c4t8n2-w256-32Kx2-512Kx2-16384Kx8") ==
          "1 memory nodes then, 2 now; caches of 32Kx2, 512Kx2, 32768Kx8 then, 32Kx2, 512Kx2, 16384Kx8 now");
    CHECK(fingerprint_difference(a, "AuthenticAMD-25-1-1-c4t8n1-w256") ==
          "caches of 32Kx2, 512Kx2, 32768Kx8 then, none known now");
    CHECK(fingerprint_difference("toy", a).empty());
    CHECK(fingerprint_difference(a, "").empty());
}

TEST_CASE("what is no fingerprint is not taken apart") {
    const std::string a = "AuthenticAMD-25-1-1-c4t8n1-w256-32Kx2";
    for (const char* other :
         {"-25-1-1-c4t8n1-w256", "AMD-25-1-c4t8n1-w256", "AMD-25-x-1-c4t8n1-w256", "AMD-25-1-1-c4t8-w256",
          "AMD-25-1-1-ct8n1-w256", "AMD-25-1-1-c4t8n1-w", "AMD-25-1-1-c4t8n1", "AMD-25-1-1-c4t8n1-w256x",
          "AMD-25-1-1-c4t8n1-w256-", "AMD-25-1-1-c4t8n1-w256-32K\n", "A\nMD-25-1-1-c4t8n1-w256"}) {
        INFO(other);
        CHECK(fingerprint_difference(a, other).empty());
    }
}

TEST_CASE("a fingerprint whose end is unusual is read as far as it goes") {
    const auto against = [](const std::string& end) {
        return fingerprint_difference("A-c1-1-1-1-c4t8n1-w256-32Kx2", "A-c1-1-1-1-c4t8n1-w256" + end);
    };
    CHECK(against("-32Kx2-Some-Hypervisor-c9") == "the hypervisor none then, Some-Hypervisor-c9 now");
    CHECK(against("-32Kx2-64Kx") == "the hypervisor none then, 64Kx now");
    CHECK(against("-32Kx2-64K-") == "the hypervisor none then, 64K- now");
    CHECK(against("-32Kx2-64K") == "caches of 32Kx2 then, 32Kx2, 64K now");
    CHECK(against("-32Kx2-" + std::string(1 << 20, 'h')).size() > (1 << 20));
}

TEST_CASE(
    "another compiler, another build of the kernels, another space: STALE, still measured but the space") {
    Environment here = sound_here();
    here.compiler = "GNU 13.1.0";
    const std::vector<Check> checks = static_checks(sound_claim(), here);
    CHECK(verdict_of(checks) == Validity::stale);
    CHECK(may_measure(checks));
    CHECK_THAT(reason_of(checks),
               Contains("GNU 12.2.0") && Contains("GNU 13.1.0") && Contains("tune it again"));
    here = sound_here();
    here.kernels_build = "other";
    CHECK(verdict(sound_claim(), here) == Validity::stale);
    CHECK(may_measure(static_checks(sound_claim(), here)));
    here = sound_here();
    here.space_version = 4;
    here.no_variant.reset();
    CHECK(verdict(sound_claim(), here) == Validity::stale);
    CHECK_FALSE(may_measure(static_checks(sound_claim(), here)));
}

TEST_CASE("a problem that changed is STALE, one that vanished UNDECIDED; neither is measured") {
    Environment here = sound_here();
    here.digest = "other";
    here.no_variant.reset();
    std::vector<Check> checks = static_checks(sound_claim(), here);
    CHECK(verdict_of(checks) == Validity::stale);
    CHECK_FALSE(may_measure(checks));
    CHECK(check_of(checks, Question::variant).status == Status::not_checked);
    here = sound_here();
    here.no_problem = "my.mtx: there is no such file";
    here.digest.reset();
    here.space_version.reset();
    here.no_variant.reset();
    checks = static_checks(sound_claim(), here);
    CHECK(verdict_of(checks) == Validity::undecided);
    CHECK_FALSE(may_measure(checks));
    CHECK_THAT(reason_of(checks), Contains("my.mtx") && Contains("bring it back"));
    CHECK(check_of(checks, Question::space).status == Status::not_checked);
}

TEST_CASE("a family, variant or device that is not there: NOT HERE") {
    Environment here = sound_here();
    here.no_variant = "simd has no value 1024";
    CHECK(verdict(sound_claim(), here) == Validity::not_here);
    CHECK_THAT(reason_of(static_checks(sound_claim(), here)), Contains("simd has no value 1024"));
    here = sound_here();
    here.no_family = "there is no family 'matmull'";
    here.space_version.reset();
    CHECK(verdict(sound_claim(), here) == Validity::not_here);
    Claim device = sound_claim();
    device.tuned.backend = "opencl";
    device.tuned.device = "Some GPU";
    here = sound_here();
    here.no_device = "there is no OpenCL device";
    CHECK(verdict(device, here) == Validity::not_here);
    CHECK_THAT(reason_of(static_checks(device, here)), Contains("no OpenCL device"));
    // The processor's vectors and threads are no business of a device.
    here = sound_here();
    here.widths = {};
    here.processors = 1;
    CHECK(verdict(device, here) == Validity::valid);
}

TEST_CASE("a set that says otherwise than the problem's own config is STALE") {
    Claim claim = sound_claim();
    claim.of_set = true;
    CHECK(verdict(claim, sound_here()) == Validity::valid);
    claim.outdated = "product.json";
    CHECK(verdict(claim, sound_here()) == Validity::stale);
    CHECK_THAT(reason_of(static_checks(claim, sound_here())), Contains("product.json"));
}
