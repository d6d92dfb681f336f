// SPDX-License-Identifier: MIT
#include "engine/prediction/feedback.hpp"

#include "engine/base/mutated.hpp"

namespace wt::prediction {

namespace {

constexpr unsigned input_flag = 1;
constexpr unsigned margin_flag = 2;
constexpr unsigned echo_flag = 4;

}  // namespace

bool encode_feedback(const Feedback& feedback, MutableBytes target) {
    if (target.size() < feedback_bytes) return false;
    const Feedback& f = feedback;
    const unsigned flags = (f.has_input ? input_flag : 0u) | (f.has_margin ? margin_flag : 0u) |
                           (f.has_echo ? echo_flag : 0u);
    ByteWriter writer(target);
    writer.u8(static_cast<std::uint8_t>(flags));
    writer.u32(f.has_input ? f.input_tick : 0);
    writer.u16(f.has_margin ? static_cast<std::uint16_t>(f.margin) : std::uint16_t{0});
    writer.u8(f.has_margin ? static_cast<std::uint8_t>(f.margin_tick) : std::uint8_t{0});
    writer.u32(f.has_echo ? f.echo_us : 0);
    writer.u16(f.has_echo ? f.hold_16us : std::uint16_t{0});
    return !writer.failed();
}

bool decode_feedback(ConstBytes source, Feedback& out) {
    ByteReader reader(source);
    std::uint8_t flags = 0;
    std::uint16_t margin = 0;
    std::uint8_t margin_tick = 0;
    Feedback staged;
    (void)reader.u8(flags);
    (void)reader.u32(staged.input_tick);
    (void)reader.u16(margin);
    (void)reader.u8(margin_tick);
    (void)reader.u32(staged.echo_us);
    (void)reader.u16(staged.hold_16us);
    if (reader.failed()) return false;
    if ((flags & ~(input_flag | margin_flag | echo_flag)) != 0) return false;
    staged.has_input = (flags & input_flag) != 0;
    staged.has_margin = (flags & margin_flag) != 0;
    staged.has_echo = (flags & echo_flag) != 0;
    if (!staged.has_input && staged.input_tick != 0) return false;
    const bool has_hidden_margin = !staged.has_margin && (margin != 0 || margin_tick != 0);
    if (has_hidden_margin && !mutated<"feedback-unset">()) return false;
    if (!staged.has_echo && (staged.echo_us != 0 || staged.hold_16us != 0)) return false;
    staged.margin = static_cast<std::int16_t>(margin);
    staged.margin_tick = static_cast<std::int8_t>(margin_tick);
    out = staged;
    return true;
}

}  // namespace wt::prediction
