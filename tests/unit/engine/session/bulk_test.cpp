// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::bulk_test {

namespace {

using namespace wt::test;
using session::BulkChunk;
using session::BulkLane;
using session::BulkStatus;
using session::BulkVerdict;
using session::Limits;
using Type = SessionEvent::Type;

std::vector<std::uint8_t> record_of(std::uint32_t transfer, std::uint32_t offset,
                                    std::uint32_t total, std::size_t bytes) {
    std::vector<std::uint8_t> record(session::bulk_header_bytes + bytes, 7);
    store_u32(record.data(), transfer);
    store_u32(record.data() + 4, offset);
    store_u32(record.data() + 8, total);
    return record;
}

std::vector<std::uint8_t> content(std::size_t bytes) {
    std::vector<std::uint8_t> out(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        out[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    return out;
}

std::vector<std::uint8_t> gathered(const std::vector<Seen>& events, std::uint32_t transfer) {
    std::vector<std::uint8_t> out;
    for (const Seen& seen : events) {
        if (seen.event.type != Type::bulk_chunk || seen.event.bulk.transfer != transfer) continue;
        CHECK(seen.event.bulk.offset == out.size());
        out.insert(out.end(), seen.bulk.begin(), seen.bulk.end());
    }
    return out;
}

}  // namespace

TEST_CASE("a transfer arrives whole and in order, within its quota a tick") {
    for (const Wire wire : {Wire::loopback, Wire::secure}) {
        session::ServerConfig config = server_config();
        config.limits.bulk_bytes_per_tick = 4'000;
        config.limits.bulk_record_bytes = 2'000;
        SessionBench bench(wire, config);
        bench.join();
        const std::vector<std::uint8_t> source = content(100'000);
        REQUIRE(bench.server->start_bulk(bench.peer(), 5, source) == BulkStatus::ok);
        std::size_t before = 0;
        for (int i = 0; i < 60 && bench.count(bench.server_events, Type::bulk_sent) == 0; ++i) {
            bench.tick();
            const std::size_t now = gathered(bench.clients[0].events, 5).size();
            // Two records a tick; the quota of one more tick may have been saved before.
            CHECK(now - before <= 4 * 1'988);
            before = now;
        }
        bench.ticks(10);
        CHECK(gathered(bench.clients[0].events, 5) == source);
        CHECK(bench.clients[0].events.back().event.bulk.is_last());
        CHECK(bench.count(bench.server_events, Type::bulk_sent) == 1);
        CHECK_FALSE(bench.server->cancel_bulk(bench.now, bench.peer(), 5));
    }
}

TEST_CASE("either end cancels a transfer; the other hears it and the lane goes on") {
    for (const bool by_server : {true, false}) {
        SessionBench bench(Wire::secure);
        bench.join();
        const std::vector<std::uint8_t> source = content(200'000);
        const std::vector<std::uint8_t> small = content(3'000);
        REQUIRE(bench.server->start_bulk(bench.peer(), 5, source) == BulkStatus::ok);
        REQUIRE(bench.server->start_bulk(bench.peer(), 6, small) == BulkStatus::ok);
        bench.ticks(10);
        REQUIRE_FALSE(gathered(bench.clients[0].events, 5).empty());
        if (by_server) {
            CHECK(bench.server->cancel_bulk(bench.now, bench.peer(), 5));
        } else {
            CHECK(bench.clients[0].session->cancel_bulk(bench.now, 5));
        }
        bench.ticks(3);
        CHECK(bench.count(bench.server_events, Type::bulk_cancelled) == (by_server ? 0 : 1));
        CHECK(bench.count(bench.clients[0].events, Type::bulk_cancelled) == (by_server ? 1 : 0));
        const std::size_t got = gathered(bench.clients[0].events, 5).size();
        bench.ticks(20);
        CHECK(gathered(bench.clients[0].events, 5).size() == got);
        CHECK(got < source.size());
        CHECK(gathered(bench.clients[0].events, 6) == small);
        CHECK(bench.link().violations() == 0);
        CHECK(bench.clients[0].session->link().violations() == 0);
        CHECK(bench.clients[0].session->state() == State::active);
    }
}

TEST_CASE("transfers: one as large as allowed, as many as allowed, and no more") {
    Limits limits;
    limits.bulk_transfer_bytes = 100;
    limits.bulk_transfers_max = 2;
    const std::vector<std::uint8_t> source(101, 1);
    const ConstBytes all(source);
    BulkLane lane;
    CHECK(lane.start(limits, 1, all) == BulkStatus::too_large);
    CHECK(lane.start(limits, 1, {}) == BulkStatus::too_large);
    CHECK(lane.start(limits, 1, all.first(100)) == BulkStatus::ok);
    CHECK(lane.start(limits, 1, all.first(1)) == BulkStatus::known);
    CHECK(lane.start(limits, 2, all.first(1)) == BulkStatus::ok);
    CHECK(lane.start(limits, 3, all.first(1)) == BulkStatus::busy);
    CHECK(lane.cancel(2));
    CHECK_FALSE(lane.cancel(2));
    CHECK(lane.start(limits, 3, all.first(1)) == BulkStatus::ok);
}

TEST_CASE("a record needs the whole of its size from the quota") {
    Limits limits;
    limits.bulk_bytes_per_tick = 60;
    limits.bulk_record_bytes = 100;
    const std::vector<std::uint8_t> source(200, 1);
    BulkLane lane;
    REQUIRE(lane.start(limits, 1, source) == BulkStatus::ok);
    CHECK(lane.next_bytes(limits) == 0);
    lane.refill(limits);
    CHECK(lane.next_bytes(limits) == 0);
    lane.refill(limits);
    CHECK(lane.next_bytes(limits) == 100);
    std::uint32_t finished = 0;
    CHECK_FALSE(lane.sent(limits, finished));
    CHECK(lane.next_bytes(limits) == 0);  // 20 are left.
    lane.refill(limits);
    CHECK(lane.next_bytes(limits) == 0);  // 80.
    lane.refill(limits);
    CHECK(lane.next_bytes(limits) == 100);  // 120: no more can be saved.
}

TEST_CASE("records that do not follow are refused and change nothing") {
    Limits limits;
    limits.bulk_transfer_bytes = 1'000;
    limits.bulk_transfers_max = 2;
    BulkLane lane;
    BulkChunk chunk;
    const auto verdict = [&](std::uint32_t transfer, std::uint32_t offset, std::uint32_t total,
                             std::size_t bytes) {
        const std::vector<std::uint8_t> record = record_of(transfer, offset, total, bytes);
        const BulkVerdict out = lane.receive(limits, record, chunk);
        chunk.bytes = {};
        return out;
    };
    CHECK(verdict(1, 5, 100, 10) == BulkVerdict::malformed);    // Not from its start.
    CHECK(verdict(1, 0, 1'001, 10) == BulkVerdict::malformed);  // Larger than allowed.
    CHECK(verdict(1, 0, 1'000, 10) == BulkVerdict::ok);
    CHECK(verdict(1, 11, 1'000, 10) == BulkVerdict::malformed);   // A hole.
    CHECK(verdict(1, 9, 1'000, 10) == BulkVerdict::malformed);    // Again.
    CHECK(verdict(1, 10, 999, 10) == BulkVerdict::malformed);     // Another size.
    CHECK(verdict(1, 10, 1'000, 0) == BulkVerdict::malformed);    // Nothing in it.
    CHECK(verdict(1, 10, 1'000, 991) == BulkVerdict::malformed);  // Past its end.
    CHECK(verdict(1, 10, 1'000, 990) == BulkVerdict::ok);
    CHECK(verdict(1, 10, 1'000, 10) == BulkVerdict::malformed);  // It is over.
    CHECK(verdict(2, 0, 100, 1) == BulkVerdict::ok);
    CHECK(verdict(3, 0, 100, 1) == BulkVerdict::ok);
    CHECK(verdict(4, 0, 100, 1) == BulkVerdict::malformed);  // One transfer too many.
    CHECK(verdict(3, 1, 100, 1) == BulkVerdict::ok);
    CHECK(lane.receive(limits, ConstBytes(record_of(3, 2, 100, 1)).first(12), chunk) ==
          BulkVerdict::malformed);
}

TEST_CASE("what was cancelled is dropped until its end, also when it begins anew") {
    Limits limits;
    BulkLane lane;
    BulkChunk chunk;
    CHECK(lane.receive(limits, record_of(1, 0, 100, 10), chunk) == BulkVerdict::ok);
    CHECK(lane.cancel(1));
    CHECK_FALSE(lane.cancel(1));
    CHECK(lane.receive(limits, record_of(1, 10, 100, 10), chunk) == BulkVerdict::cancelled);
    CHECK(lane.receive(limits, record_of(1, 0, 50, 10), chunk) == BulkVerdict::ok);
    CHECK(lane.receive(limits, record_of(1, 10, 50, 40), chunk) == BulkVerdict::ok);
}

TEST_CASE("cancelled transfers whose rest never comes do not use up the places") {
    Limits limits;
    limits.bulk_transfers_max = 2;
    BulkLane lane;
    BulkChunk chunk;
    for (std::uint32_t transfer = 1; transfer < 20; ++transfer) {
        CHECK(lane.receive(limits, record_of(transfer, 0, 100, 10), chunk) == BulkVerdict::ok);
        CHECK(lane.cancel(transfer));
    }
    CHECK(lane.receive(limits, record_of(30, 0, 100, 10), chunk) == BulkVerdict::ok);
    CHECK(lane.receive(limits, record_of(31, 0, 100, 10), chunk) == BulkVerdict::ok);
    CHECK(lane.receive(limits, record_of(32, 0, 100, 10), chunk) == BulkVerdict::malformed);
}

TEST_CASE("bulk above the peer's budget ends the session by name") {
    session::ServerConfig config = server_config();
    config.limits.bytes = {.per_tick = 1'000, .burst = 4'000};
    SessionBench bench(Wire::secure, config);
    bench.join();
    const std::vector<std::uint8_t> source = content(50'000);
    REQUIRE(bench.clients[0].session->start_bulk(1, source) == BulkStatus::ok);
    bench.ticks(20);
    CHECK(bench.closed_at_server() == EndReason::rate_exceeded);
    CHECK(bench.closed_at_client() == EndReason::rate_exceeded);
}

TEST_CASE("nobody starts a transfer before the session agreed, or on a stale handle") {
    SessionBench bench(Wire::loopback);
    const std::vector<std::uint8_t> source = content(10);
    CHECK(bench.clients[0].session->start_bulk(1, source) == BulkStatus::not_ready);
    CHECK(bench.server->start_bulk({.index = 0, .generation = 1}, 1, source) ==
          BulkStatus::not_ready);
    bench.join();
    CHECK(bench.clients[0].session->start_bulk(1, source) == BulkStatus::ok);
    bench.ticks(3);
    CHECK(gathered(bench.server_events, 1) == source);
}

}  // namespace wt::session::bulk_test
