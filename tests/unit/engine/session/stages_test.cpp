// SPDX-License-Identifier: MIT
//
// For each check before state changes, a message that fails just there: its windows, budgets and
// state stay as they were, that stage's counter moves by one and no other does. The message that
// all are made from passes.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::stages_test {

namespace {

using namespace wt::test;
using session::Channel;
using session::Envelope;
using session::SequenceResult;
using Type = SessionEvent::Type;

// All of a peer that a refused message must leave alone.
struct Standing {
    std::array<session::SequenceWindow, session::channel_count> windows{};
    std::array<std::uint32_t, session::stage_count> refused{};
    std::array<std::uint32_t, session::sequence_result_count> sequences{};
    std::uint32_t messages_left = 0;
    std::uint32_t bytes_left = 0;
    std::uint32_t commands_left = 0;
    std::uint32_t messages_in = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t epoch = 0;
    std::uint32_t bound = 0;
    State state = State::idle;

    friend bool operator==(const Standing&, const Standing&) = default;
};

Standing standing_of(const session::SessionLink& link) {
    Standing out;
    for (unsigned i = 0; i < session::channel_count; ++i)
        out.windows[i] = link.window(static_cast<Channel>(i));
    out.refused = link.counters().refused;
    out.sequences = link.counters().sequences;
    out.messages_left = link.messages_left();
    out.bytes_left = link.bytes_left();
    out.commands_left = link.commands_left();
    out.messages_in = link.counters().messages_in;
    out.bytes_in = link.counters().bytes_in;
    out.epoch = link.epoch();
    out.bound = link.message_bytes();
    out.state = link.state;
    return out;
}

class StageBench : public SessionBench {
public:
    explicit StageBench(const session::ServerConfig& config = server_config())
        : SessionBench(Wire::secure, config) {
        join();
        store_u32(payload.data(), static_cast<std::uint32_t>(server->tick()));
    }

