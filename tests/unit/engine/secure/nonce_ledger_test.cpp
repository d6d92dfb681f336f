// SPDX-License-Identifier: MIT
//
// The ledger of sealed pairs: what it holds, that it stands where seals pass, and that a planted
// repeat ends the program. The planted ones run in a child process.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <limits>

#include "engine/secure/real_suite.hpp"
#include "tests/support/handshake_bench.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::secure::nonce_ledger_test {

using test::Bench;
using test::NonceLedger;

namespace {

constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

void seal(std::uint8_t key_byte, std::uint64_t counter) {
    Key key{};
    key.fill(key_byte);
    const std::array<std::uint8_t, 5> bytes{};
    std::array<std::uint8_t, tag_bytes> tag{};
    RealSuite::seal_packet(key, counter, bytes, tag.data());
}

// Whether `what` ends its process as the ledger does.
template <class What>
bool is_found(What what) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // Neither doctest's handlers nor its words belong into the child's end.
        static_cast<void>(std::signal(SIGABRT, SIG_DFL));
        static_cast<void>(close(STDERR_FILENO));
        what();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

}  // namespace

TEST_CASE("a ledger takes each pair once, in any order, and holds runs of counters") {
    NonceLedger ledger;
    const NonceLedger::Key one{1};
    const NonceLedger::Key other{2};
    for (const std::uint64_t counter : {5u, 7u, 6u, 4u, 9u})
        CHECK(ledger.note(one, counter));
    CHECK(ledger.run_count() == 2);  // 4 to 7, and 9.
    CHECK(ledger.note(one, 8));
    CHECK(ledger.run_count() == 1);
    for (std::uint64_t counter = 4; counter <= 9; ++counter)
        CHECK_FALSE(ledger.note(one, counter));
    CHECK(ledger.note(one, 3));
    CHECK(ledger.note(one, 10));
    CHECK(ledger.note(other, 5));
    CHECK(ledger.key_count() == 2);
    CHECK(ledger.pair_count() == 9);
    // Both ends of the counter.
    CHECK(ledger.note(one, 0));
    CHECK(ledger.note(one, last));
    CHECK(ledger.note(one, last - 1));
    CHECK_FALSE(ledger.note(one, last));
    CHECK_FALSE(ledger.note(one, 0));
    ledger.clear();
    CHECK(ledger.note(one, 5));
}

TEST_CASE("a million seals of a key are one run") {
    NonceLedger ledger;
    for (std::uint64_t counter = 1; counter <= 1'000'000; ++counter)
        REQUIRE(ledger.note({3}, counter));
    CHECK(ledger.run_count() == 1);
    CHECK(ledger.pair_count() == 1'000'000);
}

TEST_CASE("every seal of a session is in the ledger, restarts included") {
    const std::uint64_t before = test::nonces_noted();
    Bench bench;
    bench.connect();
    CHECK(bench.talks());
    bench.server.endpoint->restart(bench.now);
    bench.exchange_for(Duration::seconds(4));
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange();
    bench.exchange();
    CHECK(bench.talks());
    const std::uint64_t sealed =
        bench.server.endpoint->counters().sealed + bench.client.endpoint->counters().sealed;
    // Two accepts; in each life a message and an acknowledgement each way; between them three
    // keepalives of the client, which then asks anew.
    CHECK(sealed >= 2 + 2 * 4 + 3);
    CHECK(test::nonces_noted() - before == sealed);
}

TEST_CASE("a planted repeat is found, other counters and other keys are none") {
    CHECK(is_found([] {
        seal(7, 3);
        seal(7, 3);
    }));
    CHECK(is_found([] {
        for (std::uint64_t counter = 1; counter < 100; ++counter)
            seal(7, counter);
        seal(7, 50);
    }));
    CHECK_FALSE(is_found([] {
        seal(7, 3);
        seal(7, 4);
        seal(8, 3);
    }));
}

TEST_CASE("an endpoint that comes back with the luck of its first life is found") {
    // Two servers of one seed draw the same key pairs; against a client of one seed the keys are
    // the same too. A process that restarts with the entropy of its first life would be this.
    CHECK(is_found([] {
        test::Host first(1, test::address_of(1),
                         [](Entropy entropy) { return make_server({}, entropy); });
        test::Host again(1, test::address_of(1),
                         [](Entropy entropy) { return make_server({}, entropy); });
        for (test::Host* server : {&first, &again}) {
            Instant now{1'000'000'000'000};
            test::Host client(2, test::address_of(2),
                              [](Entropy entropy) { return make_client({}, entropy); });
            static_cast<void>(client.endpoint->connect(now, test::bound_request(server->address)));
            for (int i = 0; i < 10; ++i) {
                for (const test::Flying& one : client.step(now))
                    server->receive(now, client.address, one);
                for (const test::Flying& one : server->step(now))
                    client.receive(now, server->address, one);
                if (i == 4) {
                    static_cast<void>(server->endpoint->answer_authorisation(
                        now, test::bound_answer(server->asked.at(0).attempt)));
                }
                now += Duration::millis(5);
            }
        }
    }));
}

}  // namespace wt::secure::nonce_ledger_test
