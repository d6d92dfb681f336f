// SPDX-License-Identifier: MIT
//
// A hostile client behind the authentication, or where the transport has none: any envelope, on any
// lane, in any order, questions about tickets, hellos with tickets, with steps of time, restarts
// and the server's own sends in between. Budgets and limits hold, a peer that ends is told why,
// refused input moves no window, and nothing is left in the store at the end.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "engine/session/server_session.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"
#include "tests/unit/engine/session/fake_endpoint.hpp"

namespace {

using namespace wt;
using namespace wt::session;

class Siege {
public:
    // The mode's bits: a transport without authentication; an authority that takes its time.
    Siege(fuzz::FuzzBytes input, std::uint8_t mode)
        : input_(input),
          luck_(LuckKey::root(1).with("siege")),
          server_(config(mode), Entropy::from_luck(luck_)) {
        endpoint_.caps.authentication_ready = mode % 2 == 0;
    }

    void run() {
        for (unsigned steps = 0; !input_.empty() && steps < 2'048; ++steps) {
            act();
            settle();
        }
        server_.reset(now_);
        WT_CHECK(server_.peer_count() == 0);
    }

private:
    static ServerConfig config(std::uint8_t mode) {
        ServerConfig out = test::server_config();
        out.authorisation_delay = Duration::millis(mode / 2 % 2 * 50);
        out.ticket_memory = mode / 4 % 2 == 0 ? TicketMemory::survives : TicketMemory::lost;
        out.limits.peers_max = 3;
        out.limits.messages = {.per_tick = 4, .burst = 32};
        out.limits.bytes = {.per_tick = 2'000, .burst = 8'000};
        out.limits.commands = {.per_tick = 2, .burst = 8};
        out.limits.violations_max = 16;
        out.limits.bulk_transfer_bytes = 300;
        return out;
    }

    void act() {
        switch (input_.u8() % 11) {
            case 0:
                return connect();
            case 1:
            case 2:
            case 3:
                return put_envelope();
            case 4:
                return put_raw();
            case 5:
                return speak();
            case 6:
                return tick();
            case 7:
                return put_closed();
            case 8:
                return ask();
            case 9:
                return put_hello();
            default:
                server_.reset(now_);
                WT_CHECK(server_.peer_count() == 0);
        }
    }

