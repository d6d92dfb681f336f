// SPDX-License-Identifier: MIT
#include "engine/secure/real_suite.hpp"

#include <string_view>

#include "engine/crypto/aead.hpp"
#include "engine/crypto/hkdf.hpp"
#include "engine/crypto/ready.hpp"
#include "engine/crypto/x25519.hpp"

namespace wt::secure {

static_assert(key_bytes == crypto::x25519_bytes);
static_assert(key_bytes == crypto::aead_key_bytes);
static_assert(proof_bytes == crypto::sha256_bytes);
static_assert(tag_bytes == crypto::aead_tag_bytes);

void RealSuite::make_key_pair(Entropy& entropy, SecretKey& secret, PublicKey& public_key) {
    crypto::x25519_key_pair(entropy, secret, public_key);
}

bool RealSuite::agree(const SecretKey& secret, const PublicKey& other, Key& shared) {
    return crypto::x25519_agree(secret, other, shared);
}

void RealSuite::derive(const Key& material, ConstBytes context, const char* label, Key& out) {
    crypto::Mac extracted{};
    crypto::hkdf_extract({}, material, extracted);
    crypto::hkdf_expand(extracted, {.label = bytes_of(label), .context = context}, out);
    crypto::wipe(extracted);
}

void RealSuite::prove(const Key& key, ConstBytes bytes, Proof& out) {
    crypto::hmac_sha256(key, bytes, out);
}

bool RealSuite::verify(const Key& key, ConstBytes bytes, const Proof& proof) {
    Proof expected{};
    crypto::hmac_sha256(key, bytes, expected);
    return crypto::is_equal(expected, proof);
}

void RealSuite::seal_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            std::uint8_t* tag) {
    crypto::aead_seal(key, crypto::nonce_of(counter), {}, in_place, tag);
}

bool RealSuite::open_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            const std::uint8_t* tag) {
    return crypto::aead_open(key, crypto::nonce_of(counter), {}, in_place, tag);
}

void RealSuite::seal_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            std::uint8_t* tag) {
    crypto::aead_seal(key, crypto::nonce_of(counter), bytes, {}, tag);
}

bool RealSuite::open_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            const std::uint8_t* tag) {
    return crypto::aead_open(key, crypto::nonce_of(counter), bytes, {}, tag);
}

}  // namespace wt::secure
