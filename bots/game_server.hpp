// SPDX-License-Identifier: MIT
//
// The server stack in one object: sessions, the arena, its objects as the table that is
// replicated, one seat a player. A tick goes the five steps of the document in their order.
// Spec: 001, tick ownership and bounded work.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bots/behaviour.hpp"
#include "bots/game_client.hpp"
#include "bots/ticket_office.hpp"
#include "engine/arena/publisher.hpp"
#include "engine/prediction/server_inputs.hpp"
#include "engine/replication/peer_replication.hpp"
#include "engine/session/server_tick.hpp"

namespace wt::bots {

struct GameServerSettings {
    GameTerms terms{};
    std::uint64_t seed = 1;
    std::uint64_t authority_secret = 0;
    Duration authorisation_delay = Duration::millis(20);
    std::uint32_t peers_max = 64;
    std::uint32_t snapshot_budget = 1'076;  // Bytes of a snapshot message, envelope included.
    session::TicketMemory ticket_memory = session::TicketMemory::survives;
    arena::ActivityConfig activity{};
    std::uint64_t first_epoch = 0;  // Of the first session; 0 = drawn.
    // How far a player sees, in cells of 16 m (and one); 0: the whole world.
    std::uint8_t interest_cells = 0;
    // Test hooks.
    bool reliable_snapshots = false;
    replication::PeerFault fault = replication::PeerFault::none;
};

class GameServer final : public Behaviour {
public:
    explicit GameServer(const GameServerSettings& settings);

    void start(Context& context) override;
    void on_event(Context& context, const transport::Event& event) override;
    void tick(Context& context) override;
    void behave(Context&, std::optional<BehaviourKind>) override {}
    void leave(Context& context) override;
    [[nodiscard]] std::uint64_t state_checksum() const override;
    [[nodiscard]] std::uint64_t objects_visited() const override { return visited_so_far_; }

    [[nodiscard]] const replication::ObjectTable* table() const { return table_.get(); }
    // What the player's peer was told; nullptr where nobody of that name is in.
    [[nodiscard]] const replication::PeerReplication* view_of(transport::PlayerId player) const;

private:
    using Tick = prediction::Tick;
    struct Seat {
        session::PeerHandle peer{};
        transport::ConnectionId connection{};
        bool is_taken = false;    // Agreed: the world is being told.
        bool is_playing = false;  // Active: it has an avatar.
        bool is_told = false;     // The world as it was has been told once; snapshots may come.
        std::uint8_t content_left = 0;
        std::uint32_t transfers = 0;
        prediction::ServerInputs inputs;
        replication::PeerReplication view{};
    };
    // The callbacks of session::ServerTick, with the context of the call that runs them.
    struct Steps {
        GameServer& server;
        Context& context;

        bool on_message(Instant, const session::SessionEvent& event) {
            return server.on_message(context, event);
        }
        void on_session(Instant, const session::SessionEvent& event) {
            server.on_session_event(context, event);
        }
        void simulate(Instant, Tick) { server.simulate(context); }
        void gather(Instant, Tick) { server.publisher_->publish(); }
        void encode(Instant, Tick, session::PeerHandle peer) {
            server.encode(context, server.seats_[peer.index]);
        }
    };

    void take_commands(Context& context);
    void simulate(Context& context);
    void encode(Context& context, Seat& seat);
    void send_control(Context& context, Seat& seat);
    void send_snapshot(Context& context, Seat& seat);

    void make_world(std::uint64_t first_tick);
    void on_session_event(Context& context, const session::SessionEvent& event);
    [[nodiscard]] bool on_message(Context& context, const session::SessionEvent& event);
    [[nodiscard]] bool on_input(Context& context, Seat& seat, ConstBytes payload);
    void on_other_lane(Context& context, const transport::Received& message);
    void sit_down(const session::SessionEvent& event);
    void begin_play(Seat& seat);
    void stand_up(Seat& seat);
    void start_transfer(Seat& seat);
    void note(Context& context, const Seat& seat, const Fact& fact) const;

    GameServerSettings settings_;
    LuckStream epochs_;
    const replication::SchemaSet& schemas_;
    session::ServerSession sessions_;
    std::unique_ptr<arena::Arena> arena_{};
    std::unique_ptr<replication::ObjectTable> table_{};
    std::unique_ptr<arena::Publisher> publisher_{};  // Of the two.
    replication::EncodeScratch scratch_{};
    std::vector<Seat> seats_;  // By peer index, which is the player's slot in the arena too.
    std::vector<arena::PlayerInput> commands_;
    std::vector<std::uint8_t> join_record_;
    std::vector<std::uint8_t> content_;
    std::vector<std::uint8_t> control_;  // Room for one control message,
    std::vector<std::uint8_t> payload_;  // and for one snapshot.
    Tick tick_ = 0;                      // The one that is or was simulated last.
    Instant tick_at_{};
    std::uint64_t visited_ = 0;  // Objects touched by gather and encode in this tick.
    std::uint64_t visited_so_far_ = 0;
    std::uint64_t reports_ = 0;
    std::uint64_t chats_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t checksum_ = 0;
};

}  // namespace wt::bots
