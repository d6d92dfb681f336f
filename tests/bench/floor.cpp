// SPDX-License-Identifier: MIT
#include "tests/bench/floor.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/bytes.hpp"
#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::bench {

namespace {

constexpr std::size_t header_bytes = 18;  // Frame, number, a delivery header.
constexpr std::size_t tag_bytes = crypto_aead_chacha20poly1305_ietf_ABYTES;

struct PeerKeys {
    std::array<std::uint8_t, 32> inner[2]{};
    std::array<std::uint8_t, 32> outer[2]{};
    std::uint64_t inner_counter[2]{};
    std::uint64_t outer_counter[2]{};
};

struct Slot {
    std::uint32_t peer = 0;
    std::uint16_t bytes = 0;
    std::uint16_t record_bytes = 0;
    std::uint8_t way = 0;
    std::array<std::uint8_t, 1'232> data{};
};

struct Due {
    std::int64_t at = 0;
    std::uint64_t order = 0;
    std::uint32_t slot = 0;
};
bool later(const Due& a, const Due& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
}

using Nonce = std::array<std::uint8_t, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

Nonce nonce_of(std::uint64_t counter) {
    Nonce nonce{};
    store_u64(nonce.data() + 4, counter);
    return nonce;
}

void seal(PeerKeys& keys, Slot& slot, const std::uint8_t* payload) {
    const unsigned way = slot.way;
    const std::uint64_t number = ++keys.outer_counter[way];
    store_u64(slot.data.data() + 3, number);
    if (slot.record_bytes != 0) {
        const std::uint64_t counter = ++keys.inner_counter[way];
        std::uint8_t* const record = slot.data.data() + header_bytes;
        store_u64(record, counter);
        std::memcpy(record + 8, payload, slot.record_bytes);
        const Nonce nonce = nonce_of(counter);
        crypto_aead_chacha20poly1305_ietf_encrypt_detached(
            record + 8, record + 8 + slot.record_bytes, nullptr, record + 8, slot.record_bytes,
            nullptr, 0, nullptr, nonce.data(), keys.inner[way].data());
    }
    const std::size_t tagged = slot.bytes - tag_bytes;
    const Nonce nonce = nonce_of(number);
    std::uint8_t nothing = 0;
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        &nothing, slot.data.data() + tagged, nullptr, &nothing, 0, slot.data.data(), tagged,
        nullptr, nonce.data(), keys.outer[way].data());
}

void open(PeerKeys& keys, Slot& slot, std::uint8_t* plain) {
    const std::size_t tagged = slot.bytes - tag_bytes;
    const Nonce nonce = nonce_of(load_u64(slot.data.data() + 3));
    std::uint8_t nothing = 0;
    WT_CHECK(crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                 &nothing, nullptr, &nothing, 0, slot.data.data() + tagged, slot.data.data(),
                 tagged, nonce.data(), keys.outer[slot.way].data()) == 0);
    if (slot.record_bytes == 0) return;
    const std::uint8_t* const record = slot.data.data() + header_bytes;
    const Nonce inner = nonce_of(load_u64(record));
    WT_CHECK(crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                 plain, nullptr, record + 8, slot.record_bytes, record + 8 + slot.record_bytes,
                 nullptr, 0, inner.data(), keys.inner[slot.way].data()) == 0);
}

}  // namespace

std::uint64_t run_floor(const std::vector<FloorDatagram>& traffic, std::uint32_t peers) {
    std::vector<PeerKeys> keys(peers);
    for (PeerKeys& peer : keys) {
        randombytes_buf(peer.inner, sizeof peer.inner);
        randombytes_buf(peer.outer, sizeof peer.outer);
    }
    std::vector<Slot> slots(std::size_t{peers} * 64 + 4'096);
    std::vector<std::uint32_t> free_slots;
    for (std::uint32_t i = static_cast<std::uint32_t>(slots.size()); i-- > 0;) {
        free_slots.push_back(i);
    }
    std::vector<Due> queue;
    queue.reserve(slots.size());
    std::array<std::uint8_t, 1'232> payload{};
    std::array<std::uint8_t, 1'232> plain{};
    std::uint64_t opened = 0;
    std::uint64_t order = 0;
    const auto take_until = [&](std::int64_t now) {
        while (!queue.empty() && queue.front().at <= now) {
            std::pop_heap(queue.begin(), queue.end(), later);
            Slot& slot = slots[queue.back().slot];
            open(keys[slot.peer], slot, plain.data());
            free_slots.push_back(queue.back().slot);
            queue.pop_back();
            ++opened;
        }
    };
    for (const FloorDatagram& datagram : traffic) {
        take_until(datagram.at_ns);
        WT_CHECK(!free_slots.empty());
        const std::uint32_t index = free_slots.back();
        Slot& slot = slots[index];
        slot.peer = datagram.peer;
        slot.way = datagram.is_up;
        // The floor's header is one size for all; what its datagram is short of is payload.
        slot.record_bytes = datagram.record_bytes;
        const std::size_t least =
            header_bytes + tag_bytes + (slot.record_bytes == 0 ? 0u : slot.record_bytes + 24u);
        slot.bytes = static_cast<std::uint16_t>(std::max<std::size_t>(datagram.bytes, least));
        payload[0] = static_cast<std::uint8_t>(order);
        seal(keys[datagram.peer], slot, payload.data());
        const std::uint64_t draw = mix(order + 1, 0x9e37'79b9'7f4a'7c15);
        if (datagram.is_lost != 0) continue;
        const std::int64_t delay =
            20'000'000 + static_cast<std::int64_t>((draw >> 32) * 24'000'000 >> 32);
        free_slots.pop_back();
        queue.push_back({datagram.at_ns + delay, order++, index});
        std::push_heap(queue.begin(), queue.end(), later);
    }
    take_until(INT64_MAX);
    return opened;
}

}  // namespace wt::bench
