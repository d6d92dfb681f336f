// SPDX-License-Identifier: MIT
//
// How cookies, proofs and session keys are made from the byte strings of handshake.hpp. Every
// purpose has its own key or label: a packet key never doubles as a record key, and no direction
// shares one with the other.  Spec: 000, connection establishment and session keys.
#pragma once

#include <algorithm>

#include "engine/base/mutated.hpp"
#include "engine/crypto/ready.hpp"
#include "engine/secure/handshake.hpp"

namespace wt::secure {

// How long a cookie's bucket lasts. Current and previous pass: 5 to 10 s, the first of which covers
// a whole attempt of default length.
inline constexpr Duration cookie_bucket = Duration::seconds(5);

[[nodiscard]] constexpr std::uint64_t cookie_bucket_at(Instant now) {
    return now.ns <= 0 ? 0 : static_cast<std::uint64_t>(now.ns / cookie_bucket.ns);
}

template <Suite S>
[[nodiscard]] Cookie make_cookie(const Key& secret, const transport::Address& address,
                                 std::uint64_t bucket) {
    Proof whole{};
    S::prove(secret, cookie_bytes_of(address, bucket), whole);
    Cookie cookie{};
    std::copy_n(whole.begin(), cookie.size(), cookie.begin());
    return cookie;
}

// Whether a cookie was made for this address in the current or the previous bucket.
template <Suite S>
[[nodiscard]] bool is_cookie_of(const Key& secret, const transport::Address& address, Instant now,
                                const Cookie& cookie) {
    const std::uint64_t bucket = cookie_bucket_at(now);
    if (mutated<"cookie">()) return true;
    if (crypto::is_equal(make_cookie<S>(secret, address, bucket), cookie)) return true;
    if (mutated<"cookie-previous">()) return false;
    if (mutated<"cookie-old">() && bucket > 1 &&
        crypto::is_equal(make_cookie<S>(secret, address, bucket - 2), cookie))
        return true;
    return bucket > 0 && crypto::is_equal(make_cookie<S>(secret, address, bucket - 1), cookie);
}

// One end of the exchange: its own secret and both public keys.
struct KeyExchange {
    const SecretKey& own_secret;
    const PublicKey& client_key;
    const PublicKey& server_key;
    bool is_client = false;
};

// Session keys as this end uses them; false where the other end's key is of low order. `accept` is
// the accept datagram as on the wire; its tag is not looked at.
template <Suite S>
[[nodiscard]] bool derive_session_keys(const KeyExchange& exchange,
                                       std::span<const std::uint8_t, accept_bytes> accept,
                                       SessionKeys& out) {
    const bool is_client = exchange.is_client;
    const PublicKey& other = is_client ? exchange.server_key : exchange.client_key;
    Key shared{};
    if (!S::agree(exchange.own_secret, other, shared)) return false;
    KeyContext context = key_context(exchange.client_key, exchange.server_key, accept);
    if (mutated<"accept-in-keys">()) std::fill(context.begin() + 2 * 32, context.end(), 0);
    S::derive(shared, context, "wt1 record c2s", is_client ? out.record_out : out.record_in);
    S::derive(shared, context, mutated<"direction-labels">() ? "wt1 record c2s" : "wt1 record s2c",
              is_client ? out.record_in : out.record_out);
    S::derive(shared, context, mutated<"packet-keys">() ? "wt1 record c2s" : "wt1 packet c2s",
              is_client ? out.packet_out : out.packet_in);
    S::derive(shared, context, "wt1 packet s2c", is_client ? out.packet_in : out.packet_out);
    crypto::wipe(shared);
    return true;
}

// The tag of an accept uses number 0 of the server's packet key, which no session datagram can
// ever use. A repeated accept is the same bytes, so that the pair is sealed once.
template <Suite S>
void seal_accept(const Key& packet_key, std::span<std::uint8_t, accept_bytes> accept) {
    S::seal_packet(packet_key, mutated<"accept-number">() ? 1 : 0,
                   accept.template first<accept_tagged_bytes>(),
                   accept.data() + accept_tagged_bytes);
}
template <Suite S>
[[nodiscard]] bool is_accept_authentic(const Key& packet_key,
                                       std::span<const std::uint8_t, accept_bytes> accept) {
    return S::open_packet(packet_key, mutated<"accept-number">() ? 1 : 0,
                          accept.template first<accept_tagged_bytes>(),
                          accept.data() + accept_tagged_bytes);
}

inline void wipe_keys(SessionKeys& keys) {
    crypto::wipe(keys.record_out);
    crypto::wipe(keys.record_in);
    crypto::wipe(keys.packet_out);
    crypto::wipe(keys.packet_in);
}

}  // namespace wt::secure
