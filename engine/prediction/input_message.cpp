// SPDX-License-Identifier: MIT
#include "engine/prediction/input_message.hpp"

namespace wt::prediction {

namespace {

constexpr std::uint8_t count_mask = 0x0f;
constexpr std::uint8_t snapshot_flag = 0x80;

bool is_shape(unsigned count, unsigned view_mask) {
    return count <= commands_max && view_mask >> count == 0;
}

std::size_t bytes_of(unsigned count, unsigned view_mask) {
    std::size_t bytes = input_head_bytes + count * std::size_t{4};
    for (; view_mask != 0; view_mask >>= 1)
        bytes += (view_mask & 1) * view_bytes;
    return bytes;
}

void read_view(ByteReader& reader, WireView& view) {
    (void)reader.u32(view.tick);
    (void)reader.u16(view.fraction);
    (void)reader.u8(view.back);
    (void)reader.u8(view.span);
}

}  // namespace

std::size_t encode_input(const InputMessage& message, MutableBytes target) {
    if (!is_shape(message.count, message.view_mask)) return 0;
    if (bytes_of(message.count, message.view_mask) > target.size()) return 0;
    const SnapshotAck& ack = message.ack;
    ByteWriter writer(target);
    writer.u32(message.newest_tick);
    writer.u8(static_cast<std::uint8_t>(message.count | (ack.has_snapshot ? snapshot_flag : 0)));
    writer.u16(message.view_mask);
    writer.u16(ack.has_snapshot ? ack.newest : std::uint16_t{0});
    writer.u32(ack.has_snapshot ? ack.mask : 0);
    writer.u16(ack.control_serial);
    writer.u32(message.client_clock_us);
    for (std::size_t i = 0; i < message.count; ++i)
        writer.u32(message.commands[i]);
    for (std::size_t i = 0; i < message.count; ++i) {
        if (!message.has_view(i)) continue;
        writer.u32(message.views[i].tick);
        writer.u16(message.views[i].fraction);
        writer.u8(message.views[i].back);
        writer.u8(message.views[i].span);
    }
    return writer.written();
}

InputDecode decode_input(ConstBytes source, InputMessage& out) {
    ByteReader reader(source);
    InputMessage staged;
    std::uint8_t flags = 0;
    (void)reader.u32(staged.newest_tick);
    (void)reader.u8(flags);
    (void)reader.u16(staged.view_mask);
    (void)reader.u16(staged.ack.newest);
    (void)reader.u32(staged.ack.mask);
    (void)reader.u16(staged.ack.control_serial);
    (void)reader.u32(staged.client_clock_us);
    if (reader.failed()) return InputDecode::malformed;
    if ((flags & ~(count_mask | snapshot_flag)) != 0) return InputDecode::malformed;
    staged.count = flags & count_mask;
    staged.ack.has_snapshot = (flags & snapshot_flag) != 0;
    if (!is_shape(staged.count, staged.view_mask)) return InputDecode::malformed;
    if (source.size() != bytes_of(staged.count, staged.view_mask)) return InputDecode::malformed;
    const bool names_snapshot = staged.ack.newest != 0 || staged.ack.mask != 0;
    if (!staged.ack.has_snapshot && names_snapshot) return InputDecode::malformed;
    for (std::size_t i = 0; i < staged.count; ++i)
        (void)reader.u32(staged.commands[i]);
    for (std::size_t i = 0; i < staged.count; ++i) {
        if (staged.has_view(i)) read_view(reader, staged.views[i]);
    }
    if (reader.failed()) return InputDecode::malformed;
    out = staged;
    return InputDecode::ok;
}

bool peek_input_tick(ConstBytes source, std::uint32_t& tick) {
    ByteReader reader(source);
    return reader.u32(tick);
}

}  // namespace wt::prediction
