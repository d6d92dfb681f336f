// SPDX-License-Identifier: MIT
//
// A script of operations on a real pair, behind authentication: joins, messages on every lane,
// datagrams lost, repeated, late, bent and cut, new addresses, restarts, goodbyes, time. Whatever
// comes of it: each lane delivers a beginning of what was sent in one session, in order and unbent;
// deadlines lie ahead; nobody moves but to where the client was; and once the script is over and
// the path is whole, the client is in or told why, and all that is outstanding arrives.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <variant>
#include <vector>

#include "engine/secure/config.hpp"
#include "simulator/cipher/null_endpoints.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::secure;

struct Flying {
    transport::Address from{};
    transport::Address to{};
    std::vector<std::uint8_t> bytes{};
};

// One direction of one session as its sender numbered it: how much was sent on each lane, and how
// much of that the other end has.
struct Line {
    std::array<std::uint32_t, transport::lane_count> sent{};
    std::array<std::uint32_t, transport::lane_count> received{};
};

struct End {
    std::unique_ptr<transport::Endpoint> endpoint{};
    transport::ConnectionId connection{};
    // Of each session of this end, in the order in which they began. Before the first: nothing.
    std::vector<Line> sessions{1};
    bool is_up = false;
};

class Play {
public:
    explicit Play(fuzz::FuzzBytes input) : input_(input) {
        ServerConfig server;
        server.peers_max = 4;
        server.pending_max = 2;
        server.replies_max = 16;
        server.allow_unbound = true;
        ClientConfig client;
        client.allow_unbound = true;
        const std::uint8_t profile = input_.u8();
        for (ConnectionConfig* config : {&server.connection, &client.connection}) {
            if (profile % 3 == 1) config->reliability = Reliability::profile_literal();
            if (profile % 3 == 2) config->reliability = Reliability::profile_tuned();
            // Everything that wraps does so soon.
            if (profile % 2 == 1)
                config->initial = {.transmission_sequence = 65'530,
                                   .message_id = 65'533,
                                   .packet_number = 0xffff'fff0,
                                   .record_counter = 0xffff'fffa};
        }
        if (profile % 5 == 4) server.rebind = Rebind::refuse;
        server_.endpoint = sim::make_null_server(server, Entropy::from_luck(luck_));
        client_.endpoint = sim::make_null_client(client, Entropy::from_luck(luck_));
        server_at_.port = 1;
        client_at_.port = 1'000;
        connect();
    }

    // What comes behind so many operations says nothing that a shorter script does not.
    static constexpr unsigned operations_max = 200;

    void run() {
        // Most scripts are about a session that stands, and need no bytes to make it stand.
        if (input_.u8() % 4 != 0) join();
        for (unsigned count = 0; !input_.empty() && count < operations_max; ++count)
            act();
        heal();
    }

private:
    void connect() { static_cast<void>(client_.endpoint->connect(now_, {.server = server_at_})); }

    void join() {
        const Instant end = now_ + Duration::seconds(2);
        while (now_ < end && !(client_.is_up && server_.is_up)) {
            deliver_all();
            settle();
            now_ += Duration::millis(5);
        }
        WT_CHECK(client_.is_up);
        WT_CHECK(server_.is_up);
    }

    // One operation. Whom it touched has acted and is drained afterwards.
    void act() {
        switch (input_.u8() % 14) {
            case 0:
                return send(client_);
            case 1:
                return send(server_);
            case 2:
                return wait(Duration::millis(input_.u8()));
            case 3:
                return wait(Duration::millis(input_.u16() % 16'384));
            case 4:
                return deliver(input_.u8());
            case 5:
                deliver_all();
                return settle();
            case 6:
                return lose(input_.u8());
            case 7:
                return repeat(input_.u8());
            case 8:
                return bend(input_.u8());
            case 9:
                return rebind(input_.u8());
            case 10:
                return restart(input_.u8() % 2 == 0 ? server_ : client_);
            case 11:
                return close(input_.u8() % 2 == 0 ? server_ : client_);
            case 12:
                connect();
                return settle(client_);
            default:
                // Somebody else repeats what he saw.
                return replay_from_elsewhere(input_.u8());
        }
    }

    void wait(Duration span) {
        now_ += span;
        settle();
    }

    void send(End& end) {
        const auto lane = static_cast<transport::Lane>(input_.u8() % transport::lane_count);
        const std::uint8_t how = input_.u8();
        const std::size_t size = how % 8 == 0 ? input_.u16() % 5'000 : how % 64;
        Line& line = end.sessions.back();
        const std::uint32_t number = line.sent[static_cast<unsigned>(lane)];
        const Name name{static_cast<std::uint32_t>(end.sessions.size()), number};
        std::array<std::uint8_t, content_max> room{};
        store_u32(room.data(), name.session);
        store_u32(room.data() + 4, name.number);
        const ConstBytes rest = rest_of(name, size);
        std::copy(rest.begin(), rest.end(), room.begin() + content_head);
        const ConstBytes bytes = ConstBytes(room).first(content_head + size);
        // Lossy ones go on their way too; only the reliable ones are held against their order.
        const bool is_lossy = how >= 192 && size <= 1'000;
        const transport::Delivery delivery = !is_lossy ? transport::Delivery::reliable_ordered
                                             : how % 2 == 0
                                                 ? transport::Delivery::unreliable
                                                 : transport::Delivery::unreliable_sequenced;
        const transport::SendStatus status = end.endpoint->send(
            now_, end.connection, {.lane = lane, .delivery = delivery, .bytes = bytes});
        if (status == transport::SendStatus::ok && !is_lossy)
            ++line.sent[static_cast<unsigned>(lane)];
        settle(end);
    }

    // A message says of which session of its sender it is and which of its lane, and the rest of it
    // follows from that: a piece of one long pattern, since bytes one by one cost more than all
    // else.
    struct Name {
        std::uint32_t session = 0;
        std::uint32_t number = 0;
    };
    static constexpr std::size_t content_head = 8;
    static constexpr std::size_t content_max = 5'000 + content_head;
    static constexpr std::size_t places = 2'039;  // A prime: neighbours begin far apart.
    static ConstBytes rest_of(const Name& name, std::size_t size) {
        static const std::vector<std::uint8_t> pattern = [] {
            std::vector<std::uint8_t> bytes(content_max + places);
            LuckStream luck{LuckKey::root(1).with("pattern")};
            Entropy::from_luck(luck).fill(bytes);
            return bytes;
        }();
        const std::size_t begin = (std::size_t{name.number} * 977 + name.session * 31) % places;
        return ConstBytes(pattern).subspan(begin, size);
    }

    void deliver_one(const Flying& one) {
        End* const end = end_at(one.to);
        if (end != nullptr) end->endpoint->receive(now_, one.from, one.bytes, {});
    }
    // Only what goes to where the client is now gets through its translator.
    End* end_at(const transport::Address& address) {
        if (address == server_at_) return &server_;
        return address == client_at_ ? &client_ : nullptr;
    }
    void settle_at(const transport::Address& address) {
        if (End* const end = end_at(address); end != nullptr) settle(*end);
    }
    void deliver(std::uint8_t which) {
        if (air_.empty()) return;
        const auto place = air_.begin() + which % static_cast<std::ptrdiff_t>(air_.size());
        const Flying one = std::move(*place);
        air_.erase(place);
        deliver_one(one);
        settle_at(one.to);
    }
    void deliver_all() {
        std::deque<Flying> all;
        all.swap(air_);
        for (const Flying& one : all)
            deliver_one(one);
    }
    void lose(std::uint8_t count) {
        for (unsigned i = 0; i <= count % 8u && !air_.empty(); ++i)
            air_.pop_front();
    }
    void repeat(std::uint8_t which) {
        if (!air_.empty()) air_.push_back(air_[which % air_.size()]);
    }
    void bend(std::uint8_t which) {
        if (air_.empty()) return;
        Flying one = air_[which % air_.size()];
        const std::uint16_t at = input_.u16();
        if (one.bytes.empty()) return;
        if (at % 4 == 0) {
            one.bytes.resize(at % one.bytes.size());
        } else {
            one.bytes[at % one.bytes.size()] ^= static_cast<std::uint8_t>(input_.u8() | 1u);
        }
        deliver_one(one);
        settle_at(one.to);
    }
    void rebind(std::uint8_t how) {
        client_at_.port = static_cast<std::uint16_t>(1'000 + how % 8);
        client_at_.ip[15] = static_cast<std::uint8_t>(how / 128);
    }
    void replay_from_elsewhere(std::uint8_t which) {
        if (seen_.empty()) return;
        transport::Address elsewhere;
        elsewhere.port = 7;
        const Flying& one = seen_[which % seen_.size()];
        server_.endpoint->receive(now_, elsewhere, one.bytes, {});
        settle(server_);
    }
    void restart(End& end) {
        end.endpoint->restart(now_);
        end.is_up = false;
        end.connection = {};
        settle(end);
    }
    void close(End& end) {
        static_cast<void>(
            end.endpoint->close(now_, end.connection, transport::CloseReason::application));
        settle(end);
    }

    // It acts and is drained; what it says is in the air afterwards.
    void settle(End& end) {
        end.endpoint->advance(now_);
        events(end);
        drain(end);
        WT_CHECK(end.endpoint->next_deadline() > now_);
    }
    void settle() {
        settle(client_);
        settle(server_);
        WT_CHECK(server_.endpoint->connection_count() <= 4);
        WT_CHECK(server_.endpoint->pending_count() <= 2);
    }

    void drain(End& end) {
        transport::Datagram out;
        out.room = room_;
        const bool is_server = &end == &server_;
        while (end.endpoint->next_datagram(now_, out)) {
            WT_CHECK(out.size <= room_.size());
            const auto size = static_cast<std::ptrdiff_t>(out.size);
            air_.push_back({is_server ? server_at_ : client_at_,
                            out.to,
                            {room_.begin(), room_.begin() + size}});
            if (!is_server && seen_.size() < 64) seen_.push_back(air_.back());
            // The path is as long as memory: the oldest are lost.
            if (air_.size() > 512) air_.pop_front();
            out.room = room_;
        }
    }

    void events(End& end) {
        transport::Event event;
        while (end.endpoint->next_event(event)) {
            if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
                questions_.push_back(asked->attempt);
            } else if (const auto* up = std::get_if<transport::Connected>(&event)) {
                begin(end, up->connection);
            } else if (const auto* down = std::get_if<transport::Closed>(&event)) {
                WT_CHECK(down->reason != transport::CloseReason::none);
                WT_CHECK(down->reason != transport::CloseReason::violations);
                WT_CHECK(down->reason != transport::CloseReason::record_lost);
                if (down->connection == end.connection) end.is_up = false;
            } else if (const auto* got = std::get_if<transport::Received>(&event)) {
                receive(end, *got);
            } else if (const auto* moved = std::get_if<transport::Moved>(&event)) {
                WT_CHECK(&end == &server_);
                // Never to where only the replays came from.
                WT_CHECK(moved->address.port >= 1'000);
            }
        }
        for (const transport::AttemptId attempt : questions_) {
            static_cast<void>(server_.endpoint->answer_authorisation(
                now_, {.attempt = attempt, .admitted = true, .player = {1}}));
        }
        questions_.clear();
    }

    void begin(End& end, transport::ConnectionId connection) {
        end.connection = connection;
        end.is_up = true;
        end.sessions.emplace_back();
    }

    // The next one of its lane in the session that it names, unbent.
    void receive(End& end, const transport::Received& got) {
        if (got.delivery != transport::Delivery::reliable_ordered) return;
        End& sender = &end == &server_ ? client_ : server_;
        WT_CHECK(got.bytes.size() >= content_head);
        const Name name{load_u32(got.bytes.data()), load_u32(got.bytes.data() + 4)};
        WT_CHECK(name.session >= 2);
        WT_CHECK(name.session <= sender.sessions.size());
        Line& line = sender.sessions[name.session - 1];
        const auto lane = static_cast<unsigned>(got.lane);
        WT_CHECK(name.number == line.received[lane]);
        WT_CHECK(name.number < line.sent[lane]);
        ++line.received[lane];
        WT_CHECK(got.bytes.size() < content_max);
        const ConstBytes rest = rest_of(name, got.bytes.size() - content_head);
        WT_CHECK(std::equal(rest.begin(), rest.end(), got.bytes.begin() + content_head));
    }

    // The path is whole from now on. 40 s are a timeout of 10, an attempt of 5 and what the longest
    // waits for retransmissions leave of them.
    void heal() {
        const Instant end = now_ + Duration::seconds(40);
        // Once all is well, two keepalives more show whether it stays so.
        Instant well_since = Instant::never();
        while (now_ < end) {
            deliver_all();
            settle();
            if (!is_well()) {
                well_since = Instant::never();
            } else if (well_since == Instant::never()) {
                well_since = now_;
            } else if (now_ > well_since + Duration::millis(2'100)) {
                break;
            }
            if (!client_.is_up && client_.endpoint->pending_count() == 0) connect();
            const Instant next =
                std::min(client_.endpoint->next_deadline(), server_.endpoint->next_deadline());
            now_ = air_.empty() ? std::min(std::max(next, now_ + Duration::millis(1)), end)
                                : now_ + Duration::millis(1);
        }
        deliver_all();
        settle();
        WT_CHECK(client_.is_up);
        WT_CHECK(client_.endpoint->connection_count() == 1);
        if (!server_.is_up) return;
        for (const End* sender : {&client_, &server_})
            WT_CHECK(sender->sessions.back().received == sender->sessions.back().sent);
    }

    // Both are in, nothing is under way and nothing is left to be sent.
    [[nodiscard]] bool is_well() const {
        if (!client_.is_up || !server_.is_up || client_.endpoint->connection_count() != 1)
            return false;
        if (server_.endpoint->pending_count() != 0) return false;
        return client_.sessions.back().received == client_.sessions.back().sent &&
               server_.sessions.back().received == server_.sessions.back().sent;
    }

    fuzz::FuzzBytes input_;
    LuckStream luck_{LuckKey::root(1).with("play")};
    End client_{};
    End server_{};
    std::array<std::uint8_t, transport::datagram_bytes_max> room_{};
    transport::Address server_at_{};
    transport::Address client_at_{};
    std::deque<Flying> air_{};
    std::vector<Flying> seen_{};
    std::vector<transport::AttemptId> questions_{};
    Instant now_ = Instant{} + Duration::seconds(100);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Play(fuzz::FuzzBytes(data, size)).run();
    return 0;
}
