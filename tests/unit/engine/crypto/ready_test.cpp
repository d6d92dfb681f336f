// SPDX-License-Identifier: MIT
#include "engine/crypto/ready.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "engine/crypto/entropy.hpp"

namespace wt::crypto {

TEST_CASE("the library readies itself, more than once") {
    CHECK(crypto_ready());
    CHECK(crypto_ready());
}

TEST_CASE("wipe leaves zeros, also of nothing") {
    std::array<std::uint8_t, 5> secret{1, 2, 3, 4, 5};
    wipe(secret);
    CHECK(secret == std::array<std::uint8_t, 5>{});
    wipe({});
}

TEST_CASE("equality looks at every byte and at the size") {
    std::array<std::uint8_t, 16> a{};
    std::array<std::uint8_t, 16> b{};
    CHECK(is_equal(a, b));
    CHECK_FALSE(is_equal(a, ConstBytes(b).first(15)));
    CHECK(is_equal({}, {}));
    for (std::size_t i = 0; i < b.size(); ++i) {
        b[i] = 0x80;
        CHECK_FALSE(is_equal(a, b));
        b[i] = 0;
    }
}

TEST_CASE("system entropy fills whole targets, differently each time") {
    Entropy entropy = system_entropy();
    std::array<std::uint8_t, 64> first{};
    std::array<std::uint8_t, 64> second{};
    entropy.fill(first);
    entropy.fill(second);
    CHECK(first != second);
    // 32 zero bytes in a row have a chance of 2^-256.
    CHECK(std::any_of(first.begin() + 32, first.end(), [](std::uint8_t b) { return b != 0; }));
}

}  // namespace wt::crypto
