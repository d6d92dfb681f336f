// SPDX-License-Identifier: MIT
//
// In front of libsodium and of the encrypted server's factory.
#include <cstring>

#include "engine/secure/endpoints.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::test {

void note_sealed(const std::uint8_t* key, std::uint64_t counter);

}  // namespace wt::test

// The names are the linker's: __real_X is what X was, __wrap_X is who gets the calls.
// NOLINTBEGIN
extern "C" {

int __real_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    unsigned char* c, unsigned char* mac, unsigned long long* mac_bytes, const unsigned char* m,
    unsigned long long m_bytes, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nothing, const unsigned char* nonce, const unsigned char* key);

int __wrap_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    unsigned char* c, unsigned char* mac, unsigned long long* mac_bytes, const unsigned char* m,
    unsigned long long m_bytes, const unsigned char* ad, unsigned long long ad_bytes,
    const unsigned char* nothing, const unsigned char* nonce, const unsigned char* key) {
    wt::test::note_sealed(key, wt::load_u64(nonce + 4));
    return __real_crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        c, mac, mac_bytes, m, m_bytes, ad, ad_bytes, nothing, nonce, key);
}

}  // extern "C"

using ServerMaker = std::unique_ptr<wt::transport::Endpoint>(const wt::secure::ServerConfig&,
                                                             wt::Entropy);
ServerMaker real_make_server asm(
    "__real__ZN2wt6secure11make_serverERKNS0_12ServerConfigENS_7EntropyE");
ServerMaker wrap_make_server asm(
    "__wrap__ZN2wt6secure11make_serverERKNS0_12ServerConfigENS_7EntropyE");

std::unique_ptr<wt::transport::Endpoint> wrap_make_server(const wt::secure::ServerConfig& config,
                                                          wt::Entropy entropy) {
    wt::test::forget_nonces();
    return real_make_server(config, entropy);
}
// NOLINTEND