    [[nodiscard]] Envelope good() {
        return {.channel = Channel::input,
                .kind = static_cast<std::uint16_t>(Kind::input),
                .epoch = link().epoch(),
                .sequence = 0,
                .payload = payload};
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes_of(const Envelope& envelope) const {
        std::vector<std::uint8_t> bytes(session::message_bytes_max);
        std::size_t size = 0;
        REQUIRE(session::encode_envelope(envelope, bytes, size) == session::EnvelopeStatus::ok);
        bytes.resize(size);
        return bytes;
    }
    void put(ConstBytes bytes, transport::Lane lane = transport::Lane::gameplay,
             transport::Delivery delivery = transport::Delivery::unreliable) {
        inject(lane, delivery, bytes);
    }
    // Only the counter of the stage moves.
    void fails_at(Stage stage, ConstBytes bytes, transport::Lane lane = transport::Lane::gameplay,
                  transport::Delivery delivery = transport::Delivery::unreliable) {
        CAPTURE(name_of(stage));
        Standing expected = standing_of(link());
        ++expected.refused[static_cast<unsigned>(stage)];
        put(bytes, lane, delivery);
        CHECK(standing_of(link()) == expected);
    }
    void passes(const Envelope& envelope) {
        const std::uint32_t before = link().counters().messages_in;
        put(bytes_of(envelope));
        CHECK(link().counters().messages_in == before + 1);
    }

    std::array<std::uint8_t, 8> payload{};
};

}  // namespace

TEST_CASE("the message that the others are made from passes and moves window and budgets") {
    StageBench bench;
    const Standing before = standing_of(bench.link());
    bench.passes(bench.good());
    const Standing after = standing_of(bench.link());
    CHECK(after.windows[1].newest() == 0);
    CHECK_FALSE(after.windows[1].is_empty());
    CHECK(after.messages_left == before.messages_left - 1);
    CHECK(after.bytes_left == before.bytes_left - 32);
    CHECK(after.commands_left == before.commands_left - 1);
    CHECK(after.refused == before.refused);
}

TEST_CASE("generation: another epoch") {
    StageBench bench;
    Envelope envelope = bench.good();
    ++envelope.epoch;
    bench.fails_at(Stage::generation, bench.bytes_of(envelope));
    envelope.epoch = session::negotiation_epoch;
    bench.fails_at(Stage::generation, bench.bytes_of(envelope));
    CHECK(bench.link().violations() == 0);
}

TEST_CASE("frame: what is no envelope, or on another channel's lane") {
    StageBench bench;
    const std::vector<std::uint8_t> good = bench.bytes_of(bench.good());
    bench.fails_at(Stage::frame, ConstBytes(good).first(good.size() - 1));
    bench.fails_at(Stage::frame, {});
    std::vector<std::uint8_t> bad = good;
    bad[22] = 1;
    bench.fails_at(Stage::frame, bad);
    // Input on Control's lane, and on its own in another mode.
    bench.fails_at(Stage::frame, good, transport::Lane::control,
                   transport::Delivery::reliable_ordered);
    bench.fails_at(Stage::frame, good, transport::Lane::gameplay,
                   transport::Delivery::reliable_ordered);
    CHECK(bench.link().violations() == 5);
}

TEST_CASE("frame: one byte above the agreed bound") {
    StageBench bench;
    REQUIRE(bench.link().message_bytes() == 1'076);
    const std::vector<std::uint8_t> payload(1'053, 0);
    Envelope envelope = bench.good();
    envelope.payload = payload;
    bench.fails_at(Stage::frame, bench.bytes_of(envelope));
    // One less is a frame; that no input is so long is another check.
    envelope.payload = ConstBytes(payload).first(1'052);
    bench.fails_at(Stage::tick_range, bench.bytes_of(envelope));
}

TEST_CASE("schema: a kind that nobody knows") {
    StageBench bench;
    Envelope envelope = bench.good();
    for (const std::uint16_t kind :
         {std::uint16_t{99}, std::uint16_t{128}, std::uint16_t{256}, std::uint16_t{0xffff}}) {
        envelope.kind = kind;
        bench.fails_at(Stage::schema, bench.bytes_of(envelope));
    }
}

TEST_CASE("authority: the server's kinds, other channels' kinds, other states' kinds") {
    StageBench bench;
    Envelope envelope = bench.good();
    envelope.kind = static_cast<std::uint16_t>(Kind::snapshot);
    bench.fails_at(Stage::authority, bench.bytes_of(envelope));
    envelope.kind = static_cast<std::uint16_t>(Kind::game_event);
    bench.fails_at(Stage::authority, bench.bytes_of(envelope));
    envelope = {.channel = Channel::control,
                .kind = static_cast<std::uint16_t>(Kind::spawn_batch),
                .epoch = bench.link().epoch(),
                .sequence = 50,
                .payload = bench.payload};
    bench.fails_at(Stage::authority, bench.bytes_of(envelope), transport::Lane::control,
                   transport::Delivery::reliable_ordered);
}

TEST_CASE("authority: a second hello does not negotiate a session away") {
    StageBench bench;
    session::Hello hello{.message_bytes = 1'076};
    hello.terms = client_config().terms;
    std::array<std::uint8_t, session::hello_bytes_max> bytes{};
    std::size_t size = 0;
    REQUIRE(session::write_hello(hello, bytes, size));
    const std::size_t events = bench.server_events.size();
    bench.fails_at(Stage::authority,
                   bench.bytes_of({.channel = Channel::control,
                                   .kind = static_cast<std::uint16_t>(Kind::hello),
                                   .epoch = bench.link().epoch(),
                                   .sequence = 50,
                                   .payload = ConstBytes(bytes).first(size)}),
                   transport::Lane::control, transport::Delivery::reliable_ordered);
    CHECK(bench.server_events.size() == events);
    CHECK(bench.link().state == State::active);
}

TEST_CASE("authority: input before the session is active") {
    session::ServerConfig config = server_config();
    config.activate_by_application = true;
    SessionBench bench(Wire::secure, config);
    REQUIRE(bench.connect() == session::ConnectStatus::ok);
    bench.ticks(20);
    REQUIRE(bench.link().state == State::synchronizing);
    std::array<std::uint8_t, 64> room{};
    std::array<std::uint8_t, 8> payload{};
    std::size_t size = 0;
    store_u32(payload.data(), static_cast<std::uint32_t>(bench.server->tick()));
    REQUIRE(session::encode_envelope({.channel = Channel::input,
                                      .kind = 32,
                                      .epoch = bench.link().epoch(),
                                      .payload = payload},
                                     room, size) == session::EnvelopeStatus::ok);
    Standing expected = standing_of(bench.link());
    ++expected.refused[static_cast<unsigned>(Stage::authority)];
    bench.inject(transport::Lane::gameplay, transport::Delivery::unreliable,
                 ConstBytes(room).first(size));
    CHECK(standing_of(bench.link()) == expected);
}

TEST_CASE("tick range: the oldest and the farthest that pass, and the next ones") {
    StageBench bench;
    const auto named = [&](std::uint32_t tick, std::uint32_t sequence) {
        store_u32(bench.payload.data(), tick);
        Envelope envelope = bench.good();
        envelope.sequence = sequence;
        return envelope;
    };
    const auto now = static_cast<std::uint32_t>(bench.server->tick());
    bench.passes(named(now - 64, 1));
    bench.fails_at(Stage::tick_range, bench.bytes_of(named(now - 65, 2)));
    bench.passes(named(now + 64, 3));
    bench.fails_at(Stage::tick_range, bench.bytes_of(named(now + 65, 4)));
    bench.fails_at(Stage::tick_range, bench.bytes_of(named(now + 0x8000'0000u, 5)));
    CHECK(bench.link().violations() == 0);
}

TEST_CASE("tick range works across the wrap of the wire's tick") {
    StageBench bench;
    bench.server->begin_tick(bench.now, *bench.server_endpoint, (std::uint64_t{5} << 32) + 3);
    store_u32(bench.payload.data(), 0xffff'fff0u);
    bench.passes(bench.good());
    store_u32(bench.payload.data(), 3u - 65u);
    Envelope envelope = bench.good();
    envelope.sequence = 1;
    bench.fails_at(Stage::tick_range, bench.bytes_of(envelope));
}

TEST_CASE("rate: messages, bytes and commands each have their own budget") {
    const auto bench_with = [](auto change) {
        session::ServerConfig config = server_config();
        change(config.limits);
        return std::make_unique<StageBench>(config);
    };
    SUBCASE("messages") {
        const auto bench = bench_with(
            [](session::Limits& limits) { limits.messages = {.per_tick = 3, .burst = 3}; });
        Envelope envelope = bench->good();
        for (; envelope.sequence < 3; ++envelope.sequence)
            bench->passes(envelope);
        bench->fails_at(Stage::rate, bench->bytes_of(envelope));
        bench->server->begin_tick(bench->now, *bench->server_endpoint, bench->tick_number);
        bench->passes(envelope);
    }
    SUBCASE("bytes") {
        const auto bench = bench_with(
            [](session::Limits& limits) { limits.bytes = {.per_tick = 320, .burst = 320}; });
        bench->server->begin_tick(bench->now, *bench->server_endpoint, bench->tick_number);
        Envelope envelope = bench->good();
        for (; envelope.sequence < 10; ++envelope.sequence)
            bench->passes(envelope);
        bench->fails_at(Stage::rate, bench->bytes_of(envelope));
    }
    SUBCASE("commands") {
        const auto bench = bench_with(
            [](session::Limits& limits) { limits.commands = {.per_tick = 1, .burst = 2}; });
        Envelope envelope = bench->good();
        for (; envelope.sequence < 2; ++envelope.sequence)
            bench->passes(envelope);
        bench->fails_at(Stage::rate, bench->bytes_of(envelope));
        bench->server->begin_tick(bench->now, *bench->server_endpoint, bench->tick_number);
        bench->passes(envelope);
        ++envelope.sequence;
        bench->fails_at(Stage::rate, bench->bytes_of(envelope));
    }
}

TEST_CASE("payload: the size by the session, the content by the application") {
    StageBench bench;
    Envelope envelope = bench.good();
    // Too short to name its tick.
    envelope.payload = ConstBytes(bench.payload).first(3);
    bench.fails_at(Stage::payload, bench.bytes_of(envelope));
    std::vector<std::uint8_t> longer(257, 0);
    store_u32(longer.data(), static_cast<std::uint32_t>(bench.server->tick()));
    envelope.payload = longer;
    bench.fails_at(Stage::payload, bench.bytes_of(envelope));
    envelope.payload = ConstBytes(longer).first(256);
    bench.passes(envelope);

    // The bench's application refuses what ends in 0xbd; the sequence stays free.
    bench.payload[7] = 0xbd;
    envelope = bench.good();
    envelope.sequence = 1;
    bench.fails_at(Stage::payload, bench.bytes_of(envelope));
    bench.payload[7] = 0;
    bench.passes(envelope);
}

TEST_CASE("repeated messages cost nothing but their counter") {
    StageBench bench;
    bench.passes(bench.good());
    Standing expected = standing_of(bench.link());
    ++expected.sequences[static_cast<unsigned>(SequenceResult::duplicate)];
    bench.put(bench.bytes_of(bench.good()));
    CHECK(standing_of(bench.link()) == expected);

    Envelope envelope = bench.good();
    envelope.sequence = 0x8000'0000;
    ++expected.sequences[static_cast<unsigned>(SequenceResult::ambiguous)];
    bench.put(bench.bytes_of(envelope));
    CHECK(standing_of(bench.link()) == expected);

    envelope.sequence = static_cast<std::uint32_t>(-64);
    ++expected.sequences[static_cast<unsigned>(SequenceResult::too_old)];
    bench.put(bench.bytes_of(envelope));
    CHECK(standing_of(bench.link()) == expected);
}

TEST_CASE("the 64th violation ends the session, and a tick forgives one") {
    StageBench bench;
    Envelope envelope = bench.good();
    envelope.kind = 99;
    const std::vector<std::uint8_t> bytes = bench.bytes_of(envelope);
    for (int i = 0; i < 63; ++i)
        bench.put(bytes);
    bench.put(bytes);
    bench.tick();  // Forgives one: 63.
    CHECK(bench.server->peer_count() == 1);
    bench.put(bytes);
    bench.put(bytes);  // 65, and the tick leaves 64.
    bench.ticks(10);
    CHECK(bench.closed_at_server() == EndReason::violations);
    CHECK(bench.closed_at_client() == EndReason::violations);
}

TEST_CASE("a reliable message above the rate ends the session with a reason") {
    session::ServerConfig config = server_config();
    config.limits.messages = {.per_tick = 2, .burst = 4};
    SessionBench bench(Wire::secure, config);
    bench.join();
    const std::array<std::uint8_t, 1> event = {1};
    for (int i = 0; i < 8; ++i)
        CHECK(bench.clients[0].session->send(bench.now, Kind::game_event, 0, event) ==
              session::SendStatus::ok);
    bench.ticks(10);
    CHECK(bench.closed_at_server() == EndReason::rate_exceeded);
    CHECK(bench.closed_at_client() == EndReason::rate_exceeded);
}

TEST_CASE("above what all peers together may bring, lossy messages are refused") {
    session::ServerConfig config = server_config();
    config.limits.ingress_messages_per_tick = 2;
    StageBench bench(config);
    bench.server->begin_tick(bench.now, *bench.server_endpoint, bench.tick_number);
    Envelope envelope = bench.good();
    CHECK(bench.server->has_ingress_budget());
    for (; envelope.sequence < 2; ++envelope.sequence)
        bench.passes(envelope);
    CHECK_FALSE(bench.server->has_ingress_budget());
    bench.fails_at(Stage::rate, bench.bytes_of(envelope));
    CHECK(bench.server->counters().ingress_refused == 1);
    bench.server->begin_tick(bench.now, *bench.server_endpoint, bench.tick_number);
    bench.passes(envelope);
}

}  // namespace wt::session::stages_test
