// SPDX-License-Identifier: MIT
//
// A protocol of somebody else, and the program that runs it in the simulator. Hello until welcome,
// then a ping each 100 ms; whoever is silent for 3 s is gone.
// Wire: kind (1), number of the ping (4, little endian).
#include <array>
#include <cstdio>
#include <deque>
#include <iterator>
#include <map>

#include "engine/transport/simple_endpoint.hpp"
#include "simulator/own/own_run.hpp"

namespace {

using namespace wt;
using namespace wt::transport;

enum class Word : std::uint8_t { hello = 1, welcome, ping, pong };
constexpr std::size_t datagram_bytes = 5;
constexpr Duration ping_interval = Duration::millis(100);
constexpr Duration silence_max = Duration::seconds(3);

class PingEnd final : public SimpleEndpoint {
public:
    explicit PingEnd(bool is_server) : is_server_(is_server) {}

    void receive(Instant now, const Address& from, ConstBytes bytes, const Label&) override {
        if (bytes.size() != datagram_bytes) return count().count(Refusal::too_short);
        const Word word = static_cast<Word>(bytes[0]);
        const std::uint32_t number = load_u32(bytes.data() + 1);
        if ((word == Word::hello || word == Word::ping) != is_server_)
            return count().count(Refusal::unexpected);
        if (word == Word::hello && peers_.count(from) == 0) welcome(open(now, from));
        const auto found = peers_.find(from);
        if (found == peers_.end()) return count().count(Refusal::unknown_source);
        Peer& peer = found->second;
        peer.heard = now;
        if (is_server_) {
            replies_.push_back({word == Word::hello ? Word::welcome : Word::pong, number, from});
        } else if (word == Word::welcome) {
            if (peer.is_asking) welcome(peer);
        } else if (word == Word::pong) {
            say(Sample{.connection = peer.id, .value = (now - sent_[number % sent_.size()]).ns});
        }
    }
    void advance(Instant now) override {
        for (auto at = peers_.begin(); at != peers_.end();) {
            const bool is_silent = at->second.heard + silence_max <= now;
            at = is_silent ? end(at, CloseReason::timed_out) : std::next(at);
        }
    }
    ConnectStatus connect(Instant now, const ConnectRequest& request) override {
        if (is_server_) return ConnectStatus::unsupported;
        if (!peers_.empty()) return ConnectStatus::busy;
        open(now, request.server).next_send = now;
        return ConnectStatus::ok;
    }
    bool close(Instant, ConnectionId id, CloseReason reason) override {
        for (auto at = peers_.begin(); at != peers_.end(); ++at) {
            if (at->second.id != id) continue;
            end(at, reason);
            return true;
        }
        return false;
    }
    void restart(Instant) override {
        forget();
        peers_.clear();
        replies_.clear();
    }
    bool next_datagram(Instant now, Datagram& out) override {
        if (!is_server_ && !peers_.empty() && peers_.begin()->second.next_send <= now) {
            auto& [server, peer] = *peers_.begin();
            peer.next_send = now + ping_interval;
            sent_[++number_ % sent_.size()] = now;
            out.label.add(peer.is_asking ? Kind::handshake : Kind::keepalive);
            replies_.push_back({peer.is_asking ? Word::hello : Word::ping, number_, server});
        }
        if (replies_.empty()) return false;
        out.room[0] = static_cast<std::uint8_t>(replies_.front().word);
        store_u32(out.room.data() + 1, replies_.front().number);
        out.size = datagram_bytes;
        out.to = replies_.front().to;
        replies_.pop_front();
        return true;
    }
    Instant next_deadline() const override {
        Instant next = Instant::never();
        for (const auto& [address, peer] : peers_)
            next = std::min({next, peer.heard + silence_max, peer.next_send});
        return next;
    }

private:
    struct Peer {
        ConnectionId id{};
        Address address{};
        Instant heard{};
        Instant next_send = Instant::never();
        bool is_asking = true;
    };
    struct Reply {
        Word word = Word::pong;
        std::uint32_t number = 0;
        Address to{};
    };
    using Peers = std::map<Address, Peer>;

    Peer& open(Instant now, const Address& address) {
        const ConnectionId id{opened_++, 1};
        return peers_[address] = {.id = id, .address = address, .heard = now};
    }
    void welcome(Peer& peer) {
        peer.is_asking = false;
        say(Connected{.connection = peer.id, .address = peer.address});
    }
    Peers::iterator end(Peers::iterator at, CloseReason reason) {
        say(Closed{at->second.id, reason, !at->second.is_asking});
        return peers_.erase(at);
    }

    bool is_server_;
    std::uint32_t opened_ = 0;
    std::uint32_t number_ = 0;
    Peers peers_{};  // A client's only one is its server.
    std::deque<Reply> replies_{};
    std::array<Instant, 256> sent_{};  // By the ping's number.
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const sim::OwnProtocol pings{[](Entropy) { return std::make_unique<PingEnd>(true); },
                                 [](Entropy) { return std::make_unique<PingEnd>(false); }};
    const sim::OwnRunResult result =
        sim::run_own(argv[1], pings, {.settings = {argv + 2, argv + argc}});
    std::fputs(result.text.c_str(), stdout);
    return result.exit_code;
}
