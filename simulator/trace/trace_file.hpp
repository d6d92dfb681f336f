// SPDX-License-Identifier: MIT
//
// A trace as a reader sees it: opened by its last bytes, looked at by number, time or peer without
// reading the rest. A file without its end, or with damage in it, opens up to the damage and says
// where that is; one that is no trace at all is refused. No byte of a file is trusted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/about.hpp"
#include "simulator/trace/file_view.hpp"
#include "simulator/trace/series_reader.hpp"

namespace wt::trace {

// Which records a stretch of time or of numbers has: [first, last).
struct RecordRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    [[nodiscard]] std::uint64_t count() const { return last - first; }
};

class TraceFile {
public:
    // The error is a sentence without the file's name.
    [[nodiscard]] static Result<TraceFile, std::string> open(
        const std::string& path, FileView::Access access = FileView::Access::in_order);
    [[nodiscard]] static Result<TraceFile, std::string> parse(std::vector<std::uint8_t> bytes);

    [[nodiscard]] const Header& header() const { return header_; }
    [[nodiscard]] const About& about() const { return about_; }
    // Absent where the run did not come to its end, or the file was cut.
    [[nodiscard]] const std::optional<Outcome>& outcome() const { return outcome_; }
    [[nodiscard]] const std::optional<Wall>& wall() const { return wall_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return anomalies_; }
    [[nodiscard]] const SeriesReader& series() const { return series_; }
    [[nodiscard]] std::uint32_t peer_count() const { return header_.peers; }
    [[nodiscard]] std::uint64_t file_bytes() const { return view_.bytes().size(); }
    // The whole file, as it is.
    [[nodiscard]] ConstBytes bytes() const { return view_.bytes(); }
    // What is wrong with the file, in words, with the place; empty: nothing that was looked at.
    [[nodiscard]] const std::string& damage() const { return damage_; }

    // "player-7" for a peer; "-" for nobody.
    [[nodiscard]] std::string peer_name(std::uint16_t peer) const;
    [[nodiscard]] std::optional<std::uint16_t> find_peer(std::string_view name) const;
    // First and last instant that the records cover; the scenario's end without records.
    [[nodiscard]] std::int64_t first_ns() const;
    [[nodiscard]] std::int64_t last_ns() const;

    [[nodiscard]] std::uint64_t record_count() const { return record_count_; }
    // `number` is below record_count().
    [[nodiscard]] Record record(std::uint64_t number) const {
        return Record::load(record_bytes(number));
    }
    // Its 32 bytes, for those who look at one field only (Record::offset_type, ...).
    [[nodiscard]] const std::uint8_t* record_bytes(std::uint64_t number) const {
        const Block& block = blocks_[number / block_records];
        return view_.bytes().data() + block.offset +
               number % block_records * std::size_t{Record::stored_bytes};
    }
    // The records of [from, to).
    [[nodiscard]] RecordRange range_of(std::int64_t from_ns, std::int64_t to_ns) const;

    [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }
    [[nodiscard]] const Block& block(std::size_t index) const { return blocks_[index]; }
    // All records of a block, 32 bytes each.
    [[nodiscard]] ConstBytes block_bytes(std::size_t index) const;
    // Whoever reads all records of a block says so a block before; behind the last one nothing
    // happens.
    void read_ahead(std::size_t index) const;
    // Stored records from a number on, as many as `out` has room for and lie in that block; empty
    // where they cannot be read.
    [[nodiscard]] ConstBytes copy_records(std::uint64_t first, MutableBytes out) const;
    // Where a peer's records lie in a block: 16-bit places, ascending. In a damaged block they may
    // lie behind its count: whoever follows one compares it first.
    [[nodiscard]] ConstBytes peer_places(std::size_t index, std::uint16_t peer) const;
    // Reads the whole block: whether its records are as they were written.
    [[nodiscard]] bool is_block_sound(std::size_t index) const;
    // The bytes of the message that a `deliver` record is about, where they were captured.
    [[nodiscard]] std::optional<ConstBytes> payload_of(std::uint64_t number) const;
    // Sections of captured bytes, in order of their records: entries of record number (64 bits),
    // length (32 bits), bytes. A damaged one may hold anything.
    [[nodiscard]] std::size_t payload_section_count() const { return payloads_.size(); }
    [[nodiscard]] std::uint64_t payload_section_first(std::size_t index) const {
        return payloads_[index].first;
    }
    [[nodiscard]] ConstBytes payload_section(std::size_t index) const {
        return payload_at(payloads_[index]);
    }

private:
    explicit TraceFile(FileView view) : view_(std::move(view)) {}

    // trace_file.cpp: what opening does.
    [[nodiscard]] std::optional<std::string> load();
    [[nodiscard]] bool load_directory();
    void scan();
    [[nodiscard]] bool take(const DirectoryEntry& entry);
    [[nodiscard]] bool take_blocks(ConstBytes payload);
    void scan_block(const DirectoryEntry& entry);
    [[nodiscard]] bool is_fitting(const Block& block) const;
    [[nodiscard]] std::optional<SectionHead> head_at(std::uint64_t offset) const;
    [[nodiscard]] ConstBytes payload_at(const DirectoryEntry& entry) const {
        return view_.bytes().subspan(entry.offset + SectionHead::stored_bytes, entry.bytes);
    }

    FileView view_;
    Header header_{};
    About about_{};
    std::optional<Outcome> outcome_{};
    std::optional<Wall> wall_{};
    Counts counts_{};
    std::vector<Anomaly> anomalies_{};
    SeriesReader series_{};
    std::vector<Block> blocks_{};
    std::vector<DirectoryEntry> payloads_{};
    std::uint64_t record_count_ = 0;
    Digest scanned_{};
    std::string damage_{};
};

}  // namespace wt::trace
