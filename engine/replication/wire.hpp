// SPDX-License-Identifier: MIT
//
// What replication puts into messages: the head of a snapshot, the control messages (spawn,
// despawn, owner), the client's keyframe request and its acknowledgement. Layouts: README.md.
// Readers take bytes of strangers; they check everything that can be checked without a world.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/base/bytes.hpp"
#include "engine/replication/schema.hpp"

namespace wt::replication {

// --- snapshots ---
inline constexpr std::size_t app_block_max = 255;
inline constexpr std::size_t head_bytes = 12;  // Before the app block: 4 + 2 + 1 + 2 + 2 + 1.
inline constexpr unsigned batches_max = 16;
// An object takes 6 bits at least: gap 4, age 1, an empty delta 1. A count that says more objects
// than there are bits for is malformed.
inline constexpr std::uint32_t object_bits_min = 6;

struct SnapshotHead {
    std::uint32_t tick = 0;            // Of the states; wraps.
    std::uint16_t number = 0;          // Counts a peer's snapshot messages; wraps.
    std::uint8_t batch = 0;            // Index among the messages of this tick.
    std::uint8_t batch_limit = 1;      // At most so many for this tick: 1..batches_max.
    std::uint16_t control_serial = 0;  // Newest control message sent before it.
    std::uint16_t object_count = 0;
    ConstBytes app_block{};
};

// False when it does not fit; then the target is as before.
[[nodiscard]] bool write_head(const SnapshotHead& head, MutableBytes target);
// Where the object bits begin; 0 when malformed. The app block is a view into `source`.
[[nodiscard]] std::size_t read_head(ConstBytes source, SnapshotHead& out);

// Slots go up; the distance from the one before stands in 4, 8 or 16 bits.
struct GapCode {
    std::uint32_t bits = 0;
    std::uint32_t width = 0;
};
[[nodiscard]] constexpr GapCode gap_code(std::uint32_t gap) {
    if (gap < 8) return {gap << 1, 4};
    if (gap < 8 + 64) return {(gap - 8) << 2 | 1u, 8};
    return {gap << 2 | 3u, 16};
}
// `word`: the next bits, 16 of them at least.
[[nodiscard]] constexpr GapCode read_gap(std::uint32_t word) {
    if ((word & 1u) == 0) return {word >> 1 & 7u, 4};
    if ((word & 2u) == 0) return {(word >> 2 & 63u) + 8, 8};
    return {word >> 2 & 0x3fffu, 16};
}
inline constexpr unsigned age_bits = 6;  // 0 = an absolute state; else the baseline's age in ticks.
inline constexpr unsigned schema_bits = 4;      // Before an absolute state,
inline constexpr unsigned generation_bits = 8;  // and the low bits of its generation.

// What an object's place is told against: the slot after the one before, and that one's age.
struct PlaceBefore {
    std::uint32_t slot = 0;
    unsigned age = 0;

    [[nodiscard]] constexpr std::uint32_t width_of(std::uint32_t next, unsigned next_age) const {
        return gap_code(next - slot).width + 1 + (next_age == age ? 0 : age_bits);
    }
};
struct Spelling {
    std::uint64_t bits = 0;
    std::uint32_t width = 0;
};
// Slot and age of an object after another one.
[[nodiscard]] constexpr Spelling spell_place(const PlaceBefore& before, std::uint32_t slot,
                                             unsigned age) {
    const GapCode gap = gap_code(slot - before.slot);
    if (age == before.age) return {gap.bits | std::uint64_t{1} << gap.width, gap.width + 1};
    return {gap.bits | std::uint64_t{age} << (gap.width + 1), gap.width + 1 + age_bits};
}

// By the next 9 bits: how far the slot is, and in how many bits that and the age were said; 0 where
// the age is another one or the slot far away. By table, since nobody can foretell the widths.
struct NearPlace {
    std::uint8_t gap = 0;
    std::uint8_t width = 0;
};
inline constexpr unsigned near_place_bits = 9;
inline constexpr std::array<NearPlace, 1u << near_place_bits> near_places = [] {
    std::array<NearPlace, 1u << near_place_bits> places{};
    for (std::uint32_t word = 0; word < places.size(); ++word) {
        const GapCode gap = read_gap(word);
        if (gap.width > 8 || (word >> gap.width & 1u) == 0) continue;
        places[word] = {static_cast<std::uint8_t>(gap.bits),
                        static_cast<std::uint8_t>(gap.width + 1)};
    }
    return places;
}();

// What a client has: the newest snapshot number and a bit n for each number - 1 - n. Its control
// serial is the newest control message that it applied. Rides in every input. Before the first
// snapshot newest and mask are 0, before the first control message its serial is 0.
struct SnapshotAck {
    std::uint16_t newest = 0;
    std::uint32_t mask = 0;
    std::uint16_t control_serial = 0;

