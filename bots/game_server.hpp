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
#include "engine/arena/arena.hpp"
#include "engine/prediction/server_inputs.hpp"
#include "engine/replication/peer_replication.hpp"
#include "engine/session/server_session.hpp"

namespace wt::bots {

struct GameServerSettings {
    GameTerms terms{};
    std::uint64_t seed = 1;
    std::uint64_t authority_secret = 0;
    Duration authorisation_delay = Duration::millis(20);
    std::uint32_t peers_max = 64;
    std::uint32_t snapshot_budget = 1'076;  // Bytes of a snapshot message, envelope included.
    std::uint32_t initial_sequence = 0;
    session::TicketMemory ticket_memory = session::TicketMemory::survives;
    arena::ActivityConfig activity{};
    // How far a player sees, in cells of 16 m (and one); 0: the whole world.
    std::uint8_t interest_cells = 0;
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

    [[nodiscard]] const session::ServerSession& sessions() const { return sessions_; }
    [[nodiscard]] const arena::Arena* world() const { return arena_.get(); }
    [[nodiscard]] const replication::ObjectTable* table() const { return table_.get(); }
    // What the player's peer was told; nullptr where nobody of that name is in.
    [[nodiscard]] const replication::PeerReplication* view_of(transport::PlayerId player) const;

private:
    using Tick = prediction::Tick;
    struct Seat {
        session::PeerHandle peer{};
        transport::ConnectionId connection{};
        transport::PlayerId player{};
        bool is_taken = false;    // Agreed: the world is being told.
        bool is_playing = false;  // Active: it has an avatar.
        bool is_told = false;     // The world as it was has been told once; snapshots may come.
        std::uint8_t content_left = 0;
        std::uint32_t transfers = 0;
        replication::ObjectId avatar{};
        prediction::ServerInputs inputs;
        replication::PeerReplication view{};
    };
    // Steps of a tick.
    void take_commands(Context& context);
    void simulate();
    void gather();
    void write_objects();
    void write_avatars();
    void send_world(Context& context);
    void send_control(Context& context, Seat& seat);
    void send_snapshot(Context& context, Seat& seat);

    void make_world(std::uint64_t first_tick);
    void drain(Context& context);
    void on_session_event(Context& context, const session::SessionEvent& event);
    [[nodiscard]] bool on_message(Context& context, const session::SessionEvent& event);
    [[nodiscard]] bool on_input(Context& context, Seat& seat, ConstBytes payload);
    void on_other_lane(Context& context, const transport::Received& message);
    void sit_down(const session::SessionEvent& event);
    void begin_play(Seat& seat);
    void stand_up(Seat& seat);
    void spawn_object(std::uint32_t index);
    void note_tickets(Context& context);
    void start_transfer(Seat& seat);
    void note(Context& context, const Seat& seat, const Fact& fact) const;

    GameServerSettings settings_;
    LuckStream epochs_;
    replication::SchemaSet schemas_;
    session::ServerSession sessions_;
    std::unique_ptr<arena::Arena> arena_{};
    std::unique_ptr<replication::ObjectTable> table_{};
    replication::EncodeScratch scratch_{};
    std::vector<Seat> seats_;  // By peer index, which is the player's slot in the arena too.
    std::vector<arena::PlayerInput> commands_;
    std::vector<replication::ObjectId> objects_{};  // By the arena's index; invalid: no slot yet.
    std::vector<std::uint32_t> unborn_{};           // Indices that wait for a slot,
    std::vector<std::uint32_t> newborn_{};          // and those that try again in this tick.
    std::vector<std::uint8_t> join_record_;
    std::vector<std::uint8_t> content_;
    std::vector<std::uint8_t> payload_;
    Tick tick_ = 0;  // The one that is or was simulated last.
    Instant tick_at_{};
    std::uint64_t visited_ = 0;          // Objects touched by gather and encode in this tick.
    std::uint64_t tickets_refused_ = 0;  // As noted so far.
    std::uint64_t reports_ = 0;
    std::uint64_t chats_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t checksum_ = 0;
};

}  // namespace wt::bots
