// SPDX-License-Identifier: MIT
//
// The bytes of every handshake datagram against tests/golden/handshake.txt, which was assembled
// field by field from the tables in engine/secure/README.md, and what does not parse.
#include "engine/secure/handshake.hpp"

#include <doctest/doctest.h>

#include "engine/secure/key_schedule.hpp"
#include "engine/secure/real_suite.hpp"
#include "tests/support/endpoint_pair.hpp"
#include "tests/support/golden_text.hpp"
#include "tests/support/hex.hpp"

namespace wt::secure::handshake_test {

using test::from_hex;
using test::to_hex;

namespace {

template <std::size_t Size>
std::array<std::uint8_t, Size> counting(std::uint8_t first) {
    std::array<std::uint8_t, Size> bytes{};
    for (std::size_t i = 0; i < Size; ++i)
        bytes[i] = static_cast<std::uint8_t>(first + i);
    return bytes;
}

Request example_request() {
    Request request;
    request.protocol_version = 0x0403'0201;
    request.features = 0x0807'0605;
    request.attempt = 0x100f'0e0d'0c0b'0a09;
    request.previous = 0x1817'1615'1413'1211;
    request.client_key = counting<key_bytes>(0x20);
    request.session = counting<16>(0x40);
    request.session_bound = true;
    request.token_bytes = 5;
    request.token = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5};
    request.join_proof = counting<proof_bytes>(0x60);
    return request;
}

Accept example_accept() {
    return {.attempt = 0x100f'0e0d'0c0b'0a09,
            .server_key = counting<key_bytes>(0x80),
            .player = {0x0102'0304'0506'0708},
            .tick_rate = 60,
            .features = 0x0000'0305,
            .protocol_version = 1,
            .session_bound = true,
            .accept_proof = counting<proof_bytes>(0xc0),
            .tag = counting<tag_bytes>(0xe0)};
}

std::map<std::string, std::string> golden() {
    return test::read_golden(std::string(WT_TEST_DATA) + "/golden/handshake.txt");
}

template <std::size_t Size, class Value, class Write>
std::string written(Write write, const Value& value) {
    std::array<std::uint8_t, Size> bytes{};
    write(value, std::span<std::uint8_t, Size>(bytes));
    return to_hex(bytes);
}

std::string written_request(const Request& request, WireKind kind) {
    std::array<std::uint8_t, request_bytes> bytes{};
    write_request(request, kind, bytes);
    return to_hex(bytes);
}

}  // namespace

TEST_CASE("handshake datagrams are the golden bytes") {
    auto vectors = golden();
    REQUIRE(vectors.size() == 8);
    Request request = example_request();
    CHECK(written_request(request, WireKind::request) == vectors["request"]);
    request.cookie = counting<cookie_bytes>(0x50);
    CHECK(written_request(request, WireKind::join) == vectors["join"]);
    CHECK(written<challenge_bytes>(write_challenge, Challenge{.attempt = 0x100f'0e0d'0c0b'0a09,
                                                              .cookie = counting<cookie_bytes>(
                                                                  0x50)}) == vectors["challenge"]);
    CHECK(written<accept_bytes>(write_accept, example_accept()) == vectors["accept"]);
    CHECK(written<reject_bytes>(write_reject,
                                Reject{.attempt = 0x100f'0e0d'0c0b'0a09,
                                       .reason = transport::CloseReason::refused_authorisation}) ==
          vectors["reject"]);
}

TEST_CASE("cookies and proofs are the golden values of an independent HMAC") {
    auto vectors = golden();
    const Cookie cookie = make_cookie<RealSuite>(counting<key_bytes>(1), test::address_of(7), 200);
    CHECK(to_hex(cookie) == vectors["cookie"]);

    Proof proof{};
    RealSuite::prove(counting<key_bytes>(1), join_transcript(example_request()), proof);
    CHECK(to_hex(proof) == vectors["join_proof"]);
    RealSuite::prove(counting<key_bytes>(1),
                     accept_transcript(counting<key_bytes>(0x20), example_accept()), proof);
    CHECK(to_hex(proof) == vectors["accept_proof"]);
}

TEST_CASE("what was written is read back") {
    auto vectors = golden();
    const auto request = read_request(from_hex(vectors["join"]));
    REQUIRE(request.has_value());
    CHECK(written_request(*request, WireKind::join) == vectors["join"]);
    CHECK(request->token_view().size() == 5);
    const auto challenge = read_challenge(from_hex(vectors["challenge"]));
    REQUIRE(challenge.has_value());
    CHECK(challenge->cookie == counting<cookie_bytes>(0x50));
    const auto accept = read_accept(from_hex(vectors["accept"]));
    REQUIRE(accept.has_value());
    CHECK(written<accept_bytes>(write_accept, *accept) == vectors["accept"]);
    const auto reject = read_reject(from_hex(vectors["reject"]));
    REQUIRE(reject.has_value());
    CHECK(reject->reason == transport::CloseReason::refused_authorisation);
}

TEST_CASE("every size but the right one does not parse") {
    auto vectors = golden();
    std::vector<std::uint8_t> join = from_hex(vectors["join"]);
    join.push_back(0);
    CHECK_FALSE(read_request(join).has_value());
    CHECK_FALSE(read_request(ConstBytes(join).first(request_bytes - 1)).has_value());
    CHECK(read_request(ConstBytes(join).first(request_bytes)).has_value());
    std::vector<std::uint8_t> accept = from_hex(vectors["accept"]);
    accept.push_back(0);
    CHECK_FALSE(read_accept(accept).has_value());
    CHECK_FALSE(read_accept(ConstBytes(accept).first(accept_bytes - 1)).has_value());
    std::vector<std::uint8_t> challenge = from_hex(vectors["challenge"]);
    challenge.push_back(0);
    CHECK_FALSE(read_challenge(challenge).has_value());
    CHECK_FALSE(read_challenge(ConstBytes(challenge).first(challenge_bytes - 1)).has_value());
    std::vector<std::uint8_t> reject = from_hex(vectors["reject"]);
    reject.push_back(0);
    CHECK_FALSE(read_reject(reject).has_value());
    CHECK_FALSE(read_reject(ConstBytes(reject).first(reject_bytes - 1)).has_value());
}

TEST_CASE("impossible fields of a request do not parse, their neighbours do") {
    std::vector<std::uint8_t> join = from_hex(golden()["join"]);
    const auto parses_with = [&](std::size_t offset, std::uint8_t value) {
        const std::uint8_t kept = join[offset];
        join[offset] = value;
        const bool parses = read_request(join).has_value();
        join[offset] = kept;
        return parses;
    };
    CHECK(parses_with(91, 0));  // the flag
    CHECK_FALSE(parses_with(91, 2));
    CHECK(parses_with(92, 6));        // a longer token, whose last byte is the padding's zero
    CHECK_FALSE(parses_with(92, 4));  // a shorter one: then the padding is not zero
    CHECK_FALSE(parses_with(99, 1));
    CHECK_FALSE(parses_with(349, 1));
    CHECK(parses_with(350, 0));  // the proof is anything

    std::fill(join.begin() + 94, join.begin() + 350, std::uint8_t{1});
    join[92] = 0;
    join[93] = 1;  // 256
    CHECK(read_request(join).has_value());
    join[92] = 1;  // 257
    CHECK_FALSE(read_request(join).has_value());

    join[92] = 0;
    std::fill(join.begin() + 11, join.begin() + 19, std::uint8_t{0});
    CHECK_FALSE(read_request(join).has_value());
    join[11] = 1;
    CHECK(read_request(join).has_value());
}

TEST_CASE("a reject says only what a server may say") {
    std::vector<std::uint8_t> reject = from_hex(golden()["reject"]);
    unsigned accepted = 0;
    for (unsigned reason = 0; reason < 256; ++reason) {
        reject[11] = static_cast<std::uint8_t>(reason);
        accepted += read_reject(reject).has_value() ? 1u : 0u;
    }
    CHECK(accepted == 4);
}

TEST_CASE("an accept's flag is 0 or 1") {
    std::vector<std::uint8_t> accept = from_hex(golden()["accept"]);
    accept[63] = 0;
    CHECK(read_accept(accept).has_value());
    accept[63] = 2;
    CHECK_FALSE(read_accept(accept).has_value());
}

TEST_CASE("frames: each byte is looked at, in order") {
    WireKind kind{};
    CHECK(read_frame(from_hex("a701"), kind) == FrameStatus::too_short);
    CHECK(read_frame(from_hex("a60110"), kind) == FrameStatus::bad_magic);
    CHECK(read_frame(from_hex("a70210"), kind) == FrameStatus::bad_version);
    CHECK(read_frame(from_hex("a70110"), kind) == FrameStatus::ok);
    CHECK(kind == WireKind::reliable);
    unsigned known = 0;
    for (unsigned raw = 0; raw < 256; ++raw) {
        const std::uint8_t frame[] = {magic, transport_version, static_cast<std::uint8_t>(raw)};
        known += read_frame(frame, kind) == FrameStatus::ok ? 1u : 0u;
    }
    CHECK(known == 13);
}

}  // namespace wt::secure::handshake_test
