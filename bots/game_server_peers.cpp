// SPDX-License-Identifier: MIT
//
// Who comes, who goes, and what they say.
#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "bots/game_server.hpp"
#include "bots/payloads.hpp"
#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::bots {

using session::SessionEvent;
using transport::Lane;

namespace {

constexpr std::uint8_t content_parts = content_bytes / 1'024;

}  // namespace

void GameServer::on_event(Context& context, const transport::Event& event) {
    Steps steps{*this, context};
    if (session::ServerTick(sessions_, steps).on_event(context.now, context.endpoint, event))
        return;
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        on_other_lane(context, *received);
    }
}

void GameServer::on_session_event(Context& context, const SessionEvent& event) {
    if (event.type == SessionEvent::Type::ticket_refused) {
        if (context.meter != nullptr) context.meter->on_ticket_refused(context.now, event.from);
        return;
    }
    Seat& seat = seats_[event.peer.index];
    switch (event.type) {
        case SessionEvent::Type::synchronizing:
            sit_down(event);
            break;
        case SessionEvent::Type::active:
            begin_play(seat);
            note(context, seat, {.what = Fact::What::session_active, .value = 1});
            break;
        case SessionEvent::Type::message:
            break;  // These come by on_message.
        case SessionEvent::Type::bulk_chunk:
            ++broken_;  // Nobody sends bulk upwards here.
            break;
        case SessionEvent::Type::bulk_sent:
        case SessionEvent::Type::bulk_cancelled:
            break;
        case SessionEvent::Type::closed:
            checksum_ = mix(checksum_ ^ static_cast<std::uint64_t>(event.reason), 13);
            if (seat.is_taken && seat.peer == event.peer) stand_up(seat);
            break;
        case SessionEvent::Type::ticket_refused:
            break;
    }
}

void GameServer::sit_down(const SessionEvent& event) {
    Seat& seat = seats_[event.peer.index];
    WT_CHECK(!seat.is_taken);
    seat.peer = event.peer;
    seat.connection = sessions_.link(event.peer)->connection();
    seat.is_taken = true;
    seat.is_playing = false;
    seat.is_told = false;
    seat.content_left = content_parts;
    seat.transfers = 0;
    seat.inputs.reset();
    // A world that has no tick yet has nothing to tell; the first tick makes it.
    if (table_ == nullptr) make_world(tick_);
    seat.view.reset(*table_, {.player = static_cast<replication::PlayerSlot>(event.peer.index),
                              .everything = settings_.interest_cells == 0,
                              .radius_cells = settings_.interest_cells});
    seat.view.set_fault(settings_.fault);
    start_transfer(seat);
    checksum_ = mix(checksum_ ^ event.player.value, 17);
}

void GameServer::begin_play(Seat& seat) {
    arena_->join(seat.peer.index);
    seat.is_playing = true;
}

void GameServer::stand_up(Seat& seat) {
    if (seat.is_playing) arena_->leave(seat.peer.index);
    seat.view.reset(*table_, {});
    seat.is_taken = false;
    seat.is_playing = false;
}

void GameServer::start_transfer(Seat& seat) {
    // Busy: it asks for more than it may have at once.
    (void)sessions_.start_bulk(seat.peer, ++seat.transfers, join_record_);
}

bool GameServer::on_message(Context& context, const SessionEvent& event) {
    Seat& seat = seats_[event.peer.index];
    switch (event.kind) {
        case session::Kind::input:
            return on_input(context, seat, event.payload);
        case session::Kind::keyframe_request:
            return seat.view.on_keyframe_request(*table_, event.payload) !=
                   replication::RequestStatus::malformed;
        case session::Kind::bulk_request:
            if (event.payload.size() != 4) return false;
            start_transfer(seat);
            return true;
        case session::Kind::game_event:
        case session::Kind::desync_checksum:
            return true;
        case session::Kind::hello:
        case session::Kind::welcome:
        case session::Kind::ready:
        case session::Kind::go:
        case session::Kind::refuse:
        case session::Kind::bye:
        case session::Kind::spawn_batch:
        case session::Kind::despawn_batch:
        case session::Kind::owner:
        case session::Kind::snapshot:
        case session::Kind::bulk_cancel:
            break;  // The session's own, or a server's.
    }
    return false;
}

// False: no client of ours makes such a message.
bool GameServer::on_input(Context& context, Seat& seat, ConstBytes payload) {
    prediction::InputMessage message;
    if (prediction::decode_input(payload, message) != prediction::InputDecode::ok) return false;
    for (std::size_t i = 0; i < message.count; ++i) {
        arena::Command command;
        if (!arena::unpack(message.commands[i], command)) return false;
    }
    if (seat.view.on_ack(*table_, message.ack) == replication::AckStatus::from_future) return false;
    const Duration period = settings_.terms.tick_rate.tick(1) - Instant{};
    const prediction::InputReport report =
        seat.inputs.on_message(context.now, message, {.next = tick_ + 1, .at = tick_at_ + period});
    for (std::uint8_t i = 0; i < report.arrival_count; ++i) {
        note(context, seat,
             {.what = Fact::What::input_margin,
              .value = report.arrivals[i].margin.ns,
              .tick = static_cast<std::uint32_t>(report.arrivals[i].tick)});
    }
    return true;
}

void GameServer::on_other_lane(Context& context, const transport::Received& message) {
    if (message.lane == Lane::state) {
        if (!content_matches(message.bytes)) ++broken_;
        ++reports_;
        return;
    }
    if (message.lane != Lane::chat || message.bytes.size() != chat_bytes ||
        !content_matches(message.bytes)) {
        ++broken_;
        return;
    }
    ++chats_;
    // The view ends with the next call on the endpoint, and we are about to make many.
    std::array<std::uint8_t, chat_bytes> line{};
    std::memcpy(line.data(), message.bytes.data(), line.size());
    for (const Seat& seat : seats_) {
        if (!seat.is_playing) continue;
        (void)context.endpoint.send(
            context.now, seat.connection,
            {.lane = Lane::chat, .bytes = line, .replace_tag = {}, .kind = transport::Kind::chat});
    }
}

void GameServer::leave(Context& context) {
    for (const Seat& seat : seats_) {
        if (seat.is_taken) {
            sessions_.close(context.now, seat.peer, session::EndReason::server_shutdown);
        }
    }
    sessions_.pump(context.now, context.endpoint);
}

}  // namespace wt::bots
