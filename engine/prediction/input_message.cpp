// SPDX-License-Identifier: MIT
#include "engine/prediction/input_message.hpp"

namespace wt::prediction {

namespace {

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

bool operator==(const InputMessage& a, const InputMessage& b) {
    return a.newest_tick == b.newest_tick && a.count == b.count && a.view_mask == b.view_mask &&
           a.ack.newest == b.ack.newest && a.ack.mask == b.ack.mask &&
           a.ack.control_serial == b.ack.control_serial && a.client_clock_us == b.client_clock_us &&
           a.commands == b.commands && a.views == b.views;
}

std::size_t encode_input(const InputMessage& message, MutableBytes target) {
    if (!is_shape(message.count, message.view_mask)) return 0;
    if (bytes_of(message.count, message.view_mask) > target.size()) return 0;
    ByteWriter writer(target);
    writer.u32(message.newest_tick);
    writer.u8(message.count);
    writer.u16(message.view_mask);
    writer.u16(message.ack.newest);
    writer.u32(message.ack.mask);
    writer.u16(message.ack.control_serial);
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
    (void)reader.u32(staged.newest_tick);
    (void)reader.u8(staged.count);
    (void)reader.u16(staged.view_mask);
    (void)reader.u16(staged.ack.newest);
    (void)reader.u32(staged.ack.mask);
    (void)reader.u16(staged.ack.control_serial);
    (void)reader.u32(staged.client_clock_us);
    if (reader.failed()) return InputDecode::malformed;
    if (!is_shape(staged.count, staged.view_mask)) return InputDecode::malformed;
    if (source.size() != bytes_of(staged.count, staged.view_mask)) return InputDecode::malformed;
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
