// SPDX-License-Identifier: MIT
//
// What everything in engine/crypto stands on: the library is ready, secrets can be wiped, and
// secrets are compared in constant time. No header of this folder shows the library itself.
#pragma once

#include "engine/base/bytes.hpp"

namespace wt::crypto {

// Readies the library on the first call; true if it can be used. Endpoints check it once.
[[nodiscard]] bool crypto_ready();

// Overwrites a secret in a way that the optimiser must not remove.
void wipe(MutableBytes secret);

// Whether both are equal, in a time that depends on the size only. False for unequal sizes.
[[nodiscard]] bool is_equal(ConstBytes a, ConstBytes b);

}  // namespace wt::crypto
