// SPDX-License-Identifier: MIT
//
// One hello, welcome or bulk record: what parses is written back byte for byte, is judged without
// harm, and what does not parse leaves the out-value alone.
#include <algorithm>
#include <array>
#include <vector>

#include "engine/session/bulk.hpp"
#include "engine/session/negotiation.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::session;

void check_hello(ConstBytes bytes) {
    Hello hello{.message_bytes = 7};
    if (!read_hello(bytes, hello)) {
        WT_CHECK(hello.message_bytes == 7);
        return;
    }
    std::vector<std::uint8_t> again(bytes.size());
    std::size_t size = 0;
    WT_CHECK(write_hello(hello, again, size));
    WT_CHECK(size == bytes.size());
    WT_CHECK(std::equal(again.begin(), again.end(), bytes.begin()));
    Terms server = hello.terms;
    server.tick_rate_min = 1;
    // Whoever offers what it wants itself agrees with itself.
    const bool is_whole = (hello.terms.features.required & ~hello.terms.features.offered) == 0 &&
                          (!hello.needs_reliable_only || hello.terms.allow_reliable_only);
    WT_CHECK((judge_hello(server, hello) == EndReason::none) == is_whole);
    const auto without = [&](auto change) {
        Terms other = server;
        change(other);
        return judge_hello(other, hello);
    };
    WT_CHECK(without([](Terms& t) { ++t.protocol; }) == EndReason::refused_protocol);
    WT_CHECK(without([](Terms& t) { ++t.schema_hash; }) == EndReason::refused_schema);
    // The lowest feature that the client lacks; 0 where it lacks none.
    const std::uint64_t lacked = ~hello.terms.features.offered & (hello.terms.features.offered + 1);
    if (lacked != 0) {
        WT_CHECK(without([&](Terms& t) { t.features.required = lacked; }) ==
                 EndReason::refused_features);
    }
    if (!is_whole) return;
    WT_CHECK(without([](Terms& t) { ++t.content_version; }) == EndReason::refused_content);
    if (hello.terms.rates.tick < 0xffff)
        WT_CHECK(without([](Terms& t) { ++t.rates.tick; }) == EndReason::refused_rates);
}

// A client that can do exactly what the welcome says follows it, and refuses it by the name of the
// one thing that it cannot.
void check_judged(const Welcome& welcome) {
    const Terms client{.features = {welcome.features, welcome.features},
                       .content_version = welcome.content_version,
                       .rates = welcome.rates,
                       .tick_rate_min = welcome.rates.tick,
                       .allow_reliable_only = true};
    const auto with = [&](auto change) {
        Terms other = client;
        change(other);
        return judge_welcome(other, welcome);
    };
    WT_CHECK(with([](Terms&) {}) == EndReason::none);
    WT_CHECK(with([](Terms& t) { ++t.content_version; }) == EndReason::refused_content);
    WT_CHECK(with([](Terms& t) { --t.rates.snapshot; }) == EndReason::refused_rates);
    const std::uint64_t lacked = ~welcome.features & (welcome.features + 1);
    WT_CHECK(with([&](Terms& t) { t.features.required |= lacked; }) ==
             (lacked == 0 ? EndReason::none : EndReason::refused_features));
    if (welcome.features != 0)
        WT_CHECK(with([](Terms& t) { t.features = {}; }) == EndReason::refused_features);
    WT_CHECK(
        with([](Terms& t) { t.allow_reliable_only = false; }) ==
        (welcome.profile == Profile::full ? EndReason::none : EndReason::refused_capabilities));
}

void check_welcome(ConstBytes bytes) {
    Welcome welcome{.epoch = 7};
    if (!read_welcome(bytes, welcome)) {
        WT_CHECK(welcome.epoch == 7);
        return;
    }
    std::vector<std::uint8_t> again(bytes.size());
    std::size_t size = 0;
    WT_CHECK(write_welcome(welcome, again, size));
    WT_CHECK(std::equal(again.begin(), again.end(), bytes.begin()));
    check_judged(welcome);
}

void check_bulk(ConstBytes bytes) {
    BulkChunk chunk{.transfer = 7, .offset = 8, .total = 9};
    if (!read_bulk_record(bytes, chunk)) {
        WT_CHECK(chunk.transfer == 7);
        return;
    }
    WT_CHECK(!chunk.bytes.empty());
    WT_CHECK(chunk.bytes.size() + bulk_header_bytes == bytes.size());
    WT_CHECK(std::uint64_t{chunk.offset} + chunk.bytes.size() <= chunk.total);
}

// A stream of records through the receiving lane: a transfer begins at 0 and goes on where it was.
void check_lane(fuzz::FuzzBytes input) {
    Limits limits;
    limits.bulk_transfer_bytes = 64;
    limits.bulk_transfers_max = 2;
    BulkLane lane;
    struct Transfer {
        std::uint32_t next = 0;
        std::uint32_t total = 0;
    };
    std::array<Transfer, 4> known{};
    while (!input.empty()) {
        if (input.u8() % 8 == 0) static_cast<void>(lane.cancel(input.u8() % 4));
        std::vector<std::uint8_t> record(bulk_header_bytes);
        store_u32(record.data(), input.u8() % 4);
        store_u32(record.data() + 4, input.u8() % 72);
        store_u32(record.data() + 8, input.u8() % 72);
        const ConstBytes some = input.bytes(input.u8() % 16);
        record.insert(record.end(), some.begin(), some.end());
        BulkChunk chunk;
        const BulkVerdict verdict = lane.receive(limits, record, chunk);
        if (verdict == BulkVerdict::malformed) continue;
        BulkChunk taken;
        WT_CHECK(read_bulk_record(record, taken));
        Transfer& transfer = known[taken.transfer];
        if (taken.offset != 0) {
            WT_CHECK(taken.offset == transfer.next);
            WT_CHECK(taken.total == transfer.total);
        }
        // The end of a transfer: nothing goes on behind it.
        transfer = {taken.offset + static_cast<std::uint32_t>(taken.bytes.size()), taken.total};
        if (transfer.next == transfer.total) transfer = {};
        if (verdict == BulkVerdict::cancelled) continue;
        WT_CHECK(chunk.total <= 64);
        WT_CHECK(chunk.offset + chunk.bytes.size() <= chunk.total);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ConstBytes bytes(data, size);
    check_hello(bytes);
    check_welcome(bytes);
    check_bulk(bytes);
    check_lane({data, size});
    return 0;
}
