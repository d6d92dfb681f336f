// SPDX-License-Identifier: MIT
//
// Opening: by the directory at the end where that is sound, else section by section from the
// front, as far as they are. What a section says of itself is checked before it is believed.
#include "simulator/trace/trace_file.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"
#include "engine/base/mutated.hpp"
#include "simulator/trace/block_writer.hpp"

namespace wt::trace {

namespace {

// No run is longer than 500 days or has shorter ticks.
constexpr std::int64_t end_max_ns = INT64_MAX / 200;
constexpr std::uint32_t tick_rate_max = 1'000'000;

std::string at_byte(std::uint64_t offset) {
    return " at byte " + std::to_string(offset);
}

std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + section_alignment - 1) / section_alignment * section_alignment;
}

Result<TraceFile, std::string> checked(TraceFile file, const std::optional<std::string>& error) {
    if (error) return unexpected(*error);
    return file;
}

}  // namespace

Result<TraceFile, std::string> TraceFile::open(const std::string& path, FileView::Access access) {
    Result<FileView, std::string> view = FileView::open(path, access);
    if (!view) return unexpected(view.error());
    TraceFile file(std::move(*view));
    const std::optional<std::string> error = file.load();
    return checked(std::move(file), error);
}

Result<TraceFile, std::string> TraceFile::parse(std::vector<std::uint8_t> bytes) {
    TraceFile file{FileView(std::move(bytes))};
    const std::optional<std::string> error = file.load();
    return checked(std::move(file), error);
}

std::optional<std::string> TraceFile::load() {
    const ConstBytes bytes = view_.bytes();
    if (bytes.empty()) return "the file is empty";
    if (bytes.size() < 8 || load_u64(bytes.data()) != file_magic)
        return "this is not a trace: it does not begin like one";
    if (bytes.size() < Header::stored_bytes)
        return "the trace is cut off inside its header" + at_byte(bytes.size());
    header_ = Header::load(bytes.data());
    if (header_.version != format_version)
        return "the trace has format " + std::to_string(header_.version) +
               ", this build reads format " + std::to_string(format_version);
    const std::uint64_t hash = hash_bytes(bytes.first(Header::offset_hash), header_key);
    if (hash != header_.hash || header_.header_bytes != Header::stored_bytes ||
        header_.peers >= no_peer || header_.tick_rate == 0 || header_.tick_rate > tick_rate_max ||
        header_.end < 0 || header_.end > end_max_ns)
        return "the trace's header is damaged";
    const std::optional<SectionHead> head = head_at(Header::stored_bytes);
    if (!head || head->section != static_cast<std::uint32_t>(Section::about))
        return "the trace is cut off or damaged" + at_byte(Header::stored_bytes) +
               ", in its names and tables";
    const ConstBytes payload =
        bytes.subspan(Header::stored_bytes + SectionHead::stored_bytes, head->bytes);
    std::optional<About> about;
    if (hash_bytes(payload, section_key) == head->hash) about = decode_about(payload);
    if (!about || about->peers.size() != header_.peers)
        return "the trace is damaged" + at_byte(Header::stored_bytes) + ", in its names and tables";
    about_ = std::move(*about);
    const std::uint32_t series_kinds = static_cast<std::uint32_t>(about_.series.size());
    series_ = SeriesReader(bytes, header_.peers, series_kinds);
    if (!load_directory()) {
        blocks_.clear();
        payloads_.clear();
        anomalies_.clear();
        outcome_.reset();
        wall_.reset();
        counts_ = {};
        record_count_ = 0;
        series_ = SeriesReader(bytes, header_.peers, series_kinds);
        scan();
        counts_.kept = record_count_;
    }
    // Whoever follows an anomaly finds a record.
    for (Anomaly& anomaly : anomalies_) {
        if (anomaly.record >= record_count_) anomaly.record = no_record;
    }
    return std::nullopt;
}

std::optional<SectionHead> TraceFile::head_at(std::uint64_t offset) const {
    const std::uint64_t size = view_.bytes().size();
    if (offset > size || size - offset < SectionHead::stored_bytes) return std::nullopt;
    const SectionHead head = SectionHead::load(view_.bytes().data() + offset);
    if (head.mark != section_mark) return std::nullopt;
    if (head.bytes > size - offset - SectionHead::stored_bytes) return std::nullopt;
    return head;
}

bool TraceFile::load_directory() {
    const ConstBytes bytes = view_.bytes();
    if (bytes.size() < Header::stored_bytes + Trailer::stored_bytes) return false;
    const ConstBytes last = bytes.last(Trailer::stored_bytes);
    const Trailer trailer = Trailer::load(last.data());
    if (trailer.magic != file_magic || trailer.file_bytes != bytes.size()) return false;
    if (trailer.hash != hash_bytes(last.first(Trailer::offset_hash), trailer_key)) return false;
    const std::optional<SectionHead> head = head_at(trailer.directory);
    if (!head || head->section != static_cast<std::uint32_t>(Section::directory)) return false;
    const ConstBytes payload =
        bytes.subspan(trailer.directory + SectionHead::stored_bytes, head->bytes);
    if (hash_bytes(payload, section_key) != head->hash) return false;
    for (std::size_t at = 0; at + DirectoryEntry::stored_bytes <= payload.size();
         at += DirectoryEntry::stored_bytes) {
        const DirectoryEntry entry = DirectoryEntry::load(payload.data() + at);
        const std::uint64_t left =
            bytes.size() - std::min<std::uint64_t>(entry.offset, bytes.size());
        const bool is_inside =
            left >= SectionHead::stored_bytes && entry.bytes <= left - SectionHead::stored_bytes;
        if (!is_inside && !mutated<"trace-entry-inside">()) return false;
        if (!take(entry)) return false;
    }
    return counts_.kept == record_count_;
}

