// SPDX-License-Identifier: MIT
//
// Reports from the field about hostile datagrams behind the tag (F7, F8, F22, F23, F24) and about
// many lives at one server (F13, F14, F17): every value of every field of a fragment, ranges of
// acknowledgements, and what they cost, counted.
#include <doctest/doctest.h>

#include <map>
#include <memory>

#include "engine/secure/connection.inl"
#include "engine/secure/real_suite.hpp"
#include "tests/support/handshake_bench.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::secure::field_hostile_test {

using transport::CloseReason;
using transport::Refusal;

namespace {

// A server's end whose client's keys the test holds.
struct Victim {
    Victim() {
        test::forget_nonces();  // Every victim has these keys.
        SessionKeys keys;
        keys.record_in = record_key();
        keys.packet_in = packet_key();
        keys.record_out.fill(3);
        keys.packet_out.fill(4);
        connection.open(now, keys, {}, {1, 1}, {}, false);
    }
    static Key record_key() {
        Key key{};
        key.fill(1);
        return key;
    }
    static Key packet_key() {
        Key key{};
        key.fill(2);
        return key;
    }

    // Authentic, whatever it says.
    void say(WireKind kind, ConstBytes body) {
        std::vector<std::uint8_t> bytes(session_header_bytes + body.size() + tag_bytes);
        write_frame(bytes.data(), kind);
        store_u64(bytes.data() + packet_number_offset, ++number);
        std::copy(body.begin(), body.end(), bytes.begin() + session_header_bytes);
        const std::size_t tagged = bytes.size() - tag_bytes;
        RealSuite::seal_packet(packet_key(), number, ConstBytes(bytes).first(tagged),
                               bytes.data() + tagged);
        REQUIRE(connection.receive(now, bytes, {}));
    }
    struct Fragment {
        std::uint8_t lane = 0;
        std::uint16_t message = 0;
        std::uint8_t index = 0;
        std::uint8_t count = 1;
        std::size_t size = 8;
    };
    void say(const Fragment& what) {
        std::vector<std::uint8_t> body(reliable_header_bytes + what.size);
        store_u16(body.data(), ++sequence);
        body[2] = what.lane;
        store_u16(body.data() + 3, what.message);
        body[5] = what.index;
        body[6] = what.count;
        say(WireKind::reliable, body);
    }
    void acknowledge(std::uint16_t what, std::uint32_t mask) {
        std::array<std::uint8_t, ack_header_bytes> body{};
        store_u16(body.data(), what);
        store_u32(body.data() + 2, mask);
        say(WireKind::ack, body);
    }
    // Everything that it wants to say now; bytes.
    std::uint64_t drain() {
        std::array<std::uint8_t, transport::datagram_bytes_max> room{};
        transport::Datagram out;
        out.room = room;
        std::uint64_t bytes = 0;
        while (connection.next_datagram(now, out))
            bytes += out.size;
        return bytes;
    }
    [[nodiscard]] const transport::Counters& counters() const { return connection.counters(); }