    [[nodiscard]] bool has_snapshot() const { return newest != 0 || mask != 0; }
};

// --- control messages ---
enum class ControlKind : std::uint8_t { spawn, despawn, owner };

struct SpawnRecord {
    ObjectId id{};
    std::uint16_t kind = 0;
    PlayerSlot owner = no_owner;
    State state{};
};
struct OwnerRecord {
    ObjectId id{};
    PlayerSlot owner = no_owner;
};

inline constexpr std::size_t control_head_bytes = 14;  // u16 serial, u32 tick, u64 count.
inline constexpr std::size_t spawn_bytes = 18;
inline constexpr std::size_t despawn_bytes = 4;
inline constexpr std::size_t owner_bytes = 6;
[[nodiscard]] constexpr std::size_t record_bytes(ControlKind kind) {
    return kind == ControlKind::spawn     ? spawn_bytes
           : kind == ControlKind::despawn ? despawn_bytes
                                          : owner_bytes;
}
inline constexpr std::size_t control_bytes_max = 1'052;  // One unreliable message's payload.
inline constexpr std::uint32_t control_records_max =
    static_cast<std::uint32_t>((control_bytes_max - control_head_bytes) / despawn_bytes);

struct ControlHead {
    std::uint16_t serial = 0;
    std::uint32_t tick = 0;
    std::uint32_t count = 0;
};

// Records follow the head at control_head_bytes + i * record_bytes(kind).
void write_control_head(const ControlHead& head, std::uint8_t* target);
void write_spawn(const SpawnRecord& record, std::uint8_t* target);
void write_despawn(ObjectId id, std::uint8_t* target);
void write_owner(const OwnerRecord& record, std::uint8_t* target);
// True when the message is exactly as long as its count says, and has 1..control_records_max.
[[nodiscard]] bool read_control_head(ControlKind kind, ConstBytes source, ControlHead& out);
[[nodiscard]] SpawnRecord read_spawn(ConstBytes source, std::uint32_t index);
[[nodiscard]] ObjectId read_despawn(ConstBytes source, std::uint32_t index);
[[nodiscard]] OwnerRecord read_owner(ConstBytes source, std::uint32_t index);

// One object's part in a checksum of a set: both ends chain the same in slot order.
[[nodiscard]] std::uint64_t chain_object(std::uint64_t sum, ObjectId id, std::uint16_t kind,
                                         PlayerSlot owner, const State& state);

// --- keyframe request ---
inline constexpr std::uint32_t request_ids_max = 64;
inline constexpr std::size_t request_head_bytes = 9;  // u8 everything, u64 count.
inline constexpr std::size_t request_bytes_max =
    request_head_bytes + request_ids_max * despawn_bytes;

struct KeyframeRequest {
    bool everything = false;  // All that is relevant; then no ids follow.
    std::uint32_t count = 0;
    std::array<ObjectId, request_ids_max> ids{};
};
// Bytes written; 0 when it does not fit.
[[nodiscard]] std::size_t write_request(const KeyframeRequest& request, MutableBytes target);
[[nodiscard]] bool read_request(ConstBytes source, KeyframeRequest& out);

}  // namespace wt::replication
