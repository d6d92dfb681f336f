// SPDX-License-Identifier: MIT
#include "engine/secure/address_table.hpp"

#include <array>
#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::secure {

using transport::Address;

AddressTable::AddressTable(std::uint32_t entries_max, Entropy& entropy)
    : entries_(std::bit_ceil(std::uint64_t{entries_max} * 2 + 2)),
      mask_(static_cast<std::uint32_t>(entries_.size() - 1)),
      entries_max_(entries_max) {
    draw_key(entropy);
}

std::uint32_t AddressTable::find(const Address& address) const {
    return entries_[place_of(address)].value;
}

void AddressTable::put(const Address& address, std::uint32_t value) {
    WT_CHECK(value != none);
    Entry& entry = entries_[place_of(address)];
    if (entry.value == none) {
        WT_CHECK(size_ < entries_max_);
        entry.address = address;
        ++size_;
    }
    entry.value = value;
}

// Later entries of the same run move back into the gap, so that no search ends too early and no
// tombstones gather.
void AddressTable::remove(const Address& address) {
    std::uint32_t gap = place_of(address);
    if (entries_[gap].value == none) return;
    for (std::uint32_t at = (gap + 1) & mask_; entries_[at].value != none; at = (at + 1) & mask_) {
        const std::uint32_t home = home_of(entries_[at].address);
        // An entry may move only if its home does not lie between the gap and itself.
        if (((at - home) & mask_) < ((at - gap) & mask_)) continue;
        entries_[gap] = entries_[at];
        gap = at;
    }
    entries_[gap] = {};
    --size_;
}

void AddressTable::clear(Entropy& entropy) {
    for (Entry& entry : entries_)
        entry = {};
    size_ = 0;
    draw_key(entropy);
}

std::uint32_t AddressTable::home_of(const Address& address) const {
    const std::uint64_t high = load_u64(address.ip.data());
    const std::uint64_t low = load_u64(address.ip.data() + 8);
    const std::uint64_t folded = mix(high ^ key_first_, low ^ key_second_);
    return static_cast<std::uint32_t>(mix(folded ^ key_second_, address.port ^ key_first_)) & mask_;
}

std::uint32_t AddressTable::place_of(const Address& address) const {
    std::uint32_t at = home_of(address);
    // Ends because at least half of the places are free.
    while (entries_[at].value != none && entries_[at].address != address)
        at = (at + 1) & mask_;
    return at;
}

void AddressTable::draw_key(Entropy& entropy) {
    std::array<std::uint8_t, 16> bytes{};
    entropy.fill(bytes);
    key_first_ = load_u64(bytes.data());
    key_second_ = load_u64(bytes.data() + 8);
}

}  // namespace wt::secure
