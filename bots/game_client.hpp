// SPDX-License-Identifier: MIT
//
// The client stack in one object: session, replicas, clocks, prediction of the own player, and the
// shown time of everybody else. It plays what a Mind wants. One process, one server at a time.
// Spec: 001, replication and latency hiding; engine/prediction/README.md has the order of a frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "bots/behaviour.hpp"
#include "bots/mind.hpp"
#include "engine/arena/player_simulation.hpp"
#include "engine/arena/schemas.hpp"
#include "engine/prediction/clock_sync.hpp"
#include "engine/prediction/input_history.hpp"
#include "engine/prediction/interpolator.hpp"
#include "engine/prediction/jitter_buffer.hpp"
#include "engine/prediction/lead_controller.hpp"
#include "engine/replication/replica_store.hpp"
#include "engine/session/client_session.hpp"

namespace wt::bots {

// What both ends of a game agree on before they meet: how large its world may be.
struct GameTerms {
    Frequency tick_rate{60};
    Frequency input_rate{60};
    Frequency snapshot_rate{20};
    std::uint32_t objects_max = 2'048;  // Avatars and spare slots included.
};

// Said of the own avatar where there is none.
inline constexpr std::uint16_t no_avatar_slot = 0xffff;

struct GameClientSettings {
    GameTerms terms{};
    std::uint32_t input_repeats = 2;
    // Test hook: a prediction that is wrong by so much each tick.
    std::int32_t broken_by_mm = 0;
    // Test hook: takes the snapshot that follows the last one and no other.
    bool wants_every_snapshot = false;
};

class GameClient {
public:
    explicit GameClient(const GameClientSettings& settings);

    void reset();
    session::ConnectStatus connect(Context& context, const transport::ConnectRequest& request);
    void close(Context& context) { session_.close(context.now, context.endpoint); }
    // False where the event is not the session's: chat, reports.
    bool on_event(Context& context, const transport::Event& event);
    // One presented frame: inputs of the ticks that are due, and what goes with them.
    void frame(Context& context, const Mind& mind, BehaviourKind kind);
    // Another bulk record, please.
    bool ask_for_bulk(Context& context);

    [[nodiscard]] session::State state() const { return session_.state(); }
    [[nodiscard]] transport::ConnectionId connection() const {
        return session_.link().connection();
    }
    [[nodiscard]] const session::ClientSession& session() const { return session_; }
    [[nodiscard]] const replication::ReplicaStore& replicas() const { return store_; }
    [[nodiscard]] const prediction::ReconcilerCounters& predictions() const {
        return reconciler_.counters();
    }
    [[nodiscard]] std::uint64_t bulk_records() const { return bulk_records_; }
    [[nodiscard]] std::uint64_t broken_contents() const { return broken_; }
    [[nodiscard]] std::uint64_t checksum() const;

private:
    using Tick = prediction::Tick;
    struct Made {
        Tick tick = 0;
        Instant at{};
    };

    void drain(Context& context);
    void on_session_event(Context& context, const session::SessionEvent& event);
    void begin(const session::Welcome& welcome);
    [[nodiscard]] bool on_message(Context& context, const session::SessionEvent& event);
    [[nodiscard]] bool on_control(Context& context, replication::ControlKind kind,
                                  ConstBytes bytes);
    [[nodiscard]] bool on_snapshot(Context& context, ConstBytes payload);
    [[nodiscard]] bool apply_block(Context& context, Tick tick, ConstBytes block);
    void note_response(Context& context, const prediction::Feedback& feedback, Tick snapshot);
    void confirm(Context& context, Tick tick, const arena::PlayerState& own);
    void on_bulk(const session::BulkChunk& chunk);
    void make_input(Context& context, const Mind& mind, BehaviourKind kind, Tick tick);
    void predict_to(Tick tick);
    void send_inputs(Context& context, Tick newest_before);
    void send_input(Context& context, prediction::InputMessage& message);
    void ask_for_keyframes(Context& context);
    void look_for_target();
    void note_frame(Context& context) const;
    void note(Context& context, const Fact& fact) const;

    GameClientSettings settings_;
    const replication::SchemaSet& schemas_;
    session::ClientSession session_;
    replication::ReplicaStore store_;
    prediction::ClockSync clock_;
    prediction::LeadController lead_;
    prediction::JitterBuffer jitter_;
    prediction::AppliedTicks applied_ticks_{};
    prediction::InputHistory history_{};
    prediction::Reconciler<arena::PlayerSimulation> reconciler_;
    std::array<Made, 256> made_{};
    Tick newest_tick_ = 0;       // Of the newest applied snapshot; before the first, the welcome's.
    Tick acked_input_ = 0;       // Newest input tick that the server said it used.
    std::uint32_t applied_ = 0;  // Snapshot ticks applied in this epoch, up to two.
    std::uint16_t own_slot_ = no_avatar_slot;  // Of the own avatar; none before it was born.
    std::uint16_t target_slot_ = no_avatar_slot;
    std::uint16_t shove_angle_ = 0;  // Where the last correction pushed the own player,
    Tick shoved_until_ = 0;          // and for how long it goes on that way.
    std::uint64_t frames_ = 0;
    std::uint32_t bulk_asked_ = 0;
    std::uint32_t bulk_sum_ = 0;  // Of the transfer that is coming in.
    std::uint64_t bulk_records_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t checksum_ = 0;
};

// The app block of a snapshot: feedback 14, own avatar's slot 2 (65,535 none), own player 18.
inline constexpr std::size_t app_block_bytes =
    prediction::feedback_bytes + 2 + arena::own_player_bytes;

// How both ends of this game judge messages: the standard kinds and place content.
inline constexpr session::Kind content_kind = static_cast<session::Kind>(session::game_kind_min);
[[nodiscard]] session::KindTable game_kinds();
[[nodiscard]] session::Terms game_terms(const GameTerms& terms,
                                        const replication::SchemaSet& schemas);

}  // namespace wt::bots
