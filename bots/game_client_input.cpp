// SPDX-License-Identifier: MIT
//
// Inputs: one command for each predicted tick, the newest few in each message.
#include "bots/game_client.hpp"
#include "engine/prediction/replica_track.hpp"

namespace wt::bots {

namespace {

// How often the nearest avatar is looked for anew, and how far a fighter looks.
constexpr std::uint64_t target_frames = 15;
constexpr std::int32_t target_reach_mm = 35'000;

}  // namespace

void GameClient::make_input(Context& context, const Mind& mind, BehaviourKind kind, Tick tick) {
    const Frequency rate = settings_.terms.tick_rate;
    Sight sight;
    prediction::View view;
    const bool is_playing = reconciler_.is_started();
    if (is_playing) {
        // After a resync ticks come a second time; what was said of them stands.
        if (tick <= reconciler_.newest()) return;
        predict_to(tick);
        sight.own = reconciler_.state();
        sight.was_shoved = tick <= shoved_until_;
        sight.shove_angle = shove_angle_;
    }
    if (is_playing && mind.wants_target(kind, tick, rate)) {
        look_for_target();
        replication::ReplicaView replica;
        if (target_slot_ != no_avatar_slot && store_.find_slot(target_slot_, replica)) {
            // An avatar that was spawned has a state.
            prediction::VersionPair room;
            const prediction::Track track{
                .versions = prediction::versions_around(store_, replica, newest_tick_,
                                                        jitter_.shown(), room)};
            const prediction::Shown shown =
                prediction::show(track, {.applied = applied_ticks_},
                                 arena::pose_fields(arena::avatar_kind), jitter_.shown());
            view = shown.view;
            sight.has_target = true;
            sight.target_x = shown.pose.x * (arena::quantum_units / prediction::pose_one);
            sight.target_y = shown.pose.y * (arena::quantum_units / prediction::pose_one);
        }
    }
    const arena::Command command = mind.decide(kind, tick, rate, sight);
    const bool needs_view = command.shoot && sight.has_target;
    history_.record(tick, arena::pack(command), needs_view ? &view : nullptr);
    made_[tick % made_.size()] = {tick, context.now};
    if (is_playing) (void)reconciler_.predict(tick, command);
}

// Ticks that no input was made for: before the first, or skipped by a client that slept. The
// server stands still for us there, sooner or later; what differs comes as a correction.
void GameClient::predict_to(Tick tick) {
    while (reconciler_.newest() + 1 < tick) {
        arena::Command nothing;
        nothing.aim = reconciler_.state().facing;
        if (reconciler_.predict(reconciler_.newest() + 1, nothing)) continue;
        const arena::PlayerState own = reconciler_.state();
        reconciler_.start(tick - 1, own);
    }
}

void GameClient::send_inputs(Context& context, Tick newest_before) {
    const std::uint32_t ratio =
        settings_.terms.tick_rate.per_second / settings_.terms.input_rate.per_second;
    // Slower inputs than ticks: a message when a multiple was passed, with all since the last.
    if (lead_.newest_made() / ratio == newest_before / ratio) return;
    prediction::InputMessage message;
    while (history_.next_message(std::size_t{settings_.input_repeats} * ratio, message)) {
        send_input(context, message);
        message = {};
    }
}

void GameClient::send_input(Context& context, prediction::InputMessage& message) {
    message.ack = store_.ack();
    message.client_clock_us = prediction::ClockSync::wire_clock(context.now);
    std::array<std::uint8_t, prediction::input_bytes_max> room{};
    const std::size_t bytes = prediction::encode_input(message, room);
    // Full: the next tick's message repeats what this one would have said.
    (void)session_.send(context.now, session::Kind::input, message.newest_tick,
                        ConstBytes{room.data(), bytes});
}

void GameClient::look_for_target() {
    if (frames_ % target_frames != 0 && target_slot_ != no_avatar_slot) return;
    const arena::PlayerState& own = reconciler_.state();
    std::int64_t nearest = std::int64_t{target_reach_mm} * arena::units_per_mm;
    nearest *= nearest;
    target_slot_ = no_avatar_slot;
    store_.visit([&](const replication::ReplicaView& replica) {
        if (replica.kind != arena::avatar_kind || replica.id.slot == own_slot_) return;
        const prediction::Pose pose =
            prediction::pose_of(*replica.state, arena::pose_fields(arena::avatar_kind));
        const std::int64_t unit = arena::quantum_units / prediction::pose_one;
        const std::int64_t dx = pose.x * unit - own.x;
        const std::int64_t dy = pose.y * unit - own.y;
        if (dx * dx + dy * dy >= nearest) return;
        nearest = dx * dx + dy * dy;
        target_slot_ = replica.id.slot;
    });
}

}  // namespace wt::bots
