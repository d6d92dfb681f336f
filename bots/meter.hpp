// SPDX-License-Identifier: MIT
//
// What only the game's own parts can say about themselves, for those who measure: nothing ever
// comes back from a meter, and a run is the same with and without one. Ticks are the server's,
// unwrapped, counted from tick 0 of its process; fractions are sixteen bits.
// Spec: 001, debuggability; the figures are defined in scenarios/README.md.
#pragma once

#include <cstdint>

#include "engine/transport/address.hpp"
#include "engine/transport/message.hpp"

namespace wt::bots {

struct Fact {
    enum class What : std::uint8_t {
        session_active,  // By either end: value 1 when its session became Active.
        // By the server, about one peer.
        input_used,       // A tick was simulated: value 1 with its real input, 0 without.
        input_margin,     // An input came for the first time: ns before its cut, negative = late.
        staleness,        // A snapshot was sent: ns since the oldest change not yet in any.
        snapshot_built,   // value: object updates in it, extra: bits they took.
        changed_objects,  // Of one snapshot: value in it, of extra relevant ones that had changed.
        near_avatars,     // Of one snapshot: value in it, of extra nearest ones that had changed.
        ticket_refused,   // Of nobody who is connected: Meter::on_ticket_refused.
        // By the server, about itself (no connection).
        objects_visited,  // By gather and encode in one tick.
        // By a client.
        response,          // An input tick was acknowledged: ns since it was made.
        correction,        // value: mm; extra 1: by a teleport, which has no size.
        baseline_miss,     // A delta without its baseline.
        keyframe_request,  // Sent.
        desync,            // A confirmed state that was not the server's.
    };
    What what = What::input_used;
    std::int64_t value = 0;
    std::int64_t extra = 0;
    std::uint32_t tick = 0;  // Input's or snapshot's, modulo 2^32; 0 where it is about none.
};

// One presented frame of a client that has applied a snapshot in this epoch.
struct Frame {
    bool is_timed = false;          // Whether the two times at the end mean something.
    bool is_shown = false;          // Whether remote objects are shown: from the second one on.
    bool is_starved = false;        // The shown time lies beyond the newest snapshot.
    std::uint64_t newest_tick = 0;  // Of the newest applied snapshot.
    std::int64_t shown = 0;         // Server time of what is shown, in 2^-16 ticks.
    std::int64_t server_time = 0;   // The client's estimate of it, in 2^-16 ticks.
    std::int64_t predicted = 0;     // Time of the predicted own state, in 2^-16 ticks.
};

class Meter {
public:
    virtual ~Meter() = default;

    virtual void on_fact(Instant now, transport::ConnectionId connection, const Fact& fact) = 0;
    virtual void on_frame(Instant now, const Frame& frame) = 0;
    // By the server. Whose address it is, the meter may know.
    virtual void on_ticket_refused(Instant now, const transport::Address& from) = 0;
};

}  // namespace wt::bots
