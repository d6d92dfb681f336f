// SPDX-License-Identifier: MIT
//
// The ledger stands in front of the null suite too: what the sweeps of a thousand seeds run on.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "simulator/cipher/null_suite.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::sim {

namespace {

// Seals a record and a packet under counters that may be one; whether the process ended by that.
bool is_found(std::uint64_t record, std::uint64_t again) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        static_cast<void>(std::signal(SIGABRT, SIG_DFL));
        static_cast<void>(close(STDERR_FILENO));
        std::array<std::uint8_t, 8> bytes{};
        std::array<std::uint8_t, secure::tag_bytes> tag{};
        NullSuite::seal_record(secure::Key{1}, record, bytes, tag.data());
        NullSuite::seal_packet(secure::Key{1}, again, bytes, tag.data());
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

}  // namespace

TEST_CASE("a repeat under the null suite is found") {
    CHECK(is_found(3, 3));
    CHECK_FALSE(is_found(3, 4));
    const std::uint64_t before = test::nonces_noted();
    std::array<std::uint8_t, 8> bytes{};
    std::array<std::uint8_t, secure::tag_bytes> tag{};
    NullSuite::seal_packet(secure::Key{1}, 3, bytes, tag.data());
    CHECK(test::nonces_noted() == before + 1);
}

}  // namespace wt::sim
