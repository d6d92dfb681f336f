// SPDX-License-Identifier: MIT
#include "tests/bench/aead_count.hpp"

namespace {

wt::bench::AeadCalls calls;

}  // namespace

// The names are the linker's: __real_X is what X was, __wrap_X is who gets the calls.
// NOLINTBEGIN
extern "C" {

int __real_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    unsigned char* c, unsigned char* mac, unsigned long long* mac_bytes, const unsigned char* m,
    unsigned long long m_bytes, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nothing, const unsigned char* nonce, const unsigned char* key);
int __real_crypto_aead_chacha20poly1305_ietf_decrypt_detached(
    unsigned char* m, unsigned char* nothing, const unsigned char* c, unsigned long long c_bytes,
    const unsigned char* mac, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nonce, const unsigned char* key);

int __wrap_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    unsigned char* c, unsigned char* mac, unsigned long long* mac_bytes, const unsigned char* m,
    unsigned long long m_bytes, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nothing, const unsigned char* nonce, const unsigned char* key) {
    ++calls.sealed;
    return __real_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        c, mac, mac_bytes, m, m_bytes, ad, ad_bytes, nothing, nonce, key);
}

int __wrap_crypto_aead_chacha20poly1305_ietf_decrypt_detached(
    unsigned char* m, unsigned char* nothing, const unsigned char* c, unsigned long long c_bytes,
    const unsigned char* mac, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nonce, const unsigned char* key) {
    const int code = __real_crypto_aead_chacha20poly1305_ietf_decrypt_detached(
        m, nothing, c, c_bytes, mac, ad, ad_bytes, nonce, key);
    ++(code == 0 ? calls.opened : calls.refused);
    return code;
}

}  // extern "C"
// NOLINTEND

namespace wt::bench {

AeadCalls aead_calls() {
    return calls;
}

}  // namespace wt::bench
