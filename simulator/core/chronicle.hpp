// SPDX-License-Identifier: MIT
//
// What one host (or shared link) went through, folded into a 128-bit chain, record by record. The
// chain's value is kept for every second, so that two runs can be compared block by block; on
// demand the records of one second are written out as text. Nothing here comes from keys,
// ciphertext or a wall clock (DESIGN R9).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/time.hpp"

namespace wt::sim {

// Values enter digests: append only.
enum class RecordKind : std::uint8_t {
    handed_over = 1,
    received,
    lost_on_arrival,
    message,
    connection,
    act,
    checksum,
};
inline constexpr unsigned record_kind_count = 7;

// One record: four words whose fields chronicle.cpp names. Word 0 is kind and time.
struct Record {
    RecordKind kind = RecordKind::act;
    Instant at{};
    std::uint64_t name = 0;  // Link direction, peer, content hash, checksum: see fields_of.
    std::uint64_t packed = 0;
    std::uint64_t more = 0;
};

// Packs fields of a record's third word; widths as in fields_of.
[[nodiscard]] constexpr std::uint64_t pack_datagram(std::uint64_t sequence, std::uint32_t size,
                                                    std::uint32_t tag, std::uint32_t cause) {
    return (sequence & 0xffff'ffff) << 32 | std::uint64_t{size & 0xffff} << 16 |
           std::uint64_t{tag & 0xff} << 8 | (cause & 0xff);
}
[[nodiscard]] constexpr std::uint64_t pack_message(std::uint32_t size, std::uint16_t id,
                                                   std::uint8_t lane, std::uint8_t delivery) {
    return std::uint64_t{size} << 32 | std::uint64_t{id} << 16 | std::uint64_t{lane} << 8 |
           delivery;
}

// Where a field lies: word 0..3, lowest bit, width.
struct RecordField {
    const char* name = "";
    unsigned word = 0;
    unsigned shift = 0;
    unsigned width = 0;
};
// The fields of a kind, ended by one with width 0.
[[nodiscard]] const RecordField* fields_of(RecordKind kind);

// A test hook: turns over the lowest bit of one field of one record.
struct Tampering {
    std::uint64_t ordinal = 0;  // Of the record in the place's chain, from 0.
    unsigned field = 0;         // Index into fields_of.
};

class Chronicle {
public:
    // Room for the values of a run that long, so that adding never allocates.
    void reserve(Instant end);

    void add(const Record& record) {
        if (record.at >= second_end_) close_seconds(record.at);
        if (watched_ || is_tampered_) {
            add_watched(record);
            return;
        }
        digest_.add(std::uint64_t{static_cast<unsigned>(record.kind)} << 56 |
                        static_cast<std::uint64_t>(record.at.ns),
                    record.name, record.packed, record.more);
    }
    // After the last record.
    void finish(Instant end);

    // The chain's value when each second ended; entry s covers [0, s + 1).
    [[nodiscard]] const std::vector<DigestValue>& seconds() const { return seconds_; }
    [[nodiscard]] DigestValue value() const { return digest_.value(); }
    [[nodiscard]] std::uint64_t records() const { return digest_.records(); }

    // Writes the records of [second, second + 1) into lines().
    void watch(std::uint64_t second);
    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
    void tamper(Tampering tampering) {
        tampering_ = tampering;
        is_tampered_ = true;
    }

private:
    void close_seconds(Instant at);
    void add_watched(const Record& record);

    Digest digest_{};
    Instant second_end_ = Instant{} + Duration::seconds(1);
    std::vector<DigestValue> seconds_{};
    bool watched_ = false;
    std::uint64_t watched_second_ = 0;
    std::vector<std::string> lines_{};
    Tampering tampering_{};
    bool is_tampered_ = false;
};

}  // namespace wt::sim
