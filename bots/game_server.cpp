// SPDX-License-Identifier: MIT
//
// The tick, and the world that it tells. game_server_peers.cpp has who comes and what they say.
#include "bots/game_server.hpp"

#include <algorithm>

#include "bots/payloads.hpp"
#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::bots {

using session::PeerHandle;
using session::SendStatus;

namespace {

constexpr std::size_t content_part_bytes = 1'024;

session::ServerConfig session_config(const GameServerSettings& settings,
                                     const replication::SchemaSet& schemas) {
    session::ServerConfig config;
    config.kinds = game_kinds();
    config.terms = game_terms(settings.terms, schemas);
    config.limits.peers_max = settings.peers_max;
    config.allow_unauthenticated = true;
    config.authority = TicketOffice(settings.authority_secret).authority();
    config.audience = TicketOffice::audience;
    config.authorisation_delay = settings.authorisation_delay;
    config.ticket_memory = settings.ticket_memory;
    config.first_epoch = settings.first_epoch;
    config.peek.function = [](const void*, session::Kind, ConstBytes payload, std::uint32_t& tick) {
        return prediction::peek_input_tick(payload, tick);
    };
    return config;
}

prediction::ServerInputsConfig inputs_config(const GameTerms& terms) {
    return {.tick_rate = terms.tick_rate,
            .repeat_mask = arena::repeatable_bits,
            .neutral = arena::pack({})};
}

}  // namespace

GameServer::GameServer(const GameServerSettings& settings)
    : settings_(settings),
      epochs_(LuckKey::root(settings.seed).with("session epochs")),
      schemas_(arena::schemas()),
      sessions_(session_config(settings, schemas_), Entropy::from_luck(epochs_)),
      seats_(settings.peers_max,
             Seat{.inputs = prediction::ServerInputs(inputs_config(settings.terms))}),
      commands_(settings.peers_max),
      join_record_(join_record_bytes),
      content_(content_bytes),
      control_(replication::control_bytes_max),
      payload_(settings.snapshot_budget - session::envelope_header_bytes) {
    WT_CHECK(settings.snapshot_budget > session::envelope_header_bytes);
    fill_content(join_record_, settings.authority_secret ^ 1);
    for (std::size_t at = 0; at < content_.size(); at += content_part_bytes)
        fill_content(MutableBytes(content_).subspan(at, content_part_bytes), at + 2);
}

void GameServer::start(Context& context) {
    sessions_.reset(context.now);
    publisher_.reset();
    arena_.reset();
    table_.reset();
    for (Seat& seat : seats_)
        seat = Seat{.inputs = prediction::ServerInputs(inputs_config(settings_.terms))};
    checksum_ = 0;
}

// The world begins with the first tick that this process runs.
void GameServer::make_world(std::uint64_t first_tick) {
    arena::ArenaConfig config;
    config.seed = settings_.seed;
    config.tick_rate = settings_.terms.tick_rate;
    config.first_tick = first_tick;
    config.players_max = settings_.peers_max;
    config.activity = settings_.activity;
    arena_ = std::make_unique<arena::Arena>(config);
    table_ = std::make_unique<replication::ObjectTable>(
        schemas_, replication::TableConfig{.objects_max = settings_.terms.objects_max});
    publisher_ = std::make_unique<arena::Publisher>(*arena_, *table_);
}

void GameServer::tick(Context& context) {
    if (arena_ == nullptr) make_world(context.tick);
    tick_ = context.tick;
    tick_at_ = context.now;
    visited_ = 0;
    Steps steps{*this, context};
    session::ServerTick(sessions_, steps).run_drained(context.now, context.endpoint, tick_);
    visited_so_far_ += visited_;
    if (context.meter == nullptr) return;
    context.meter->on_fact(
        context.now, {},
        {.what = Fact::What::objects_visited, .value = static_cast<std::int64_t>(visited_)});
}

void GameServer::take_commands(Context& context) {
    for (std::uint32_t slot = 0; slot < seats_.size(); ++slot) {
        commands_[slot] = {};
        Seat& seat = seats_[slot];
        if (!seat.is_playing) continue;
        ++visited_;
        // Counted from the first accepted input's tick on.
        const std::uint64_t counted = seat.inputs.counters().ticks;
        const prediction::TakenInput taken = seat.inputs.take(tick_);
        // Words that no client of ours makes never got in.
        (void)arena::unpack(taken.command, commands_[slot].command);
        commands_[slot].has_view = taken.has_view;
        commands_[slot].view = taken.view;
        if (seat.inputs.counters().ticks != counted) {
            note(context, seat,
                 {.what = Fact::What::input_used,
                  .value = taken.was_real ? 1 : 0,
                  .tick = static_cast<std::uint32_t>(tick_)});
        }
    }
}

void GameServer::simulate(Context& context) {
    take_commands(context);
    // Ticks that fell into a pause of the process never happened.
    arena_->skip_to(tick_);
    arena_->tick(commands_);
    visited_ += arena_->changed().size();
}

