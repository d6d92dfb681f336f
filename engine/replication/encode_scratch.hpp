// SPDX-License-Identifier: MIT
//
// Room that encoding one snapshot needs and nobody keeps: one for a server (or for each of its
// workers), not one a peer. It grows to the largest snapshot and stays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/replication/run_cache.hpp"
#include "engine/replication/state_codec.hpp"

namespace wt::replication {

// An object that could go into the snapshot.
struct Candidate {
    StateBits state{};
    std::uint16_t slot = 0;
    std::uint16_t bits = 0;  // Without gap and age.
    std::uint8_t age = 0;    // Of its baseline; 0 = absolute.
    std::uint8_t rank = 0;   // Higher goes first.
    bool chosen = true;
    bool restarts = false;  // What was put before it is no baseline any more.
};

// Of all that waits, in slot order: `count` objects by themselves, which follow those of the piece
// before in EncodeScratch::singles, and then a stretch that others are sent too.
struct Piece {
    std::uint32_t count = 0;
    const SharedRun* run = nullptr;  // Null: none. Valid until the table's next commit.
};

struct EncodeScratch {
    static constexpr std::size_t ranks = 256;

    std::vector<Piece> pieces{};
    std::size_t piece_count = 0;
    std::vector<Candidate> singles{};
    std::size_t single_count = 0;
    std::uint32_t waiting = 0;     // Objects in all pieces.
    std::uint32_t exact_bits = 0;  // Of all of them together.
    // All of them one by one, if somebody has to be chosen: the first `count` are in use.
    std::vector<Candidate> candidates{};
    std::size_t count = 0;
    std::vector<std::uint32_t> turns{};  // Indices of the lowest chosen rank, in order of taking.
    std::vector<std::uint64_t> distances{};
    std::array<std::uint32_t, ranks> rank_bits{};

    [[nodiscard]] std::span<Candidate> chosen_from() { return std::span(candidates).first(count); }
};

}  // namespace wt::replication