    [[nodiscard]] transport::ConnectionId connection() {
        return {.index = input_.u8() % 4u, .generation = 1u + generation_ % 2};
    }
    void connect() {
        if (input_.u8() % 4 == 0) ++generation_;
        const transport::ConnectionId id = connection();
        if (server_.peer_of(id).is_valid()) return;  // A transport connects each once.
        server_.on_event(now_, endpoint_,
                         transport::Connected{.connection = id, .player = {input_.u8() % 4u}});
    }
    void put(transport::ConnectionId from, ConstBytes bytes) {
        const std::uint8_t how = input_.u8();
        const transport::Received received{
            .connection = from,
            .lane = static_cast<transport::Lane>(how % 8),
            .delivery = static_cast<transport::Delivery>(how / 8 % 3),
            .bytes = bytes};
        const PeerHandle peer = server_.peer_of(from);
        const SessionLink* const before = server_.link(peer);
        const std::uint32_t messages = before == nullptr ? 0 : before->counters().messages_in;
        const auto window = before == nullptr ? SequenceWindow{} : before->window(Channel::input);
        server_.on_event(now_, endpoint_, received);
        SessionEvent event;
        while (server_.next_event(event)) {
            note(event);
            if (event.type != SessionEvent::Type::message || input_.u8() % 2 == 0) continue;
            WT_CHECK(server_.refuse());
            // Refused: as if it had never come.
            const SessionLink* const after = server_.link(peer);
            WT_CHECK(after->counters().messages_in == messages);
            WT_CHECK(after->window(Channel::input) == window);
        }
    }
    void put_envelope() {
        const transport::ConnectionId from = connection();
        const SessionLink* const link = server_.link(server_.peer_of(from));
        const std::uint64_t epoch = link == nullptr || input_.u8() % 8 == 0
                                        ? std::uint64_t{input_.u8()} + 1
                                        : link->epoch();
        static constexpr std::array<std::uint16_t, 12> kinds = {1,  3,  6,  19, 20, 21,
                                                                32, 32, 33, 40, 41, 77};
        std::array<std::uint8_t, 1'200> room{};
        std::size_t size = 0;
        const ConstBytes payload = input_.bytes(input_.u8());
        const EnvelopeStatus status =
            encode_envelope({.channel = static_cast<Channel>(input_.u8() % 4),
                             .kind = kinds[input_.u8() % kinds.size()],
                             .epoch = epoch,
                             .sequence = input_.u8() % 4 == 0 ? input_.u32() : sequence_++,
                             .payload = payload},
                            room, size);
        WT_CHECK(status == EnvelopeStatus::ok);
        put(from, ConstBytes(room).first(size));
    }
    void put_raw() {
        const transport::ConnectionId from = connection();
        put(from, input_.bytes(input_.u8()));
    }
    // A ticket of somebody who has the key, good or not; bent where the fuzzer says so.
    IssuedTicket ticket() {
        Ticket made{.audience = input_.u8() % 8 == 0 ? 4U : 5U,
                    .player = {input_.u8() % 4u},
                    .visit = 1,
                    .expires = input_.u8() % 4u};
        made.nonce.fill(input_.u8() % 8);
        IssuedTicket issued = TicketAuthority(test::authority_key()).issue(made, {});
        if (input_.u8() % 8 == 0) issued.bytes[input_.u8() % issued.bytes.size()] ^= 1;
        return issued;
    }
    void ask() {
        const IssuedTicket issued = ticket();
        const std::uint32_t good = server_.counters().tickets[0];
        server_.on_event(
            now_, endpoint_,
            transport::AuthorisationAsked{.attempt = {++attempts_, 1}, .token = issued.bytes});
        WT_CHECK(server_.counters().tickets[0] <= good + 1);
    }
    void put_hello() {
        const transport::ConnectionId from = connection();
        const IssuedTicket issued = ticket();
        Hello hello{.message_bytes = 1'076, .ticket = issued.bytes};
        hello.terms.schema_hash = 42;
        std::array<std::uint8_t, 400> payload{};
        std::size_t bytes = 0;
        WT_CHECK(write_hello(hello, payload, bytes));
        std::array<std::uint8_t, 1'200> room{};
        std::size_t size = 0;
        const EnvelopeStatus status = encode_envelope({.channel = Channel::control,
                                                       .kind = 1,
                                                       .epoch = 1,
                                                       .sequence = sequence_++,
                                                       .payload = ConstBytes(payload).first(bytes)},
                                                      room, size);
        WT_CHECK(status == EnvelopeStatus::ok);
        put(from, ConstBytes(room).first(size));
    }
    void put_closed() {
        server_.on_event(now_, endpoint_, transport::Closed{.connection = connection()});
    }
    void speak() {
        const PeerHandle peer = server_.peer_of(connection());
        const std::uint8_t how = input_.u8();
        const std::vector<std::uint8_t> payload(input_.u16() % 1'200u, 1);
        static constexpr std::array<Kind, 4> kinds = {Kind::snapshot, Kind::spawn_batch,
                                                      Kind::game_event, Kind::input};
        endpoint_.answers[0] =
            how % 8 == 0 ? transport::SendStatus::backlogged : transport::SendStatus::ok;
        static_cast<void>(server_.send(now_, peer, kinds[how % 4], how, payload,
                                       {static_cast<std::uint8_t>(how / 16), 3}));
        if (how % 16 == 1) static_cast<void>(server_.start_bulk(peer, how, source_));
        if (how % 16 == 2) static_cast<void>(server_.cancel_bulk(now_, peer, how));
        if (how % 64 == 3) static_cast<void>(server_.close(now_, peer));
    }
    void tick() {
        now_ += Duration::millis(input_.u8());
        server_.begin_tick(now_, endpoint_, ++number_);
        server_.pump(now_, endpoint_);
        WT_CHECK(endpoint_.sent.size() <= 3 * 64);
        endpoint_.sent.clear();
    }
    void note(const SessionEvent& event) {
        if (event.type == SessionEvent::Type::closed) {
            WT_CHECK(event.reason != EndReason::none);
            WT_CHECK(server_.link(event.peer) == nullptr);
        }
    }
    void settle() {
        SessionEvent event;
        while (server_.next_event(event))
            note(event);
        server_.accept();
        WT_CHECK(server_.peer_count() <= 3);
        std::uint32_t peers = 0;
        std::set<std::uint64_t> players;
        server_.for_each_peer([&](PeerHandle peer) {
            ++peers;
            // Whoever is in has left every older session of his.
            const State state = server_.link(peer)->state;
            const std::uint64_t player = server_.player(peer).value;
            const bool is_in = state == State::synchronizing || state == State::active;
            if (is_in && player != 0) WT_CHECK(players.insert(player).second);
            const SessionLink& link = *server_.link(peer);
            WT_CHECK(link.messages_left() <= 32);
            WT_CHECK(link.bytes_left() <= 8'000);
            WT_CHECK(link.commands_left() <= 8);
            WT_CHECK(link.state != State::closed);
            WT_CHECK(link.queue().pending(Channel::control) <= SendQueue::channel_places);
            WT_CHECK(link.queue().pending(Channel::snapshot) <= SendQueue::batches_max);
        });
        WT_CHECK(peers == server_.peer_count());
    }

    fuzz::FuzzBytes input_;
    LuckStream luck_;
    test::FakeEndpoint endpoint_;
    ServerSession server_;
    Instant now_{1'000'000'000};
    std::uint64_t number_ = 0;
    std::uint32_t sequence_ = 0;
    std::uint32_t generation_ = 0;
    std::uint32_t attempts_ = 0;
    std::vector<std::uint8_t> source_ = std::vector<std::uint8_t>(300, 1);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The mode stands last, so that the rest means the same in each.
    const std::uint8_t mode = size == 0 ? std::uint8_t{0} : data[size - 1];
    Siege({data, size == 0 ? 0 : size - 1}, mode).run();
    return 0;
}