void GameServer::encode(Context& context, Seat& seat) {
    if (!seat.is_taken) return;
    const std::uint32_t slot = seat.peer.index;
    replication::Viewpoint from{0x8000, 0x8000};  // The middle, for who only looks on.
    if (seat.is_playing) {
        const arena::PlayerState& own = arena_->player(slot);
        from = {arena::to_quanta(own.x), arena::to_quanta(own.y)};
    }
    seat.view.update_interest(*table_, from);
    visited_ += seat.view.visited();
    send_control(context, seat);
    // Spread over the ticks between two snapshots: a third of the peers each at 60 and 20 Hz.
    const std::uint64_t every =
        settings_.terms.tick_rate.per_second / settings_.terms.snapshot_rate.per_second;
    if ((tick_ + slot) % every == 0 && seat.is_told) send_snapshot(context, seat);
}

void GameServer::send_control(Context& context, Seat& seat) {
    const auto tick = static_cast<std::uint32_t>(tick_);
    for (; seat.content_left > 0; --seat.content_left) {
        const std::size_t at = content_.size() - seat.content_left * content_part_bytes;
        const ConstBytes part = ConstBytes(content_).subspan(at, content_part_bytes);
        if (sessions_.send(context.now, seat.peer, content_kind, tick, part) != SendStatus::ok) {
            return;
        }
    }
    const MutableBytes room(control_);
    replication::ControlMessage message;
    while (seat.view.next_control(*table_, room, message)) {
        static constexpr std::array kinds{session::Kind::spawn_batch, session::Kind::despawn_batch,
                                          session::Kind::owner};
        const session::Kind kind = kinds[static_cast<unsigned>(message.kind)];
        const ConstBytes bytes{room.data(), message.bytes};
        // No place: it is built again next tick, perhaps otherwise.
        if (sessions_.send(context.now, seat.peer, kind, tick, bytes) != SendStatus::ok) return;
        seat.view.commit_control(*table_);
    }
    seat.is_told = seat.is_told || seat.view.relevant().count() == seat.view.live().count();
}

void GameServer::send_snapshot(Context& context, Seat& seat) {
    std::array<std::uint8_t, app_block_bytes> block{};
    const MutableBytes room(block);
    const prediction::Feedback feedback = seat.inputs.feedback(context.now, tick_);
    (void)prediction::encode_feedback(feedback, room);
    const replication::ObjectId avatar = publisher_->avatar_id(seat.peer.index);
    const bool has_own = seat.is_playing && avatar.is_valid();
    store_u16(block.data() + prediction::feedback_bytes, has_own ? avatar.slot : no_avatar_slot);
    if (has_own) {
        (void)arena::encode_own(arena_->player(seat.peer.index),
                                room.subspan(prediction::feedback_bytes + 2));
    }
    const replication::EncodeResult result = seat.view.encode(
        *table_, scratch_, {.app_block = block, .counts_near = context.meter != nullptr}, payload_);
    visited_ += result.visited;
    if (result.bytes == 0) return;
    (void)sessions_.send(context.now, seat.peer, session::Kind::snapshot,
                         static_cast<std::uint32_t>(tick_),
                         ConstBytes(payload_).first(result.bytes));
    if (settings_.reliable_snapshots) {
        (void)context.endpoint.send(context.now, seat.connection,
                                    {.lane = transport::Lane::free_7,
                                     .bytes = ConstBytes(payload_).first(result.bytes),
                                     .replace_tag = {}});
    }
    if (context.meter == nullptr || !seat.is_playing) return;
    const std::int64_t waiting = result.objects + std::int64_t{result.left};
    const Duration stalest = settings_.terms.tick_rate.tick(result.stalest_ticks) - Instant{};
    note(context, seat, {.what = Fact::What::staleness, .value = stalest.ns});
    note(context, seat,
         {.what = Fact::What::snapshot_built,
          .value = result.objects,
          .extra = result.object_bits,
          .tick = static_cast<std::uint32_t>(tick_)});
    note(context, seat,
         {.what = Fact::What::changed_objects, .value = result.objects, .extra = waiting});
    note(context, seat,
         {.what = Fact::What::near_avatars,
          .value = result.near_objects,
          .extra = result.near_waiting});
}

void GameServer::note(Context& context, const Seat& seat, const Fact& fact) const {
    if (context.meter != nullptr) context.meter->on_fact(context.now, seat.connection, fact);
}

const replication::PeerReplication* GameServer::view_of(transport::PlayerId player) const {
    for (const Seat& seat : seats_) {
        if (seat.is_taken && sessions_.player(seat.peer) == player) return &seat.view;
    }
    return nullptr;
}

std::uint64_t GameServer::state_checksum() const {
    std::uint64_t sum = mix(checksum_ ^ reports_, broken_ + 1);
    if (arena_ != nullptr) sum = mix(sum ^ arena_->state_checksum(), chats_ + 1);
    return mix(sum ^ sessions_.peer_count(), tick_ + 1);
}

}  // namespace wt::bots
