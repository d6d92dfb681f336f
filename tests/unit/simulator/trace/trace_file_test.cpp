// SPDX-License-Identifier: MIT
//
// Written and read back: numbers, times, peers, the flight recorder, and every kind of damage.
#include "engine/base/hash.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

TEST_CASE("empty, one record, a full block, one more") {
    for (const std::uint64_t count : {0u, 1u, 65'536u, 65'537u}) {
        CAPTURE(count);
        const TraceFile file = opened(SmallTrace::of(count).bytes);
        CHECK(file.damage().empty());
        REQUIRE(file.record_count() == count);
        CHECK(file.block_count() == (count + 65'535) / 65'536);
        CHECK(file.counts().kept == count);
        if (count == 0) continue;
        CHECK(file.record(0) == numbered(0));
        CHECK(file.record(count - 1) == numbered(count - 1));
        for (std::size_t block = 0; block < file.block_count(); ++block)
            CHECK(file.is_block_sound(block));
        CHECK(file.header().seed == 7);
        CHECK(file.last_ns() == static_cast<std::int64_t>(count) * ms);
    }
}

TEST_CASE("by time") {
    const TraceFile file = opened(SmallTrace::of(70'000).bytes);
    const auto range = [&](std::int64_t from, std::int64_t to) {
        const RecordRange found = file.range_of(from, to);
        return std::pair(found.first, found.last);
    };
    CHECK(range(0, 1) == std::pair<std::uint64_t, std::uint64_t>(0, 1));
    CHECK(range(65'535 * ms, 65'537 * ms) ==
          std::pair<std::uint64_t, std::uint64_t>(65'535, 65'537));
    CHECK(range(1, ms) == std::pair<std::uint64_t, std::uint64_t>(1, 1));
    CHECK(range(69'999 * ms, INT64_MAX) == std::pair<std::uint64_t, std::uint64_t>(69'999, 70'000));
    CHECK(range(70'000 * ms, 0) == std::pair<std::uint64_t, std::uint64_t>(70'000, 70'000));
}

TEST_CASE("by peer") {
    const TraceFile file = opened(SmallTrace::of(70'000).bytes);
    CHECK(file.find_peer("a-1") == std::uint16_t{2});
    CHECK_FALSE(file.find_peer("a-2").has_value());
    CHECK(file.peer_name(no_peer) == "-");
    std::uint64_t seen = 0;
    for (std::size_t block = 0; block < file.block_count(); ++block) {
        const ConstBytes places = file.peer_places(block, 2);
        for (std::size_t at = 0; at < places.size(); at += 2) {
            const std::uint64_t number =
                file.block(block).first_record + load_u16(places.data() + at);
            CHECK(file.record(number).peer == 2);
            ++seen;
        }
        CHECK(file.peer_places(block, no_peer).empty());
    }
    CHECK(seen == file.counts().by_peer[2]);
    CHECK(seen == 23'333);
}

TEST_CASE("the flight recorder keeps the last stretch, and counts the rest") {
    // 20,000 records of 1 ms, the last 5 s: those from 15,000 ms on.
    const TraceFile file = opened(SmallTrace::of(20'000, 5'000 * ms).bytes);
    CHECK(file.record_count() == 5'000);
    CHECK(file.counts().dropped == 15'000);
    CHECK(file.record(0) == numbered(15'000));
    CHECK(file.record(4'999) == numbered(19'999));
}

TEST_CASE("a ring that is too small keeps what fits") {
    Ring ring(INT64_MAX / 2, 2 * 4'096 * 32);
    std::array<std::uint8_t, 32> bytes{};
    for (std::uint64_t n = 0; n < 3 * 4'096; ++n) {
        numbered(n).store(bytes.data());
        ring.add(bytes.data());
    }
    CHECK(ring.added() == 3 * 4'096);
    CHECK(ring.was_full());
    CHECK(ring.first_kept(0) == 4'096);
    CHECK(Record::load(ring.at(4'096)) == numbered(4'096));
}

TEST_CASE("no trace at all") {
    CHECK(error_of({}) == "the file is empty");
    CHECK(error_of({1, 2, 3}) == "this is not a trace: it does not begin like one");
    CHECK(error_of(std::vector<std::uint8_t>(500, 'x')) ==
          "this is not a trace: it does not begin like one");
    std::vector<std::uint8_t> bytes = SmallTrace::of(5).bytes;
    bytes[8] = 9;
    CHECK(error_of(bytes) == "the trace has format 9, this build reads format 1");
    bytes[8] = 1;
    bytes[20] ^= 1;
    CHECK(error_of(bytes) == "the trace's header is damaged");
    bytes = SmallTrace::of(5).bytes;
    bytes.resize(40);
    CHECK(error_of(bytes) == "the trace is cut off inside its header at byte 40");
}

TEST_CASE("cut off anywhere: refused with a place, or open up to the damage") {
    const std::vector<std::uint8_t> whole = SmallTrace::of(65'536 + 100).bytes;
    const std::uint64_t second = opened(whole).block(1).offset;
    std::vector<std::uint8_t> cut = whole;
    cut.resize(second + 50);
    {
        const TraceFile file = opened(cut);
        CHECK(file.record_count() == 65'536);
        CHECK(file.damage() == "cut off or damaged at byte " + std::to_string(second - 32) +
                                   " of " + std::to_string(second + 50));
        CHECK(file.record(65'535) == numbered(65'535));
        // What was computed from the front is what the writer had chained.
        CHECK(file.block(0) == opened(whole).block(0));
    }
    for (std::size_t size = 0; size < whole.size(); size += size < 5'000 ? 1 : 9'973) {
        cut = whole;
        cut.resize(size);
        const Result<TraceFile, std::string> file = TraceFile::parse(cut);
        if (file) {
            CHECK_FALSE(file->damage().empty());
        } else {
            CHECK_FALSE(file.error().empty());
        }
    }
}

TEST_CASE("a flipped bit is found by whoever reads its block, or when opening") {
    const std::vector<std::uint8_t> whole = SmallTrace::of(1'000).bytes;
    const TraceFile sound = opened(whole);
    std::vector<std::uint8_t> bytes = whole;
    bytes[sound.block(0).offset + 500] ^= 0x10;
    CHECK_FALSE(opened(bytes).is_block_sound(0));
    // In the names: nothing can be read without them.
    bytes = whole;
    bytes[130] ^= 1;
    CHECK(error_of(bytes) == "the trace is damaged at byte 64, in its names and tables");
    // In the trailer: the records are all there.
    bytes = whole;
    bytes[bytes.size() - 20] ^= 1;
    const TraceFile scanned = opened(bytes);
    CHECK(scanned.record_count() == 1'000);
    CHECK_FALSE(scanned.damage().empty());
}

TEST_CASE("sections that the directory has outside of the file are not believed") {
    const std::vector<std::uint8_t> whole = SmallTrace::of(1'000).bytes;
    const Trailer trailer = Trailer::load(&whole[whole.size() - Trailer::stored_bytes]);
    const SectionHead head = SectionHead::load(&whole[trailer.directory]);
    // Of the records, which are read later: nothing else looks at what the directory says of them.
    std::size_t at = trailer.directory + SectionHead::stored_bytes;
    while (DirectoryEntry::load(&whole[at]).section != static_cast<std::uint32_t>(Section::records))
        at += DirectoryEntry::stored_bytes;
    const auto with_bytes = [&](std::uint64_t bytes) {
        std::vector<std::uint8_t> bent = whole;
        DirectoryEntry entry = DirectoryEntry::load(&bent[at]);
        entry.bytes = bytes;
        entry.store(&bent[at]);
        // A hash that fits whatever the directory says.
        SectionHead mended = head;
        mended.hash = hash_bytes(
            ConstBytes(bent).subspan(trailer.directory + SectionHead::stored_bytes, head.bytes),
            section_key);
        mended.store(&bent[trailer.directory]);
        return opened(bent);
    };
    const DirectoryEntry entry = DirectoryEntry::load(&whole[at]);
    const std::uint64_t left = whole.size() - entry.offset - SectionHead::stored_bytes;
    CHECK(with_bytes(entry.bytes).damage().empty());
    CHECK(with_bytes(left).damage().empty());
    for (const std::uint64_t outside : {left + 1, ~std::uint64_t{0}}) {
        const TraceFile file = with_bytes(outside);
        CHECK_FALSE(file.damage().empty());
        CHECK(file.record_count() == 1'000);
    }
}

}  // namespace wt::trace
