// SPDX-License-Identifier: MIT
//
// Session keys: four different ones, mirrored at the other end, bound to both public keys and to
// every byte of the accept; cookies: bound to address, port and two time buckets.
#include "engine/secure/key_schedule.hpp"

#include <doctest/doctest.h>

#include <set>

#include "engine/secure/real_suite.hpp"
#include "tests/support/endpoint_pair.hpp"

namespace wt::secure {

namespace {

struct Exchange {
    Exchange() {
        Entropy entropy = Entropy::from_luck(luck);
        RealSuite::make_key_pair(entropy, client_secret, client_key);
        RealSuite::make_key_pair(entropy, server_secret, server_key);
        write_accept({.attempt = 5,
                      .server_key = server_key,
                      .player = {6},
                      .tick_rate = 60,
                      .features = 1,
                      .protocol_version = 1,
                      .session_bound = true,
                      .accept_proof = {},
                      .tag = {}},
                     accept);
    }

    [[nodiscard]] SessionKeys server() const {
        SessionKeys keys;
        REQUIRE(derive_session_keys<RealSuite>({.own_secret = server_secret,
                                                .client_key = client_key,
                                                .server_key = server_key,
                                                .is_client = false},
                                               accept, keys));
        return keys;
    }
    [[nodiscard]] SessionKeys client() const {
        SessionKeys keys;
        REQUIRE(derive_session_keys<RealSuite>({.own_secret = client_secret,
                                                .client_key = client_key,
                                                .server_key = server_key,
                                                .is_client = true},
                                               accept, keys));
        return keys;
    }

    LuckStream luck{LuckKey::root(3)};
    SecretKey client_secret{};
    SecretKey server_secret{};
    PublicKey client_key{};
    PublicKey server_key{};
    std::array<std::uint8_t, accept_bytes> accept{};
};

}  // namespace

TEST_CASE("both ends hold the same four keys, crossed, and all four differ") {
    const Exchange exchange;
    const SessionKeys client = exchange.client();
    const SessionKeys server = exchange.server();
    CHECK(client.record_out == server.record_in);
    CHECK(client.record_in == server.record_out);
    CHECK(client.packet_out == server.packet_in);
    CHECK(client.packet_in == server.packet_out);
    const std::set<Key> all = {client.record_out, client.record_in, client.packet_out,
                               client.packet_in};
    CHECK(all.size() == 4);
}

TEST_CASE("every byte of the accept but its tag changes all keys") {
    const Exchange exchange;
    const SessionKeys before = exchange.client();
    Exchange other;
    for (std::size_t at = 0; at < accept_bytes; ++at) {
        CAPTURE(at);
        other.accept[at] ^= 0x01;
        const SessionKeys after = other.client();
        const bool in_tag = at >= accept_tagged_bytes;
        CHECK((after.record_out == before.record_out) == in_tag);
        CHECK((after.record_in == before.record_in) == in_tag);
        CHECK((after.packet_out == before.packet_out) == in_tag);
        CHECK((after.packet_in == before.packet_in) == in_tag);
        other.accept[at] ^= 0x01;
    }
}

TEST_CASE("raw public keys are bound even where the curve does not see a change") {
    // X25519 ignores the top bit, so the shared secret stays; the keys must not.
    const Exchange exchange;
    Exchange other;
    other.client_key[31] ^= 0x80;
    Key first{};
    Key second{};
    REQUIRE(RealSuite::agree(exchange.server_secret, exchange.client_key, first));
    REQUIRE(RealSuite::agree(exchange.server_secret, other.client_key, second));
    REQUIRE(first == second);
    CHECK(other.server().record_in != exchange.server().record_in);
    CHECK(other.server().packet_out != exchange.server().packet_out);
}

TEST_CASE("a low-order key makes no keys") {
    Exchange exchange;
    exchange.client_key = {1};
    SessionKeys keys;
    CHECK_FALSE(derive_session_keys<RealSuite>({.own_secret = exchange.server_secret,
                                                .client_key = exchange.client_key,
                                                .server_key = exchange.server_key,
                                                .is_client = false},
                                               exchange.accept, keys));
    CHECK(keys.record_in == Key{});
}

TEST_CASE("an accept's tag covers all of it") {
    Exchange exchange;
    const Key key = exchange.server().packet_out;
    seal_accept<RealSuite>(key, exchange.accept);
    CHECK(is_accept_authentic<RealSuite>(key, exchange.accept));
    unsigned passed = 0;
    for (std::uint8_t& byte : exchange.accept) {
        byte ^= 0x10;
        passed += is_accept_authentic<RealSuite>(key, exchange.accept) ? 1u : 0u;
        byte ^= 0x10;
    }
    CHECK(passed == 0);
}

TEST_CASE("a cookie passes in its bucket and the next, not in the one after") {
    const Key secret{1};
    const transport::Address address = test::address_of(2);
    const Instant start{1'000 * cookie_bucket.ns};
    const Cookie cookie = make_cookie<RealSuite>(secret, address, cookie_bucket_at(start));
    const auto passes = [&](Instant at) {
        return is_cookie_of<RealSuite>(secret, address, at, cookie);
    };
    CHECK(passes(start));
    CHECK(passes(start + cookie_bucket));
    CHECK(passes(start + cookie_bucket * 2 - Duration::nanos(1)));
    CHECK_FALSE(passes(start + cookie_bucket * 2));
    CHECK_FALSE(passes(start - Duration::nanos(1)));
}

TEST_CASE("a cookie is for one address, one port and one secret") {
    const Key secret{1};
    const transport::Address address = test::address_of(2);
    const Cookie cookie = make_cookie<RealSuite>(secret, address, 7);
    const Instant now{7 * cookie_bucket.ns};
    CHECK(is_cookie_of<RealSuite>(secret, address, now, cookie));
    CHECK_FALSE(is_cookie_of<RealSuite>(secret, test::address_of(3), now, cookie));
    CHECK_FALSE(is_cookie_of<RealSuite>(secret, test::address_of(2, 4'001), now, cookie));
    CHECK_FALSE(is_cookie_of<RealSuite>(Key{2}, address, now, cookie));
    for (std::size_t bit = 0; bit < cookie.size() * 8; ++bit) {
        Cookie altered = cookie;
        altered[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        CHECK_FALSE(is_cookie_of<RealSuite>(secret, address, now, altered));
    }
}

}  // namespace wt::secure
