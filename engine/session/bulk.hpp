// SPDX-License-Identifier: MIT
//
// Bulk: transfers of content that nobody waits for, on the transport's bulk lane in records without
// an envelope: transfer (4), offset (4), total (4), bytes. A quota a tick keeps them out of the way
// of everything else; either end may cancel one at any time.  Spec: 001, Bulk.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/session/limits.hpp"

namespace wt::session {

inline constexpr std::size_t bulk_header_bytes = 12;

struct BulkChunk {
    std::uint32_t transfer = 0;
    std::uint32_t offset = 0;
    std::uint32_t total = 0;
    ConstBytes bytes{};

    [[nodiscard]] bool is_last() const { return offset + bytes.size() == total; }
};

// False, and `out` keeps its value, unless the record is well-formed and holds at least a byte.
[[nodiscard]] bool read_bulk_record(ConstBytes record, BulkChunk& out);

enum class BulkStatus : std::uint8_t {
    ok,
    busy,       // As many transfers as allowed are under way.
    known,      // One with this number is under way.
    too_large,  // More than a transfer may hold, or nothing.
    not_ready,  // No such peer, or not in a state to take it.
};

enum class BulkVerdict : std::uint8_t {
    ok,
    cancelled,  // What was cancelled here and still came: dropped.
    malformed,  // No record, not the next of its transfer, or over a limit.
    rate,       // Over the peer's budgets.
};

// Both directions of one peer. Owns nothing until there is a transfer.
class BulkLane {
public:
    // `source` stays the caller's and must hold until the transfer was sent or cancelled.
    BulkStatus start(const Limits& limits, std::uint32_t transfer, ConstBytes source);
    // Of either direction. False if there is no such transfer.
    bool cancel(std::uint32_t transfer);

    void refill(const Limits& limits);
    // Size of the next record, 0 if there is none or the quota is used up.
    [[nodiscard]] std::size_t next_bytes(const Limits& limits) const;
    // Writes that record; `room` has at least its size.
    void write_next(const Limits& limits, MutableBytes room) const;
    // It was taken. True, and its number, where that was the end of the transfer.
    bool sent(const Limits& limits, std::uint32_t& finished);

    BulkVerdict receive(const Limits& limits, ConstBytes record, BulkChunk& out);

    [[nodiscard]] bool is_sending() const { return !outgoing_.empty(); }
    void clear();

private:
    struct Outgoing {
        ConstBytes source{};
        std::uint32_t transfer = 0;
        std::uint32_t offset = 0;
    };
    struct Incoming {
        std::uint32_t transfer = 0;
        std::uint32_t next = 0;
        std::uint32_t total = 0;
        bool cancelled = false;  // Records on their way are dropped until the last one came.
    };

    std::vector<Outgoing> outgoing_{};  // Served in order of their start.
    std::vector<Incoming> incoming_{};
    std::uint32_t allowance_ = 0;
};

}  // namespace wt::session
