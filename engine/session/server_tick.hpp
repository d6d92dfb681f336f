// SPDX-License-Identifier: MIT
//
// The authoritative tick as five steps in their order. The game is a callback at each; nothing else
// moves it, and nothing of a session changes outside of these calls.  Spec: 001, tick ownership.
#pragma once

#include <concepts>

#include "engine/session/server_session.hpp"

namespace wt::session {

// What a game does at each step. `on_message` says whether the payload is good: only then do the
// peer's sequence window and budgets move.
template <class G>
concept ServerGame = requires(G game, Instant now, const SessionEvent& event, PeerHandle peer,
                              std::uint64_t tick) {
    { game.on_message(now, event) } -> std::same_as<bool>;
    game.on_session(now, event);   // Every other kind of event.
    game.simulate(now, tick);      // Consumes the tick's commands; the world moves once.
    game.gather(now, tick);        // What changed, quantised once for all peers.
    game.encode(now, tick, peer);  // One peer's batches, into sessions.send.
};

template <ServerGame Game>
class ServerTick {
public:
    ServerTick(ServerSession& sessions, Game& game) : sessions_(sessions), game_(game) {}

    void run(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
        begin(now, endpoint, tick);
        poll(now, endpoint);  // 1. Poll, within the ingress budgets.
                              // 2. Each message is checked before anything changes.
        finish(now, endpoint, tick);
    }

    // The same for drivers that drain the endpoint themselves and bring its events by on_event.
    void run_drained(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
        begin(now, endpoint, tick);
        finish(now, endpoint, tick);
    }
    // Steps 1 and 2 of such a driver. False: not the session's event.
    bool on_event(Instant now, transport::Endpoint& endpoint, const transport::Event& event) {
        const bool is_ours = sessions_.on_event(now, endpoint, event);
        tell_game(now);
        return is_ours;
    }

private:
    void begin(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
        sessions_.begin_tick(now, endpoint, tick);
        tell_game(now);
    }

    void finish(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
        game_.simulate(now, tick);  // 3. Consume the tick's commands, simulate once.
        game_.gather(now, tick);    // 4. Gather once; filter and prioritise for each peer.
        encode_and_pump(now, endpoint, tick);  // 5. Bounded batches, under the byte budgets.
    }

    void poll(Instant now, transport::Endpoint& endpoint) {
        transport::Event event;
        // What the budgets leave in the endpoint is the next tick's.
        while (sessions_.has_ingress_budget() && endpoint.next_event(event))
            on_event(now, endpoint, event);
    }

    void encode_and_pump(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
        // Whoever comes first changes with each tick.
        sessions_.for_each_peer([&](PeerHandle peer) { game_.encode(now, tick, peer); });
        sessions_.pump(now, endpoint);
        tell_game(now);
    }

    void tell_game(Instant now) {
        SessionEvent event;
        while (sessions_.next_event(event)) {
            if (event.type != SessionEvent::Type::message) {
                game_.on_session(now, event);
            } else if (game_.on_message(now, event)) {
                sessions_.accept();
            } else {
                sessions_.refuse(Stage::payload);
            }
        }
    }

    ServerSession& sessions_;
    Game& game_;
};

}  // namespace wt::session
