// SPDX-License-Identifier: MIT
//
// Hostile datagrams change nothing but counters. Method: two pairs of one seed do the same; one of
// them is besieged, with datagrams cut, bent, repeated, renumbered and sent from other addresses.
// What both ends say to each other must be the same in both pairs, byte for byte, and what
// strangers are answered is never longer than what they said. And a flood of 100,000 connection
// requests.
#include <doctest/doctest.h>

#include <limits>

#include "engine/secure/handshake.hpp"
#include "tests/support/heap_counts.hpp"
#include "tests/unit/engine/secure/moving_bench.hpp"

namespace wt::secure {

using bench::address_of;
using bench::Flying;
using bench::MovingBench;
using transport::Refusal;

namespace {

// One pair that does what the other one does, and everything that was said in it.
struct Twin {
    Twin() { bench.connect(); }

    // The words of one step, the same in both pairs: lossy, sequenced and reliable ones.
    void say(unsigned step) {
        const std::vector<std::uint8_t> words(20 + step % 50, static_cast<std::uint8_t>(step));
        using transport::Delivery;
        for (const Delivery how :
             {Delivery::unreliable, Delivery::unreliable_sequenced, Delivery::reliable_ordered}) {
            for (const bool is_client : {false, true}) {
                wt::test::Host& host = is_client ? bench.client : bench.server;
                const auto id = is_client ? bench.client_id() : bench.server_id();
                REQUIRE(host.endpoint->send(
                            bench.now, id,
                            {.lane = transport::Lane::gameplay, .delivery = how, .bytes = words}) ==
                        transport::SendStatus::ok);
            }
        }
    }
    // What the ends want to say now; delivered by the caller.
    std::vector<Flying> client_says() { return kept(bench.client_step()); }
    std::vector<Flying> server_says() { return kept(bench.server_step()); }

    MovingBench bench{};
    std::vector<std::vector<std::uint8_t>> said{};  // By either end to the other one.
    std::uint64_t bytes_to_strangers = 0;

private:
    std::vector<Flying> kept(const std::vector<Flying>& all) {
        std::vector<Flying> out;
        for (const Flying& one : all) {
            const bool is_session = is_session_kind(static_cast<std::uint8_t>(one.kind()));
            const bool is_ours = one.to == bench.server.address || one.to == bench.client.address;
            if (is_session && is_ours) {
                said.push_back(one.bytes);
                out.push_back(one);
            } else {
                bytes_to_strangers += one.bytes.size();
            }
        }
        return out;
    }
};

// Everything that can be done to one datagram by somebody without keys.
class Mangler {
public:
    Mangler(Twin& twin) : twin_(twin), luck_(LuckKey::root(1).with("mangler")) {}

    void attack(const Flying& original) {
        for (std::size_t size = 0; size < original.bytes.size(); ++size)
            send(ConstBytes(original.bytes).first(size));
        Flying one = original;
        for (int i = 0; i < 64; ++i) {
            const auto bit = static_cast<std::size_t>(luck_.below(one.bytes.size() * 8));
            const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
            one.bytes[bit / 8] ^= mask;
            send(one.bytes);
            one.bytes[bit / 8] ^= mask;
        }
        for (int i = 0; i < 4; ++i)
            send(one.bytes);  // Replays: the original is delivered before.
        const std::uint64_t number = load_u64(one.bytes.data() + packet_number_offset);
        constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
        for (const std::uint64_t forged :
             {std::uint64_t{0}, number + 1, number + 4'095, number + 4'096, number + 65'536,
              std::uint64_t{1} << 32, std::uint64_t{1} << 63, last}) {
            store_u64(one.bytes.data() + packet_number_offset, forged);
            send(one.bytes);
        }
        one = original;
        for (unsigned kind = 0; kind < 32; ++kind) {
            one.bytes[kind_offset] = static_cast<std::uint8_t>(kind);
            // Unchanged, it is a replay.
            send(one.bytes);
        }
        one.bytes = original.bytes;
        one.bytes.resize(transport::datagram_bytes_max + 1, 0x33);
        send(one.bytes);
    }

