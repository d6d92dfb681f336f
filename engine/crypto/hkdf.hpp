// SPDX-License-Identifier: MIT
//
// HMAC-SHA-256 and HKDF-SHA-256 (RFC 5869), built on libsodium's HMAC because its version 1.0.18
// has no HKDF of its own. Extract condenses a secret of any shape into a key; expand makes keys
// for named purposes from it.  Spec: 000, session keys.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/bytes.hpp"

namespace wt::crypto {

inline constexpr std::size_t sha256_bytes = 32;
// RFC 5869: one expansion yields at most 255 blocks.
inline constexpr std::size_t hkdf_bytes_max = 255 * sha256_bytes;

using Mac = std::array<std::uint8_t, sha256_bytes>;

void hmac_sha256(ConstBytes key, ConstBytes bytes, Mac& out);

// An empty salt stands for a block of zeros, as the RFC says.
void hkdf_extract(ConstBytes salt, ConstBytes secret, Mac& key_out);

// Fills `out` whole. A bug (WT_CHECK) above hkdf_bytes_max. `out` must not overlap the inputs.
// The info string comes in two parts that are joined: a label and what it is bound to.
struct HkdfInfo {
    ConstBytes label{};
    ConstBytes context{};
};
void hkdf_expand(const Mac& key, const HkdfInfo& info, MutableBytes out);

}  // namespace wt::crypto
