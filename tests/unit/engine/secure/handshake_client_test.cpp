// SPDX-License-Identifier: MIT
//
// The client's judgement: every altered field of an accept, accepts it will not go on with, forged
// rejects and challenges, time running out. What is not proven never ends an attempt early.
#include <doctest/doctest.h>

#include "engine/secure/handshake.hpp"
#include "engine/secure/key_schedule.hpp"
#include "engine/secure/real_suite.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;
using transport::CloseReason;
using transport::Refusal;

namespace {

// Up to the server's accept, undelivered.
Flying accept_of(Bench& bench) {
    bench.ask();
    REQUIRE(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) ==
            transport::AnswerStatus::ok);
    const std::vector<Flying> accept = bench.server_step();
    REQUIRE(accept.size() == 1);
    REQUIRE(accept[0].kind() == WireKind::accept);
    return accept[0];
}

// A server in the middle that rewrites an accept and makes proof and keys anew, as somebody who
// knows the accept key could: so the fields reach the judgement behind the proof.
class Impostor {
public:
    Impostor() {
        Entropy entropy = Entropy::from_luck(luck_);
        RealSuite::make_key_pair(entropy, secret_, public_);
    }

    Flying accept(const Flying& original, const PublicKey& client_key,
                  void (*alter)(Accept&)) const {
        Accept accept = *read_accept(original.bytes);
        accept.server_key = public_;
        alter(accept);
        RealSuite::prove(test::proof_keys().accept_key, accept_transcript(client_key, accept),
                         accept.accept_proof);
        Flying forged = original;
        const std::span<std::uint8_t, accept_bytes> bytes(forged.bytes);
        write_accept(accept, bytes);
        SessionKeys keys;
        REQUIRE(derive_session_keys<RealSuite>({.own_secret = secret_,
                                                .client_key = client_key,
                                                .server_key = accept.server_key,
                                                .is_client = false},
                                               bytes, keys));
        seal_accept<RealSuite>(keys.packet_out, bytes);
        return forged;
    }

private:
    LuckStream luck_{LuckKey::root(99)};
    SecretKey secret_{};
    PublicKey public_{};
};

// A public key that is nobody's, and no low-order point.
PublicKey nobodys_key() {
    PublicKey key{};
    key.fill(0x21);
    return key;
}

// The public key in the client's latest request.
PublicKey client_key_of(const std::vector<Flying>& requests) {
    REQUIRE(!requests.empty());
    return read_request(requests[0].bytes)->client_key;
}

}  // namespace

TEST_CASE("each field of the accept altered alone fails, and the true accept still works") {
    struct Field {
        const char* name;
        std::size_t offset;
        Refusal why;
    };
    // Offsets from the layout table. Five of the six proven fields are in the accept; the client
    // key, the sixth, has a test of its own below.
    const Field fields[] = {
        {"server key, first byte", 11, Refusal::bad_accept_proof},
        {"server key, top bit", 42, Refusal::bad_accept_proof},
        {"player id", 43, Refusal::bad_accept_proof},
        {"tick rate", 51, Refusal::bad_accept_proof},
        {"features", 55, Refusal::bad_accept_proof},
        {"protocol version", 59, Refusal::bad_accept_proof},
        {"bound flag", 63, Refusal::bad_accept_proof},
        {"proof", 64, Refusal::bad_accept_proof},
        {"tag", 96, Refusal::bad_tag},
        {"attempt", 3, Refusal::unexpected},
    };
    for (const Field& field : fields) {
        CAPTURE(field.name);
        Bench bench;
        const Flying accept = accept_of(bench);
        Flying altered = accept;
        altered.bytes[field.offset] ^= field.offset == 42 ? 0x80 : 0x01;
        bench.to_client({altered});
        CHECK(bench.client.refused(field.why) == 1);
        bench.client_step();
        CHECK(bench.client.connected.empty());
        CHECK(bench.client.closed.empty());
        bench.to_client({accept});
        bench.client_step();
        CHECK(bench.client.connected.size() == 1);
    }
}

