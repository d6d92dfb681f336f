// SPDX-License-Identifier: MIT
#include "engine/crypto/ready.hpp"

#include <sodium.h>

namespace wt::crypto {

bool crypto_ready() {
    // Chooses the fastest implementation for this processor. Later calls answer from memory.
    static const bool ready = sodium_init() >= 0;
    return ready;
}

void wipe(MutableBytes secret) {
    if (!secret.empty()) sodium_memzero(secret.data(), secret.size());
}

bool is_equal(ConstBytes a, ConstBytes b) {
    if (a.size() != b.size()) return false;
    return a.empty() || sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace wt::crypto
