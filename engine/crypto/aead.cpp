// SPDX-License-Identifier: MIT
#include "engine/crypto/aead.hpp"

#include <sodium.h>

namespace wt::crypto {

static_assert(aead_key_bytes == crypto_aead_chacha20poly1305_ietf_KEYBYTES);
static_assert(aead_tag_bytes == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(aead_nonce_bytes == crypto_aead_chacha20poly1305_ietf_NPUBBYTES);

// In both, the library wants a place even for nothing, and an empty span has none.
void aead_seal(const AeadKey& key, const AeadNonce& nonce, ConstBytes associated,
               MutableBytes bytes, std::uint8_t* tag_out) {
    std::uint8_t nothing = 0;
    std::uint8_t* const target = bytes.empty() ? &nothing : bytes.data();
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        target, tag_out, nullptr, target, bytes.size(), associated.data(), associated.size(),
        nullptr, nonce.data(), key.data());
}

bool aead_open(const AeadKey& key, const AeadNonce& nonce, ConstBytes associated,
               MutableBytes bytes, const std::uint8_t* tag) {
    std::uint8_t nothing = 0;
    std::uint8_t* const target = bytes.empty() ? &nothing : bytes.data();
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(
               target, nullptr, target, bytes.size(), tag, associated.data(), associated.size(),
               nonce.data(), key.data()) == 0;
}

}  // namespace wt::crypto
