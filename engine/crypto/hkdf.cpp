// SPDX-License-Identifier: MIT
#include "engine/crypto/hkdf.hpp"

#include <sodium.h>

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/crypto/ready.hpp"

namespace wt::crypto {

static_assert(sha256_bytes == crypto_auth_hmacsha256_BYTES);

namespace {

// The library wants a place even for nothing: an empty span has none.
constexpr std::uint8_t nothing = 0;
const std::uint8_t* start_of(ConstBytes bytes) {
    return bytes.empty() ? &nothing : bytes.data();
}

}  // namespace

void hmac_sha256(ConstBytes key, ConstBytes bytes, Mac& out) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, start_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, start_of(bytes), bytes.size());
    crypto_auth_hmacsha256_final(&state, out.data());
}

void hkdf_extract(ConstBytes salt, ConstBytes secret, Mac& key_out) {
    // HMAC pads its key with zeros, so that an empty salt needs no special case.
    hmac_sha256(salt, secret, key_out);
}

void hkdf_expand(const Mac& key, const HkdfInfo& info, MutableBytes out) {
    WT_CHECK(out.size() <= hkdf_bytes_max);

    Mac block{};
    std::uint8_t number = 0;
    for (std::size_t done = 0; done < out.size();) {
        crypto_auth_hmacsha256_state state;
        crypto_auth_hmacsha256_init(&state, key.data(), key.size());
        if (number > 0) crypto_auth_hmacsha256_update(&state, block.data(), block.size());
        crypto_auth_hmacsha256_update(&state, start_of(info.label), info.label.size());
        crypto_auth_hmacsha256_update(&state, start_of(info.context), info.context.size());
        ++number;
        crypto_auth_hmacsha256_update(&state, &number, 1);
        crypto_auth_hmacsha256_final(&state, block.data());

        const std::size_t take = std::min(block.size(), out.size() - done);
        std::copy_n(block.data(), take, out.data() + done);
        done += take;
    }
    wipe(block);
}

}  // namespace wt::crypto