    std::uint64_t sent = 0;
    std::uint64_t bytes = 0;

private:
    // To both ends, from the other end's address and from a stranger's.
    void send(ConstBytes datagram) {
        MovingBench& bench = twin_.bench;
        const transport::Address stranger =
            address_of(9, static_cast<std::uint16_t>(luck_.below(65'536)));
        for (const bool is_spoofed : {false, true}) {
            bench.server.endpoint->receive(bench.now, is_spoofed ? bench.client.address : stranger,
                                           datagram, {});
            bench.client.endpoint->receive(bench.now, is_spoofed ? bench.server.address : stranger,
                                           datagram, {});
            sent += 2;
            bytes += 2 * datagram.size();
        }
    }

    Twin& twin_;
    LuckStream luck_;
};

std::uint64_t refused_in_all(const transport::Counters& counters) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counters.refused)
        sum += count;
    return sum;
}

// All but what counts refusals and searches.
void check_same_work(const transport::Counters& one, const transport::Counters& other) {
    CHECK(one.datagrams_sent == other.datagrams_sent);
    CHECK(one.datagrams_received == other.datagrams_received);
    CHECK(one.bytes_sent == other.bytes_sent);
    CHECK(one.sealed == other.sealed);
    CHECK(one.opened == other.opened);
    CHECK(one.decrypted == other.decrypted);
    CHECK(one.delivered == other.delivered);
    CHECK(one.duplicates == other.duplicates);
    CHECK(one.acked == other.acked);
    CHECK(one.retransmits == other.retransmits);
    CHECK(one.ack_steps == other.ack_steps);
    CHECK(one.violations == 0);
    CHECK(other.violations == 0);
    CHECK(one.path_challenges == 0);
}

constexpr unsigned steps = 100;

// The same hundred steps for either pair; what is said in every tenth is mangled.
void play(Twin& twin, Mangler* mangler) {
    for (unsigned step = 0; step < steps; ++step) {
        twin.say(step);
        const std::vector<Flying> up = twin.client_says();
        twin.bench.to_server(up);
        const std::vector<Flying> down = twin.server_says();
        twin.bench.to_client(down);
        if (mangler != nullptr && step % 10 == 0) {
            for (const Flying& one : up)
                mangler->attack(one);
            for (const Flying& one : down)
                mangler->attack(one);
        }
        twin.bench.wait(MovingBench::tick);
    }
}

}  // namespace

TEST_CASE("a besieged session says byte for byte what an undisturbed one says") {
    // One after the other: they have the same keys, and the ledger of nonces knows only one pair.
    Twin quiet;
    play(quiet, nullptr);
    Twin besieged;
    Mangler mangler(besieged);
    play(besieged, &mangler);
    // Ten steps of six messages at least, each 72 B or more: cut at each of them, bent 64 times, 4
    // replays, 8 numbers, 32 kinds and one too long, four times each.
    CHECK(mangler.sent >= 4 * 60 * (72 + 64 + 4 + 8 + 32 + 1));
    CHECK(besieged.bytes_to_strangers == 0);
    // Three messages each way a step; acknowledgements beside them.
    CHECK(besieged.said.size() >= 6 * steps);
    CHECK(besieged.said == quiet.said);
    CHECK(besieged.bench.server.got.size() == 3 * steps);
    const transport::Counters& server = besieged.bench.server.endpoint->counters();
    const transport::Counters& client = besieged.bench.client.endpoint->counters();
    check_same_work(server, quiet.bench.server.endpoint->counters());
    check_same_work(client, quiet.bench.client.endpoint->counters());
    // Each of them was refused by name, once.
    CHECK(refused_in_all(server) == mangler.sent / 2);
    CHECK(refused_in_all(client) == mangler.sent / 2);
    // 495 ms: two budgets of 32 at once and 256 a second each, one session to try.
    CHECK(server.path_searches <= 2 * (32 + 128));
    CHECK(server.path_trials <= server.path_searches);
}

TEST_CASE(
    "100,000 connection requests from as many addresses: out <= in, nothing kept or allocated") {
    MovingBench bench;
    Request request;
    request.protocol_version = 1;
    request.attempt = 77;
    request.client_key.fill(5);
    std::array<std::uint8_t, request_bytes> datagram{};
    write_request(request, WireKind::request, datagram);
    std::array<std::uint8_t, transport::datagram_bytes_max> room{};
    transport::Datagram out;
    out.room = room;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t first_news = 0;
    std::uint64_t replies = 0;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        transport::Address from = address_of(static_cast<std::uint8_t>(3 + i % 200));
        from.ip[0] = static_cast<std::uint8_t>(i >> 16);
        from.port = static_cast<std::uint16_t>(i);
        // Every second one claims a cookie.
        datagram[kind_offset] =
            static_cast<std::uint8_t>(i % 2 == 0 ? WireKind::request : WireKind::join);
        bench.server.endpoint->receive(bench.now, from, datagram, {});
        bytes_in += datagram.size();
        if (i % 50 != 49) continue;
        bench.server.endpoint->advance(bench.now);
        std::uint64_t burst = 0;
        while (bench.server.endpoint->next_datagram(bench.now, out)) {
            CHECK(out.size == challenge_bytes);
            bytes_out += out.size;
            ++replies;
            ++burst;
            out.room = room;
        }
        CHECK(burst == 50);
        CHECK(bench.server.endpoint->pending_count() == 0);
        bench.now += Duration::millis(5);
        if (i == 49) first_news = wt::test::news;
    }
    CHECK(wt::test::news == first_news);
    CHECK(replies == 100'000);
    // 27 for 382 bytes.
    CHECK(bytes_out * 14 <= bytes_in);
    CHECK(bench.server.refused(Refusal::bad_cookie) == 50'000);
    CHECK(bench.server.endpoint->counters().sealed == 0);
    CHECK(bench.server.endpoint->counters().path_searches == 0);
    // And whoever means it still gets in.
    bench.connect();
    CHECK(bench.talks());
}

TEST_CASE("a flood in one step fills the queue of replies and no more") {
    MovingBench bench;
    Request request;
    request.protocol_version = 1;
    request.attempt = 77;
    request.client_key.fill(5);
    std::array<std::uint8_t, request_bytes> datagram{};
    write_request(request, WireKind::request, datagram);
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        transport::Address from = address_of(9);
        from.port = static_cast<std::uint16_t>(i);
        bench.server.endpoint->receive(bench.now, from, datagram, {});
    }
    CHECK(bench.server_step().size() == 4'096);
    CHECK(bench.server.refused(Refusal::inbox_full) == 100'000 - 4'096);
    bench.connect();
    CHECK(bench.talks());
}

}  // namespace wt::secure
