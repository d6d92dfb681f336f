// SPDX-License-Identifier: MIT
#include "engine/replication/wire.hpp"

#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"
#include "engine/replication/state_codec.hpp"

namespace wt::replication {

bool write_head(const SnapshotHead& head, MutableBytes target) {
    WT_CHECK(head.app_block.size() <= app_block_max);
    WT_CHECK(head.batch < head.batch_limit);
    WT_CHECK(head.batch_limit <= batches_max);
    if (head_bytes + head.app_block.size() > target.size()) return false;
    ByteWriter out(target);
    out.u32(head.tick);
    out.u16(head.number);
    out.u8(static_cast<std::uint8_t>(head.batch | (head.batch_limit - 1u) << 4));
    out.u16(head.control_serial);
    out.u16(head.object_count);
    out.u8(static_cast<std::uint8_t>(head.app_block.size()));
    out.bytes(head.app_block);
    return true;
}

std::size_t read_head(ConstBytes source, SnapshotHead& out) {
    ByteReader in(source);
    SnapshotHead head;
    std::uint8_t batches = 0;
    std::uint8_t app_bytes = 0;
    in.u32(head.tick);
    in.u16(head.number);
    in.u8(batches);
    in.u16(head.control_serial);
    in.u16(head.object_count);
    in.u8(app_bytes);
    in.view(app_bytes, head.app_block);
    if (in.failed()) return 0;
    head.batch = batches & 15u;
    head.batch_limit = static_cast<std::uint8_t>((batches >> 4) + 1);
    if (head.batch >= head.batch_limit) return 0;
    if (in.left() * 8 < std::size_t{head.object_count} * object_bits_min) return 0;
    out = head;
    return in.position();
}

void write_control_head(const ControlHead& head, std::uint8_t* target) {
    store_u16(target, head.serial);
    store_u32(target + 2, head.tick);
    store_u64(target + 6, head.count);
}

void write_despawn(ObjectId id, std::uint8_t* target) {
    store_u16(target, id.slot);
    store_u16(target + 2, id.generation);
}

void write_owner(const OwnerRecord& record, std::uint8_t* target) {
    write_despawn(record.id, target);
    store_u16(target + 4, record.owner);
}

void write_spawn(const SpawnRecord& record, std::uint8_t* target) {
    write_despawn(record.id, target);
    store_u16(target + 4, record.kind);
    store_u16(target + 6, record.owner);
    for (unsigned i = 0; i < fields_max; ++i)
        store_u16(target + 8 + 2 * i, record.state.fields[i]);
}

bool read_control_head(ControlKind kind, ConstBytes source, ControlHead& out) {
    if (source.size() < control_head_bytes) return false;
    const std::uint64_t count = load_u64(source.data() + 6);
    if (count < 1 || count > control_records_max) return false;
    if (source.size() != control_head_bytes + count * record_bytes(kind)) return false;
    out = {.serial = load_u16(source.data()),
           .tick = load_u32(source.data() + 2),
           .count = static_cast<std::uint32_t>(count)};
    return true;
}

namespace {

const std::uint8_t* record_at(ConstBytes source, ControlKind kind, std::uint32_t index) {
    const std::size_t at = control_head_bytes + index * record_bytes(kind);
    WT_CHECK(at + record_bytes(kind) <= source.size());
    return source.data() + at;
}

ObjectId id_at(const std::uint8_t* at) {
    return {load_u16(at), load_u16(at + 2)};
}

}  // namespace

SpawnRecord read_spawn(ConstBytes source, std::uint32_t index) {
    const std::uint8_t* at = record_at(source, ControlKind::spawn, index);
    SpawnRecord record{.id = id_at(at), .kind = load_u16(at + 4), .owner = load_u16(at + 6)};
    for (unsigned i = 0; i < fields_max; ++i)
        record.state.fields[i] = load_u16(at + 8 + 2 * i);
    return record;
}

ObjectId read_despawn(ConstBytes source, std::uint32_t index) {
    return id_at(record_at(source, ControlKind::despawn, index));
}

OwnerRecord read_owner(ConstBytes source, std::uint32_t index) {
    const std::uint8_t* at = record_at(source, ControlKind::owner, index);
    return {.id = id_at(at), .owner = load_u16(at + 4)};
}

std::uint64_t chain_object(std::uint64_t sum, ObjectId id, std::uint16_t kind, PlayerSlot owner,
                           const State& state) {
    const std::uint64_t head = std::uint64_t{id.slot} << 48 | std::uint64_t{id.generation} << 32 |
                               std::uint64_t{kind} << 16 | owner;
    sum = mix(sum ^ 0x9e37'79b9'7f4a'7c15, head ^ 0xe703'7ed1'a0b4'28db);
    return mix(sum ^ lanes_of(state), std::uint64_t{state.fields[4]} ^ 0x8ebc'6af0'9c88'c6e3);
}

std::size_t write_request(const KeyframeRequest& request, MutableBytes target) {
    WT_CHECK(request.count <= request_ids_max);
    const std::size_t size = request_head_bytes + request.count * despawn_bytes;
    if (size > target.size()) return 0;
    target[0] = request.everything ? 1 : 0;
    store_u64(target.data() + 1, request.count);
    for (std::uint32_t i = 0; i < request.count; ++i)
        write_despawn(request.ids[i], target.data() + request_head_bytes + i * despawn_bytes);
    return size;
}

bool read_request(ConstBytes source, KeyframeRequest& out) {
    if (source.size() < request_head_bytes || source[0] > 1) return false;
    const bool everything = source[0] == 1;
    const std::uint64_t count = load_u64(source.data() + 1);
    if (count > request_ids_max || everything != (count == 0)) return false;
    if (source.size() != request_head_bytes + count * despawn_bytes) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const ObjectId id = id_at(source.data() + request_head_bytes + i * despawn_bytes);
        if (id.slot >= slots_max || !id.is_valid()) return false;
    }
    out.everything = everything;
    out.count = static_cast<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < count; ++i)
        out.ids[i] = id_at(source.data() + request_head_bytes + i * despawn_bytes);
    return true;
}

}  // namespace wt::replication
