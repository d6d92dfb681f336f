// SPDX-License-Identifier: MIT
//
// SHA-256 of bytes: the fingerprint of a scenario's text in reports. Not part of any protocol.
#pragma once

#include "engine/base/bytes.hpp"
#include "engine/crypto/hkdf.hpp"

namespace wt::crypto {

void sha256(ConstBytes bytes, Mac& out);

}  // namespace wt::crypto
