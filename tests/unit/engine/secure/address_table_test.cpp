// SPDX-License-Identifier: MIT
//
// The table against an ordered map under random puts and removals: removals move entries back into
// gaps, which is where such tables break.
#include "engine/secure/address_table.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/base/rng.hpp"
#include "tests/support/endpoint_pair.hpp"

namespace wt::secure {

TEST_CASE("agrees with a map under random puts and removals, nearly full") {
    LuckStream luck(LuckKey::root(4));
    Entropy entropy = Entropy::from_luck(luck);
    AddressTable table(100, entropy);
    std::map<transport::Address, std::uint32_t> expected;
    for (std::uint32_t step = 0; step < 50'000; ++step) {
        const auto port = static_cast<std::uint16_t>(luck.below(130));
        const transport::Address address = test::address_of(1, port);
        if (luck.below(5) < 3) {
            if (expected.size() < 100 || expected.count(address) != 0) {
                table.put(address, step);
                expected[address] = step;
            }
        } else {
            table.remove(address);
            expected.erase(address);
        }
        const transport::Address other =
            test::address_of(1, static_cast<std::uint16_t>(luck.below(130)));
        const auto found = expected.find(other);
        REQUIRE(table.find(other) ==
                (found == expected.end() ? AddressTable::none : found->second));
        REQUIRE(table.size() == expected.size());
    }
    CHECK(table.size() > 50);
}

TEST_CASE("addresses differ by every part") {
    LuckStream luck(LuckKey::root(4));
    Entropy entropy = Entropy::from_luck(luck);
    AddressTable table(64, entropy);
    transport::Address address = test::address_of(1);
    table.put(address, 1);
    for (std::uint8_t& byte : address.ip) {
        byte ^= 1;
        CHECK(table.find(address) == AddressTable::none);
        byte ^= 1;
    }
    ++address.port;
    CHECK(table.find(address) == AddressTable::none);
}

TEST_CASE("clear forgets everything") {
    LuckStream luck(LuckKey::root(4));
    Entropy entropy = Entropy::from_luck(luck);
    AddressTable table(2, entropy);
    table.put(test::address_of(1), 1);
    table.put(test::address_of(2), 2);
    table.clear(entropy);
    CHECK(table.size() == 0);
    CHECK(table.find(test::address_of(1)) == AddressTable::none);
    table.put(test::address_of(3), 3);
    table.put(test::address_of(4), 4);
    CHECK(table.find(test::address_of(4)) == 4);
}

TEST_CASE("an empty table finds nothing") {
    LuckStream luck(LuckKey::root(4));
    Entropy entropy = Entropy::from_luck(luck);
    AddressTable table(0, entropy);
    CHECK(table.find(test::address_of(1)) == AddressTable::none);
    table.remove(test::address_of(1));
    CHECK(table.size() == 0);
}

}  // namespace wt::secure
