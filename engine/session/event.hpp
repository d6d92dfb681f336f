// SPDX-License-Identifier: MIT
//
// What comes out of a session.
#pragma once

#include "engine/base/ids.hpp"
#include "engine/session/bulk.hpp"
#include "engine/session/kinds.hpp"
#include "engine/session/negotiation.hpp"
#include "engine/transport/address.hpp"
#include "engine/transport/message.hpp"

namespace wt::session {

// One session of one peer: stale as soon as it has ended, also when the player comes back.
using PeerHandle = Handle<struct PeerTag>;

struct SessionEvent {
    enum class Type : std::uint8_t {
        synchronizing,   // Agreed. Server: send the world. Client: `welcome` holds.
        active,          // Both ends may play.
        message,         // Checked up to its payload; see accept and refuse.
        bulk_chunk,      // Bytes of a transfer, in order.
        bulk_sent,       // Ours went out whole; its source is free.
        bulk_cancelled,  // By the other end, in either direction; a source is free.
        closed,          // The handle is stale from here on.
        ticket_refused,  // Server: of somebody at `from`, who is no peer yet.
    };

    Type type = Type::closed;
    PeerHandle peer{};
    transport::PlayerId player{};
    // message
    Channel channel = Channel::control;
    Kind kind = Kind::game_event;
    std::uint32_t sequence = 0;
    std::uint32_t tick = 0;  // Of kinds that have one; else 0.
    ConstBytes payload{};    // Valid until the next call on session or endpoint.
    // bulk_*: likewise valid
    BulkChunk bulk{};
    // synchronizing, client
    Welcome welcome{};
    // closed
    EndReason reason = EndReason::none;
    transport::CloseReason transport_reason = transport::CloseReason::none;
    // ticket_refused: where it came from. What is seen there may be forged.
    transport::Address from{};
};

enum class SendStatus : std::uint8_t {
    ok,
    replaced,     // Ok, and a snapshot that never left is gone.
    backlogged,   // The channel's places are full; nothing changed, try next tick.
    too_large,    // Above the agreed bound, or the kind's.
    not_ready,    // No such peer, or its state is too early or too late.
    not_allowed,  // Unknown kind, not ours to send, or not on this channel.
    out_of_place  // A batch that does not continue its set.
};

}  // namespace wt::session
