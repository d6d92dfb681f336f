// SPDX-License-Identifier: MIT
#include "bots/payloads.hpp"

#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::bots {

namespace {

// Word `index` of the content made from `seed`.
std::uint64_t content_word(std::uint64_t seed, std::size_t index) {
    return mix(seed ^ 0x2545'f491'4f6c'dd1d, index + 0x9e37'79b9'7f4a'7c15);
}

}  // namespace

void fill_content(MutableBytes target, std::uint64_t seed) {
    WT_CHECK(target.size() >= 8);
    WT_CHECK(target.size() % 8 == 0);
    store_u64(target.data(), seed);
    for (std::size_t i = 1; i < target.size() / 8; ++i) {
        store_u64(target.data() + 8 * i, content_word(seed, i));
    }
}

void fill_drawn(MutableBytes target, LuckKey key) {
    WT_CHECK(target.size() % 8 == 0);
    for (std::size_t i = 0; i < target.size() / 8; ++i)
        store_u64(target.data() + 8 * i, key.draw(i));
}

bool content_matches(ConstBytes bytes) {
    if (bytes.size() < 8 || bytes.size() % 8 != 0) return false;
    const std::uint64_t seed = load_u64(bytes.data());
    for (std::size_t i = 1; i < bytes.size() / 8; ++i) {
        if (load_u64(bytes.data() + 8 * i) != content_word(seed, i)) return false;
    }
    return true;
}

void write_input(MutableBytes target, const Input& input) {
    WT_CHECK(target.size() == input_bytes);
    ByteWriter writer(target);
    writer.u32(input.tick);
    writer.u32(input.snapshot_tick);
    for (const std::uint16_t buttons : input.buttons)
        writer.u16(buttons);
    writer.zeros(writer.left());
}

bool read_input(ConstBytes bytes, Input& out) {
    if (bytes.size() != input_bytes) return false;
    ByteReader reader(bytes);
    Input input;
    reader.u32(input.tick);
    reader.u32(input.snapshot_tick);
    for (std::uint16_t& buttons : input.buttons)
        reader.u16(buttons);
    out = input;
    return true;
}

void write_snapshot_head(MutableBytes target, const SnapshotHead& head) {
    ByteWriter writer(target);
    writer.u32(head.tick);
    writer.u16(head.first);
    writer.u16(head.count);
    WT_CHECK(!writer.failed());
}

bool read_snapshot_head(ConstBytes bytes, SnapshotHead& out) {
    ByteReader reader(bytes);
    SnapshotHead head;
    reader.u32(head.tick);
    reader.u16(head.first);
    reader.u16(head.count);
    if (reader.failed()) return false;
    if (reader.left() != std::size_t{head.count} * object_bytes) return false;
    out = head;
    return true;
}

}  // namespace wt::bots
