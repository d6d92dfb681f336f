// SPDX-License-Identifier: MIT
//
// libsodium's SHA-256 behind our types. It needs no initialisation.
#include "engine/crypto/sha256.hpp"

#include <sodium/crypto_hash_sha256.h>

namespace wt::crypto {

void sha256(ConstBytes bytes, Mac& out) {
    static_assert(sha256_bytes == crypto_hash_sha256_BYTES);
    crypto_hash_sha256(out.data(), bytes.data(), bytes.size());
}

}  // namespace wt::crypto
