// SPDX-License-Identifier: MIT
#include "engine/crypto/entropy.hpp"

#include <sodium.h>

#include "engine/base/check.hpp"
#include "engine/crypto/ready.hpp"

namespace wt::crypto {

Entropy system_entropy() {
    WT_CHECK(crypto_ready());
    const Entropy::Fill fill = [](void*, MutableBytes target) {
        randombytes_buf(target.data(), target.size());
    };
    return Entropy(fill, nullptr);
}

}  // namespace wt::crypto