    BufferPool pool;
    Connection<RealSuite> connection{pool};
    Instant now{1'000'000'000};
    std::uint64_t number = 0;
    std::uint16_t sequence = 0;
};

}  // namespace

// All 256 values of each field of one byte, and sizes to the datagram's end, one hostile fragment a
// connection: each is either taken (and held within its budget) or counted under its own name.
TEST_CASE("F7, F8: every value of a fragment's lane, index, count and size is taken or counted") {
    const auto violations = [](const Victim::Fragment& what, Refusal why) {
        Victim victim;
        victim.say(what);
        CHECK(victim.counters().violations == victim.counters().of(why));
        return victim.counters().violations;
    };
    std::uint64_t bad_lanes = 0;
    std::uint64_t bad_counts = 0;
    std::uint64_t bad_indexes = 0;
    for (unsigned value = 0; value < 256; ++value) {
        const auto byte = static_cast<std::uint8_t>(value);
        bad_lanes += violations({.lane = byte}, Refusal::violation_lane);
        bad_counts += violations({.count = byte}, Refusal::violation_count);
        bad_indexes += violations({.index = byte, .count = 100}, Refusal::violation_index);
    }
    CHECK(bad_lanes == 256 - 8);
    CHECK(bad_counts == 256 - 239);
    CHECK(bad_indexes == 256 - 100);
    constexpr std::size_t largest =
        transport::datagram_bytes_max - packet_overhead - reliable_header_bytes;
    for (std::size_t size = 1'090; size <= largest; ++size) {
        CHECK(violations({.count = 2, .size = size}, Refusal::violation_size) ==
              (size > 1'100 ? 1 : 0));
    }
    Victim changed;
    changed.say({.index = 0, .count = 3});
    changed.say({.index = 1, .count = 4});
    CHECK(changed.counters().of(Refusal::violation_count_changed) == 1);
    // The empty packet, and one whose header is cut.
    Victim cut;
    for (std::size_t size = 0; size < reliable_header_bytes; ++size)
        cut.say(WireKind::reliable, std::vector<std::uint8_t>(size));
    CHECK(cut.counters().of(Refusal::malformed) == reliable_header_bytes);
    CHECK(cut.connection.is_open());
}

// 8 lanes * 1,024 messages that each claim 239 fragments and send one: 8,192 * 262,900 B = 2.1 GB
// if somebody believed it. Held may be the next message of each lane, and 2,091,104 B of later
// ones: seven more of 262,900.
TEST_CASE("F23: a count of 239 in every message sets aside no more than the budget") {
    Victim victim;
    constexpr std::uint64_t claim = 239 * 1'100;
    for (std::uint16_t message = 0; message < 1'024; ++message) {
        for (std::uint8_t lane = 0; lane < 8; ++lane)
            victim.say({.lane = lane, .message = message, .count = 239});
    }
    const std::uint64_t admitted = 8'192 - victim.counters().of(Refusal::reassembly_budget);
    CHECK(admitted == 8 + 7);
    CHECK(admitted * claim <= 4u * 1'024 * 1'024);
    CHECK(victim.counters().violations == 0);
    CHECK(victim.connection.is_open());
}

// The server has 100 messages outstanding. 100,000 acknowledgements with every kind of sequence and
// full masks follow; 33 transmissions are all that one can name.
TEST_CASE("F22, F24: acknowledgements alone cost bounded work and buy no bytes") {
    Victim victim;
    static constexpr std::array<std::uint8_t, 64> words{};
    for (int i = 0; i < 100; ++i) {
        REQUIRE(victim.connection.send(victim.now, {.lane = transport::Lane::state,
                                                    .bytes = words}) == transport::SendStatus::ok);
    }
    const std::uint64_t first = victim.drain();
    CHECK(first > 100 * 64);
    const std::uint64_t steps_before = victim.counters().ack_steps;
    std::uint64_t said = 0;
    const LuckKey luck = LuckKey::root(1).with("acknowledgements");
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        // None of those that were sent (0 to 99), nor any whose mask reaches them.
        const auto sequence = static_cast<std::uint16_t>(200 + luck.draw(i) % 65'000);
        victim.acknowledge(sequence, 0xffff'ffff);
        said += victim.drain();
    }
    CHECK(said == 0);
    CHECK(victim.counters().acked == 0);
    CHECK(victim.counters().ack_steps - steps_before <= 33 * 100'000);
    CHECK(victim.counters().of(Refusal::ack_unknown) > 30'000);
    // Those that name something release it once; again they are old news.
    for (int repeat = 0; repeat < 1'000; ++repeat) {
        for (std::uint16_t sequence = 0; sequence < 100; ++sequence)
            victim.acknowledge(sequence, 0xffff'ffff);
        said += victim.drain();
    }
    CHECK(said == 0);
    CHECK(victim.counters().acked == 100);
    CHECK(victim.counters().ack_steps - steps_before <= 33 * 200'000);
    // Nothing is repeated of what is settled: one keepalive a second is all.
    victim.now += Duration::seconds(1);
    CHECK(victim.drain() == 27);
}

// Every cycle: a client's process dies, the next one joins from the same address, and what the dead
// one had said arrives in between. No goodbye is ever said.
TEST_CASE("F14: a thousand lives at one address, with the last one's datagrams still under way") {
    test::Bench bench;
    std::vector<test::Flying> late;
    static constexpr std::array<std::uint8_t, 30> words{};
    for (unsigned life = 0; life < 1'000; ++life) {
        REQUIRE(
            bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
        const std::size_t asked = bench.server.asked.size();
        while (bench.server.asked.size() == asked)
            bench.exchange();
        bench.to_server(late);  // While the authority thinks.
        bench.answer(test::bound_answer(bench.server.asked.back().attempt));
        bench.exchange();
        bench.to_server(late);  // And once more when the new one is in.
        bench.exchange();
        REQUIRE(bench.server.connected.size() == life + 1);
        REQUIRE(bench.client.connected.size() == life + 1);
        // The first message of the life arrives, and so does the server's.
        REQUIRE(bench.talks());
        REQUIRE(bench.client.endpoint->send(bench.now, bench.client_id(),
                                            {.lane = transport::Lane::chat, .bytes = words}) ==
                transport::SendStatus::ok);
        late = bench.client_step();
        bench.client.endpoint->restart(bench.now);
    }
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(bench.server.endpoint->pending_count() == 0);
    REQUIRE(bench.server.closed.size() == 999);
    for (const transport::Closed& closed : bench.server.closed)
        CHECK(closed.reason == CloseReason::superseded);
}

// One reliable message under way and nobody who answers: repeats at 0.2, 0.6, 1.4, 3, 5, 7 and 9 s,
// at most a keepalive a second, from 3 s on a probe of four requests a second, its ends at 8 s, the
// timeout at 10 s. Every deadline is met at its very instant, where an expiry of "now" that were no
// expiry yet would be one for ever.
TEST_CASE("F28: whoever wakes at a deadline gets on, and deadlines are few") {
    test::Bench bench;
    bench.connect();
    static constexpr std::array<std::uint8_t, 30> words{};
    REQUIRE(bench.client.endpoint->send(bench.now, bench.client_id(),
                                        {.lane = transport::Lane::chat, .bytes = words}) ==
            transport::SendStatus::ok);
    unsigned steps = 0;
    while (bench.client.closed.empty() && steps < 1'000) {
        bench.client_step();
        const Instant next = bench.client.endpoint->next_deadline();
        if (next == Instant::never()) break;
        REQUIRE(next > bench.now);
        bench.now = next;
        ++steps;
    }
    bench.client_step();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::timed_out);
    CHECK(steps <= 7 + 10 + 28 + 4);
}

namespace {

// A server and many clients on a perfect wire.
struct Crowd {
    explicit Crowd(std::uint32_t count)
        : server(1, test::address_of(1),
                 [](Entropy entropy) { return make_server({.peers_max = 64}, entropy); }) {
        for (std::uint32_t i = 0; i < count; ++i) {
            clients.push_back(std::make_unique<test::Host>(
                100 + i, test::address_of(2, static_cast<std::uint16_t>(5'000 + i)),
                [](Entropy entropy) { return make_client({}, entropy); }));
            REQUIRE(clients.back()->endpoint->connect(now, test::bound_request(server.address)) ==
                    transport::ConnectStatus::ok);
        }
        alive.assign(count, true);
        for (int i = 0; i < 20 && server.connected.size() < count; ++i)
            step();
        REQUIRE(server.connected.size() == count);
    }
    void step() {
        for (std::size_t i = 0; i < clients.size(); ++i) {
            if (!alive[i]) continue;
            for (const test::Flying& one : clients[i]->step(now))
                server.receive(now, clients[i]->address, one);
        }
        for (const test::Flying& one : server.step(now)) {
            const std::size_t i = one.to.port - 5'000u;
            if (alive[i]) clients[i]->receive(now, server.address, one);
        }
        for (; answered < server.asked.size(); ++answered) {
            CHECK(server.endpoint->answer_authorisation(
                      now, test::bound_answer(server.asked[answered].attempt)) ==
                  transport::AnswerStatus::ok);
        }
        now += Duration::millis(5);
    }
    bool send(std::size_t i, std::uint8_t what) {
        const std::array<std::uint8_t, 1> bytes{what};
        return clients[i]->endpoint->send(now, clients[i]->connected.back().connection,
                                          {.lane = transport::Lane::state, .bytes = bytes}) ==
               transport::SendStatus::ok;
    }

    Instant now{1'000'000'000'000};
    test::Host server;
    std::vector<std::unique_ptr<test::Host>> clients{};
    std::vector<bool> alive{};
    std::size_t answered = 0;
};

}  // namespace

TEST_CASE("F13: 60 clients that die in one tick are gone after their timeout, and none before") {
    Crowd crowd(60);
    for (int i = 0; i < 200; ++i)
        crowd.step();
    const Instant death = crowd.now;
    crowd.alive.assign(60, false);
    std::uint64_t most_datagrams = 0;
    while (crowd.now - death < Duration::millis(8'900)) {
        const std::uint64_t before = crowd.server.endpoint->counters().datagrams_sent;
        crowd.step();
        most_datagrams =
            std::max(most_datagrams, crowd.server.endpoint->counters().datagrams_sent - before);
    }
    // The last keepalive came at most a second before; nobody is given up before 10 s.
    CHECK(crowd.server.closed.empty());
    // A keepalive each is the most that a step may bring.
    CHECK(most_datagrams <= 60);
    while (crowd.now - death < Duration::millis(10'010))
        crowd.step();
    REQUIRE(crowd.server.closed.size() == 60);
    for (const transport::Closed& closed : crowd.server.closed)
        CHECK(closed.reason == CloseReason::timed_out);
    CHECK(crowd.server.endpoint->connection_count() == 0);
    CHECK(crowd.server.endpoint->next_deadline() == Instant::never());
}

TEST_CASE("F17: 20 of 40 that leave in the middle of their windows take nothing of the others") {
    Crowd crowd(40);
    for (std::uint8_t round = 0; round < 100; ++round) {
        for (std::size_t i = 0; i < 40; ++i)
            if (crowd.alive[i]) REQUIRE(crowd.send(i, round));
        if (round == 50) {
            // Every second one says goodbye with a message on its way and vanishes.
            for (std::size_t i = 0; i < 40; i += 2) {
                CHECK(crowd.clients[i]->endpoint->close(
                    crowd.now, crowd.clients[i]->connected.back().connection,
                    CloseReason::application));
            }
        }
        if (round == 51) {
            for (std::size_t i = 0; i < 40; i += 2)
                crowd.alive[i] = false;
        }
        if (round != 50) {
            crowd.step();
            continue;
        }
        crowd.step();
        for (std::size_t i = 0; i < 40; i += 2)
            crowd.alive[i] = false;
    }
    for (int i = 0; i < 20; ++i)
        crowd.step();
    CHECK(crowd.server.closed.size() == 20);
    CHECK(crowd.server.endpoint->connection_count() == 20);
    std::map<std::uint32_t, std::vector<std::uint8_t>> by_connection;
    for (const test::Got& got : crowd.server.got)
        by_connection[got.connection.index].push_back(got.bytes[0]);
    std::size_t whole = 0;
    for (const auto& [connection, numbers] : by_connection) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            REQUIRE(numbers[i] == i);
        whole += numbers.size() == 100 ? 1u : 0u;
    }
    CHECK(whole == 20);
}

}  // namespace wt::secure::field_hostile_test
