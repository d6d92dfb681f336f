// SPDX-License-Identifier: MIT
//
// A trace file, every byte of it hostile: opened, every record and index and series looked at,
// filtered, cut, exported, asked why. The first byte picks an expression for the filter and whether
// hashes are made good first.
#include <algorithm>
#include <string>

#include "engine/base/hash.hpp"
#include "simulator/trace/difference.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/record_text.hpp"
#include "simulator/trace/why.hpp"

namespace {

using namespace wt::trace;

// A hostile file may claim a record to be the end of a long way; enough of it is looked at.
constexpr std::uint64_t records_max = 2'000;

void look_at_records(const TraceFile& file) {
    for (std::uint64_t i = 0; i < file.record_count() && i < records_max; ++i)
        (void)record_text(file, file.record(i));
    for (std::size_t block = 0; block < file.block_count() && block < 4; ++block) {
        (void)file.is_block_sound(block);
        for (std::uint32_t peer = 0; peer < file.peer_count() && peer < 64; ++peer)
            (void)file.peer_places(block, static_cast<std::uint16_t>(peer));
    }
    for (const Anomaly& anomaly : file.anomalies())
        (void)word_of(file.about().anomalies, anomaly.anomaly);
}

void look_at_series(const TraceFile& file) {
    std::vector<SeriesCell> cells(32);
    for (std::uint32_t series = 0; series < file.about().series.size() && series < 64; ++series) {
        for (std::uint16_t peer = 0; peer < file.peer_count() && peer < 8; ++peer) {
            file.series().read(series, peer, series % 8, 0, cells);
            file.series().sample(series, peer, 0, file.last_ns(), cells);
        }
    }
}

void ask(const TraceFile& file, std::uint8_t choice) {
    const char* const texts[] = {"", "peer == 1", "drop || fragment && try > 1", "!(size > 3)"};
    const auto filter = Filter::compile(texts[choice % 4], file);
    if (!filter) return;
    const RecordRange range{0, std::min<std::uint64_t>(file.record_count(), records_max)};
    for (const ExportFormat format :
         {ExportFormat::csv, ExportFormat::jsonl, ExportFormat::chrome, ExportFormat::pcapng}) {
        std::vector<std::uint8_t> bytes;
        Output output(bytes);
        (void)export_records(format, file, {*filter, range}, output);
    }
    // A writer's buffers are large for so small files: asked for once in eight times.
    if ((choice & 0x70) == 0x70) {
        std::vector<std::uint8_t> bytes;
        Output output(bytes);
        (void)cut_trace(file, {*filter, range}, output);
    }
    for (const auto what : {WhyQuestion::What::message, WhyQuestion::What::snapshot,
                            WhyQuestion::What::input, WhyQuestion::What::datagram}) {
        const auto answer = why(file, {.what = what, .peer = 1, .lane = 4, .id = choice / 4u});
        if (answer) (void)why_text(*answer);
    }
    (void)difference_of(file, file);
}

// Hashes find accidents and keep nobody out: with them made good a change gets past the front door.
void mend(std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < Header::stored_bytes) return;
    const auto bytes_of = [&](std::size_t at, std::size_t size) {
        return wt::ConstBytes(bytes).subspan(at, size);
    };
    Header header = Header::load(bytes.data());
    header.magic = file_magic;
    header.version = format_version;
    header.header_bytes = Header::stored_bytes;
    header.store(bytes.data());
    header.hash = wt::hash_bytes(bytes_of(0, Header::offset_hash), header_key);
    header.store(bytes.data());
    std::size_t at = Header::stored_bytes;
    while (bytes.size() - at >= SectionHead::stored_bytes) {
        SectionHead head = SectionHead::load(&bytes[at]);
        const std::size_t left = bytes.size() - at - SectionHead::stored_bytes;
        if (head.mark != section_mark || head.bytes > left) break;
        const std::size_t size = static_cast<std::size_t>(head.bytes);
        head.hash = wt::hash_bytes(bytes_of(at + SectionHead::stored_bytes, size), section_key);
        head.store(&bytes[at]);
        const std::size_t padded =
            (size + section_alignment - 1) / section_alignment * section_alignment;
        at += SectionHead::stored_bytes + std::min(padded, left);
    }
    if (bytes.size() - at != Trailer::stored_bytes) return;
    Trailer trailer = Trailer::load(&bytes[at]);
    trailer.file_bytes = bytes.size();
    trailer.magic = file_magic;
    trailer.store(&bytes[at]);
    trailer.hash = wt::hash_bytes(bytes_of(at, Trailer::offset_hash), trailer_key);
    trailer.store(&bytes[at]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::vector<std::uint8_t> bytes(data + 1, data + size);
    if ((data[0] & 0x80) != 0) mend(bytes);
    auto file = TraceFile::parse(std::move(bytes));
    if (!file || file->record_count() > 200'000) return 0;
    look_at_records(*file);
    look_at_series(*file);
    ask(*file, data[0]);
    return 0;
}
