// SPDX-License-Identifier: MIT
//
// What a client sends each tick: its newest command and the ones before it again, what it has
// received, its clock for the echo, and what it saw where a command depends on that. Commands are
// words that only the game understands.  Spec: 001, delivery semantics (Input); prediction.
//
//   0 newest tick u32 | 4 command count u8 (0..15)
//   5 view mask u16 | 7 newest snapshot u16 | 9 snapshot mask u32 | 13 control serial u16
//   15 client clock u32 (us) | 19 commands u32 each, newest first | views 8 B each, as the mask
// Without a command it brings acknowledgement and clock only: a client that has no tick to play
// yet, whose newest tick is that of the newest snapshot.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/prediction/view.hpp"
#include "engine/replication/wire.hpp"

namespace wt::prediction {

inline constexpr std::size_t commands_max = 15;
inline constexpr std::size_t input_head_bytes = 19;
inline constexpr std::size_t input_bytes_max =
    input_head_bytes + commands_max * (4 + view_bytes);  // 199.

struct InputMessage {
    std::uint32_t newest_tick = 0;
    std::uint8_t count = 0;       // Commands of newest_tick, newest_tick - 1, ...
    std::uint16_t view_mask = 0;  // Bit n: views[n] belongs to commands[n].
    replication::SnapshotAck ack{};
    std::uint32_t client_clock_us = 0;
    std::array<std::uint32_t, commands_max> commands{};
    std::array<WireView, commands_max> views{};

    [[nodiscard]] bool has_view(std::size_t index) const { return (view_mask >> index & 1) != 0; }
    friend bool operator==(const InputMessage& a, const InputMessage& b);
};

enum class InputDecode : std::uint8_t { ok, malformed };

// Bytes written, or 0 and nothing written when the message is not valid or does not fit.
[[nodiscard]] std::size_t encode_input(const InputMessage& message, MutableBytes target);

// `out` changes only on success. Exactly one encoding exists of each message.
[[nodiscard]] InputDecode decode_input(ConstBytes source, InputMessage& out);

// The newest tick of an encoded message, for the session's check of the tick range before the
// payload is decoded. False for bytes too short to hold one.
[[nodiscard]] bool peek_input_tick(ConstBytes source, std::uint32_t& tick);

}  // namespace wt::prediction