TEST_CASE("a client key that was altered on its way fails both proofs") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.to_client(bench.server_step());
    std::vector<Flying> join = bench.client_step();
    // The server's side: its join proof fails.
    const PublicKey true_key = client_key_of(join);
    join[0].bytes[27] ^= 1;
    bench.to_server(join);
    bench.server_step();
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    CHECK(bench.server.refused(Refusal::bad_join_proof) == 1);

    // The client's side: a proof over another client key is not its own.
    PublicKey other_key = true_key;
    other_key[0] ^= 1;
    Accept accept{.attempt = read_request(join[0].bytes)->attempt,
                  .server_key = nobodys_key(),
                  .player = {1},
                  .tick_rate = 60,
                  .features = 0,
                  .protocol_version = 1,
                  .session_bound = true,
                  .accept_proof = {},
                  .tag = {}};
    RealSuite::prove(test::proof_keys().accept_key, accept_transcript(other_key, accept),
                     accept.accept_proof);
    Flying forged{.to = bench.client.address, .label = {}, .bytes = {}};
    forged.bytes.resize(accept_bytes);
    write_accept(accept, std::span<std::uint8_t, accept_bytes>(forged.bytes));
    bench.to_client({forged});
    CHECK(bench.client.refused(Refusal::bad_accept_proof) == 1);
    CHECK(bench.client.refused(Refusal::bad_tag) == 0);
    // Over its own key the proof passes; then the tag finds that the keys differ.
    RealSuite::prove(test::proof_keys().accept_key, accept_transcript(true_key, accept),
                     accept.accept_proof);
    write_accept(accept, std::span<std::uint8_t, accept_bytes>(forged.bytes));
    bench.to_client({forged});
    CHECK(bench.client.refused(Refusal::bad_accept_proof) == 1);
    CHECK(bench.client.refused(Refusal::bad_tag) == 1);
    bench.client_step();
    CHECK(bench.client.connected.empty());
}

TEST_CASE("an accept with a key of low order is refused") {
    Bench bench({.allow_unbound = true}, {.allow_unbound = true});
    bench.ask({.server = bench.server.address, .session = {}, .token = {}, .keys = {}});
    bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = true});
    std::vector<Flying> accept = bench.server_step();
    std::fill_n(accept[0].bytes.begin() + 11, 32, std::uint8_t{0});
    bench.to_client(accept);
    CHECK(bench.client.refused(Refusal::bad_public_key) == 1);
    bench.client_step();
    CHECK(bench.client.connected.empty());
    CHECK(bench.client.closed.empty());
}

TEST_CASE("bad accepts and nothing better end the attempt under their own name") {
    Bench bench;
    Flying accept = accept_of(bench);
    accept.bytes[51] ^= 1;
    bench.to_client({accept});
    bench.wait(Duration::seconds(5));
    bench.client_step();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::bad_accept_proof);
    CHECK_FALSE(bench.client.closed[0].was_connected);
}

TEST_CASE("a bound client takes no unbound accept, an unbound one only where configured") {
    SUBCASE("downgrade") {
        Bench bench({}, {.allow_unbound = true});
        Flying accept = accept_of(bench);
        accept.bytes[63] = 0;
        std::fill_n(accept.bytes.begin() + 64, 32, std::uint8_t{0});
        bench.to_client({accept});
        CHECK(bench.client.refused(Refusal::bad_accept_proof) == 1);
    }
    SUBCASE("not configured") {
        Bench bench({.allow_unbound = true}, {.allow_unbound = false});
        bench.ask({.server = bench.server.address, .session = {}, .token = {}, .keys = {}});
        bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = true});
        bench.to_client(bench.server_step());
        CHECK(bench.client.refused(Refusal::bad_accept_proof) == 1);
        bench.client_step();
        CHECK(bench.client.connected.empty());
    }
}

TEST_CASE("a proven accept that the client cannot follow is refused by name, at both ends") {
    struct Case {
        CloseReason reason;
        std::uint32_t tick_rate;
        bool works;
    };
    const ClientConfig client{
        .features = {.offered = 3, .required = 2}, .tick_rate_min = 30, .tick_rate_max = 60};
    for (const Case& one : {Case{CloseReason::none, 60, true}, Case{CloseReason::none, 30, true},
                            Case{CloseReason::unsupported_tick_rate, 61, false},
                            Case{CloseReason::unsupported_tick_rate, 29, false}}) {
        CAPTURE(one.tick_rate);
        Bench bench({.tick_rate = one.tick_rate, .features = {.offered = 2, .required = 0}},
                    client);
        bench.to_client({accept_of(bench)});
        bench.exchange_for(Duration::seconds(1));
        CHECK(bench.client.connected.size() == (one.works ? 1u : 0u));
        CHECK(bench.server.connected.size() == (one.works ? 1u : 0u));
        if (one.works) continue;
        REQUIRE(bench.client.closed.size() == 1);
        CHECK(bench.client.closed[0].reason == one.reason);
        CHECK_FALSE(bench.client.closed[0].was_connected);
        // The server need not wait for its attempt to run out: it was told under the new keys.
        REQUIRE(bench.server.closed.size() == 1);
        CHECK(bench.server.closed[0].reason == one.reason);
        CHECK_FALSE(bench.server.closed[0].was_connected);
        CHECK(bench.server.endpoint->pending_count() == 0);
    }
}

