// SPDX-License-Identifier: MIT
//
// What runs on a host above its endpoint: a bot's behaviour, or the server's application. It sees
// its own clock, its endpoint and its luck; it never sees a link, a scenario or another host.
#pragma once

#include <cstdint>
#include <optional>

#include "bots/behaviour_kind.hpp"
#include "bots/meter.hpp"
#include "engine/base/rng.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::bots {

// What a behaviour may touch during one call. All references outlive the call only.
struct Context {
    Instant now{};           // The host's own clock.
    Instant world_now{};     // What a service elsewhere would say; the same without skew.
    std::uint64_t tick = 0;  // Number of the game tick or frame that runs, or ran last.
    transport::Endpoint& endpoint;
    LuckStream& luck;        // Keyed by (seed, host name, "behaviour").
    Meter* meter = nullptr;  // nullptr: nobody measures.
};

class Behaviour {
public:
    virtual ~Behaviour() = default;

    // The host came up, for the first time or after a kill or restart: forget everything.
    virtual void start(Context& context) = 0;
    // One event of the endpoint, in the order in which the endpoint gave it.
    virtual void on_event(Context& context, const transport::Event& event) = 0;
    // One game tick (server) or frame (bot).
    virtual void tick(Context& context) = 0;
    // Another behaviour from here on, or its own again; `idle` is hands off. Only bots understand.
    virtual void behave(Context& context, std::optional<BehaviourKind> as) = 0;
    // A planned goodbye: close properly.
    virtual void leave(Context& context) = 0;
    // Objects touched so far, for hosts whose work costs time.
    [[nodiscard]] virtual std::uint64_t objects_visited() const { return 0; }
    // Whether it takes events just now; those of an endpoint that nobody drains stay where they
    // are.
    [[nodiscard]] virtual bool takes_events() const { return true; }
    // Everything this behaviour remembers, folded; enters the digest once a second.
    [[nodiscard]] virtual std::uint64_t state_checksum() const = 0;
};

}  // namespace wt::bots
