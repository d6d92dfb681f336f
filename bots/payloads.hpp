// SPDX-License-Identifier: MIT
//
// The bytes that bots and the server's application exchange while there is no game: sizes and
// rates of one, contents that can be checked. The session and replication layers replace these
// layouts, and nothing outside bots/ knows them.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/base/rng.hpp"

namespace wt::bots {

inline constexpr std::size_t input_bytes = 80;
inline constexpr std::size_t report_bytes = 64;
inline constexpr std::size_t chat_bytes = 48;
inline constexpr std::size_t join_record_bytes = 200 * 1'024;
inline constexpr std::size_t content_bytes = 4 * 1'024;
inline constexpr std::size_t snapshot_header_bytes = 4 + 2 + 2;
inline constexpr std::size_t object_bytes = 4;

// First byte of a message on the control lane.
enum class ControlWord : std::uint8_t { content = 1, bulk_wanted = 2 };

// Fills `target` from `seed`; content_matches finds out whether it still is that. The first eight
// bytes are the seed itself, so that a receiver needs nothing else to check.
void fill_content(MutableBytes target, std::uint64_t seed);
[[nodiscard]] bool content_matches(ConstBytes bytes);

// Fills a whole number of words with what `key` draws: ids, keys and nonces of the bots'
// authority.
void fill_drawn(MutableBytes target, LuckKey key);

// One 60 Hz input: its tick, the newest snapshot seen, and pressed buttons of some ticks back.
struct Input {
    std::uint32_t tick = 0;
    std::uint32_t snapshot_tick = 0;
    std::array<std::uint16_t, 3> buttons{};  // This tick's, and what is repeated of older ones.
};
void write_input(MutableBytes target, const Input& input);
[[nodiscard]] bool read_input(ConstBytes bytes, Input& out);

// Head of a snapshot: `count` objects from number `first` on, wrapping, follow.
struct SnapshotHead {
    std::uint32_t tick = 0;
    std::uint16_t first = 0;
    std::uint16_t count = 0;
};
void write_snapshot_head(MutableBytes target, const SnapshotHead& head);
// False where the count does not fit the bytes.
[[nodiscard]] bool read_snapshot_head(ConstBytes bytes, SnapshotHead& out);

}  // namespace wt::bots
