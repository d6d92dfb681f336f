// SPDX-License-Identifier: MIT
//
// The real cipher suite: X25519, HKDF-SHA-256, HMAC-SHA-256 and ChaCha20-Poly1305, from
// engine/crypto. All other suites imitate its sizes, call pattern and refusals.
// Spec: 000, session keys; encrypted records and authenticated datagrams.
#pragma once

#include "engine/secure/suite.hpp"

namespace wt::secure {

struct RealSuite {
    static constexpr bool protects = true;

    static void make_key_pair(Entropy& entropy, SecretKey& secret, PublicKey& public_key);
    static bool agree(const SecretKey& secret, const PublicKey& other, Key& shared);
    static void derive(const Key& material, ConstBytes context, const char* label, Key& out);
    static void prove(const Key& key, ConstBytes bytes, Proof& out);
    static bool verify(const Key& key, ConstBytes bytes, const Proof& proof);
    static void seal_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            std::uint8_t* tag);
    static bool open_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            const std::uint8_t* tag);
    static void seal_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            std::uint8_t* tag);
    static bool open_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            const std::uint8_t* tag);
};

static_assert(Suite<RealSuite>);

}  // namespace wt::secure
