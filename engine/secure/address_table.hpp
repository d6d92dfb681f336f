// SPDX-License-Identifier: MIT
//
// From an address to a small number, in constant time. Open addressing with linear probing; its
// places depend on a key from entropy, so that nobody can aim addresses at one bucket. It cannot be
// walked: no order of its own may ever reach an output.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/entropy.hpp"
#include "engine/transport/address.hpp"

namespace wt::secure {

class AddressTable {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Room for `entries_max` addresses; a bug to put more. Allocates here and never again.
    AddressTable(std::uint32_t entries_max, Entropy& entropy);

    // The number of an address, or none.
    [[nodiscard]] std::uint32_t find(const transport::Address& address) const;
    // Replaces what was there.
    void put(const transport::Address& address, std::uint32_t value);
    // Nothing happens where the address is unknown.
    void remove(const transport::Address& address);
    // Forgets every entry and draws a fresh key.
    void clear(Entropy& entropy);

    [[nodiscard]] std::uint32_t size() const { return size_; }

private:
    struct Entry {
        transport::Address address{};
        std::uint32_t value = none;  // none: the place is free.
    };

    [[nodiscard]] std::uint32_t home_of(const transport::Address& address) const;
    // Where the address is, or the free place where it would go.
    [[nodiscard]] std::uint32_t place_of(const transport::Address& address) const;
    void draw_key(Entropy& entropy);

    std::vector<Entry> entries_;  // A power of two, at least twice entries_max.
    std::uint32_t mask_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t entries_max_ = 0;
    std::uint64_t key_first_ = 0;
    std::uint64_t key_second_ = 0;
};

}  // namespace wt::secure