TEST_CASE("a server without a feature that the client requires is refused by name") {
    Bench bench({.features = {.offered = 1, .required = 0}},
                {.features = {.offered = 3, .required = 2}});
    bench.to_client({accept_of(bench)});
    bench.exchange_for(Duration::seconds(1));
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::missing_capability);
    CHECK(bench.client.refused(Refusal::capabilities) == 1);
    CHECK(bench.client.connected.empty());
}

TEST_CASE("somebody with the accept key is judged by what it says") {
    Bench bench;
    const Flying accept = accept_of(bench);
    bench.wait(Duration::millis(250));
    const PublicKey key = client_key_of(bench.client_step());
    const Impostor impostor;
    bench.to_client({impostor.accept(accept, key, [](Accept& a) { a.tick_rate = 1'001; })});
    bench.client_step();
    CHECK(bench.client.connected.empty());
    bench.exchange_for(Duration::seconds(1));
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::unsupported_tick_rate);
}

TEST_CASE("challenges and rejects of another attempt do nothing") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    std::vector<Flying> challenge = bench.server_step();
    const Flying original = challenge[0];
    challenge[0].bytes[3] ^= 1;
    bench.to_client(challenge);
    CHECK(bench.client.refused(Refusal::unexpected) == 1);
    Flying reject{.to = bench.client.address, .label = {}, .bytes = {}};
    reject.bytes.resize(reject_bytes);
    write_reject({.attempt = 1, .reason = CloseReason::refused_full},
                 std::span<std::uint8_t, reject_bytes>(reject.bytes));
    bench.to_client({reject});
    CHECK(bench.client.refused(Refusal::unexpected) == 2);
    // Nor does anything from another address.
    bench.client.receive(bench.now, test::address_of(66), original);
    CHECK(bench.client.refused(Refusal::unknown_source) == 1);
    CHECK(bench.client_step().empty());
    CHECK(bench.client.closed.empty());
    bench.to_client({original});
    CHECK(bench.client_step().at(0).kind() == WireKind::join);
}

TEST_CASE("a forged challenge costs a round trip, not the attempt") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    const std::vector<Flying> request = bench.client_step();
    Flying forged{.to = bench.client.address, .label = {}, .bytes = {}};
    forged.bytes.resize(challenge_bytes);
    write_challenge({.attempt = read_request(request[0].bytes)->attempt, .cookie = {1, 2, 3}},
                    std::span<std::uint8_t, challenge_bytes>(forged.bytes));
    bench.to_client({forged});
    bench.exchange();
    CHECK(bench.server.refused(Refusal::bad_cookie) == 1);
    bench.exchange();
    CHECK(bench.server.asked.size() == 1);
}

TEST_CASE("requests repeat every 250 ms until the attempt's time is over") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    const Instant start = bench.now;
    unsigned sent = 0;
    while (bench.client.closed.empty()) {
        sent += static_cast<unsigned>(bench.client_step().size());
        if (!bench.client.closed.empty()) break;
        bench.now = bench.client.endpoint->next_deadline();
    }
    CHECK(sent == 20);
    CHECK(bench.now - start == Duration::seconds(5));
    CHECK(bench.client.closed[0].reason == CloseReason::no_answer);
    CHECK_FALSE(bench.client.closed[0].was_connected);
    CHECK(bench.client.endpoint->next_deadline() == Instant::never());
    CHECK(bench.client.endpoint->pending_count() == 0);
}

TEST_CASE("the application may give up its attempt") {
    Bench bench;
    CHECK_FALSE(bench.client.endpoint->close(bench.now, {}, CloseReason::application));
    bench.ask();
    CHECK(bench.client.endpoint->close(bench.now, {}, CloseReason::application));
    CHECK(bench.client.endpoint->connect(bench.now, {}) == transport::ConnectStatus::busy);
    CHECK(bench.client_step().empty());
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::application);
    // The server's answer finds nobody.
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    bench.to_client(bench.server_step());
    CHECK(bench.client.refused(Refusal::unexpected) == 1);
}

}  // namespace wt::secure