// One section that the directory names. Those whose records are read later are checked later.
bool TraceFile::take(const DirectoryEntry& entry) {
    const ConstBytes payload = payload_at(entry);
    const auto is_sound = [&] {
        const SectionHead head = SectionHead::load(view_.bytes().data() + entry.offset);
        return head.bytes == entry.bytes && head.hash == hash_bytes(payload, section_key);
    };
    switch (static_cast<Section>(entry.section)) {
        case Section::about:
        case Section::records:
        case Section::directory:
            return true;
        case Section::series:
            return series_.add_section(entry);
        case Section::payload:
            payloads_.push_back(entry);
            return true;
        case Section::blocks:
            return is_sound() && take_blocks(payload);
        case Section::counts: {
            const std::optional<Counts> counts = is_sound() ? decode_counts(payload) : std::nullopt;
            if (counts) counts_ = *counts;
            return counts.has_value();
        }
        case Section::results:
            outcome_ = is_sound() ? decode_outcome(payload) : std::nullopt;
            return outcome_.has_value();
        case Section::anomalies:
            if (!is_sound()) return false;
            for (std::size_t at = 0; at + Anomaly::stored_bytes <= payload.size();
                 at += Anomaly::stored_bytes)
                anomalies_.push_back(Anomaly::load(payload.data() + at));
            return true;
        case Section::wall:
            wall_ = is_sound() ? decode_wall(payload) : std::nullopt;
            return wall_.has_value();
    }
    // A section that a later build knows is no damage.
    return true;
}

bool TraceFile::is_fitting(const Block& block) const {
    const std::uint64_t size = view_.bytes().size();
    if (block.count == 0 || block.count > block_records) return false;
    const std::uint64_t needed =
        std::uint64_t{block.count} * Record::stored_bytes + index_bytes(header_.peers, block.count);
    if (block.offset > size || needed > size - block.offset) return false;
    if (block.first_record != record_count_ || block.first_time > block.last_time) return false;
    return blocks_.empty() ||
           (blocks_.back().count == block_records && blocks_.back().last_time <= block.first_time);
}

bool TraceFile::take_blocks(ConstBytes payload) {
    for (std::size_t at = 0; at + Block::stored_bytes <= payload.size();
         at += Block::stored_bytes) {
        const Block block = Block::load(payload.data() + at);
        if (!is_fitting(block)) return false;
        blocks_.push_back(block);
        record_count_ += block.count;
    }
    return true;
}

// Without a directory: every section in turn until one is not whole.
void TraceFile::scan() {
    const std::uint64_t size = view_.bytes().size();
    std::uint64_t offset = Header::stored_bytes;
    while (offset < size) {
        const std::optional<SectionHead> head = head_at(offset);
        if (!head) {
            damage_ = "cut off or damaged" + at_byte(offset) + " of " + std::to_string(size);
            return;
        }
        const DirectoryEntry entry{.section = head->section,
                                   .count = 0,
                                   .offset = offset,
                                   .bytes = head->bytes,
                                   .first = head->first};
        if (head->section == static_cast<std::uint32_t>(Section::directory)) break;
        if (hash_bytes(payload_at(entry), section_key) != head->hash) {
            damage_ = "damaged" + at_byte(offset) + " of " + std::to_string(size) +
                      ": what follows was not read";
            return;
        }
        if (head->section == static_cast<std::uint32_t>(Section::records)) {
            scan_block(entry);
        } else if (head->section != static_cast<std::uint32_t>(Section::blocks)) {
            (void)take(entry);
        }
        offset += SectionHead::stored_bytes + padded(head->bytes);
    }
    damage_ = offset >= size ? "cut off at its end" + at_byte(size) + ": the directory is missing"
                             : "damaged" + at_byte(offset) + ": its directory cannot be read";
}

void TraceFile::scan_block(const DirectoryEntry& entry) {
    const std::uint64_t around = (std::uint64_t{header_.peers} + 2) * 4;
    constexpr std::uint64_t each = Record::stored_bytes + 2;
    if (entry.bytes < around + each || (entry.bytes - around) % each != 0) return;
    const ConstBytes payload = payload_at(entry);
    Block block;
    block.offset = entry.offset + SectionHead::stored_bytes;
    block.first_record = entry.first;
    block.count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((entry.bytes - around) / each, block_records + 1));
    if (block.count > block_records) return;
    const std::size_t record_bytes = std::size_t{block.count} * Record::stored_bytes;
    block.first_time = Record::load(payload.data()).time;
    block.last_time = Record::load(payload.data() + record_bytes - Record::stored_bytes).time;
    if (!is_fitting(block)) return;
    block.hash = hash_bytes(payload.first(record_bytes), records_key);
    scanned_.add(block.hash, block.count, static_cast<std::uint64_t>(block.first_time),
                 static_cast<std::uint64_t>(block.last_time));
    block.digest_high = scanned_.value().high;
    block.digest_low = scanned_.value().low;
    blocks_.push_back(block);
    record_count_ += block.count;
}

}  // namespace wt::trace
