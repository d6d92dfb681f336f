// SPDX-License-Identifier: MIT
//
// What one link does to datagrams, as the scenario reader hands it to the link model. Plain data,
// integers only; two directions that share nothing but a name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::sim {

struct OpportunityTrace;

// Up is client to server.
enum class Way : std::uint8_t { both, up, down };

// The shape of a measured distribution: its values above the least one, ascending, equally likely
// steps between them. Shared by every link that has it.
struct DelayTable {
    std::vector<std::int64_t> above_least{};
    // What half of the values do not exceed; more than 0.
    [[nodiscard]] std::int64_t median() const { return above_least[(above_least.size() - 1) / 2]; }
};

// Delay added to the floor. Two quantiles fix every two-parameter family; a table has its shape,
// and its median fixes the rest.
struct JitterConfig {
    enum class Kind : std::uint8_t { none, uniform, normal, lognormal, gamma, pareto, table };
    Kind kind = Kind::none;
    Duration width{};  // uniform: 0..width, both ends possible
    Duration p50{};    // the others
    Duration p99{};
    std::string file{};  // table
    std::shared_ptr<const DelayTable> table{};
    Duration drift{};  // How long a value is remembered; 0 = each datagram draws its own.
};

enum class LinkOrder : std::uint8_t {
    keep,  // Arrival never before an earlier datagram of the direction.
    free,
};

// Mean length of a run of losses: none = independent losses.
struct BurstConfig {
    enum class Unit : std::uint8_t { none, packets, time };
    Unit unit = Unit::none;
    std::uint64_t milli_packets = 0;  // Thousandths of a packet.
    Duration time{};
};

// A second state, on the clock, in which loss, delay and rate move together.
struct BadStateConfig {
    Chance share{};   // Of time.
    Duration mean{};  // Exponential lengths with this mean.
    Chance loss{};    // In the bad state, beside the direction's own loss.
    Duration extra_delay{};
    BitRate rate{};  // 0 = the direction's own.
};

struct QueueConfig {
    enum class Unit : std::uint8_t { none, bytes, time, packets };
    Unit unit = Unit::none;
    std::uint64_t bytes = 0;  // UDP payload + 28 each.
    std::uint64_t packets = 0;
    Duration time{};
};

struct DuplicateConfig {
    Chance chance{};
    Duration delay{};
};

struct ReorderConfig {
    Chance chance{};
    Duration by{};  // Chosen datagrams come this much later.
};

struct CorruptConfig {
    enum class Kind : std::uint8_t { flip, truncate, junk };
    Chance chance{};
    Kind kind = Kind::flip;
};

// The medium stands still for `length` of each `every`; what it holds is let go in order.
struct SuspendConfig {
    enum class Side : std::uint8_t {
        receiver,  // What would arrive meanwhile arrives at the end.
        sender,    // What would leave meanwhile leaves, one after another, from the end on.
    };
    Duration every{};  // 0 = never.
    Duration length{};
    Side side = Side::receiver;
};

// Who is dropped, and when. droptail: who comes to a full queue.
enum class Discipline : std::uint8_t { droptail, codel, red, pie, drophead, fq_codel };

// Who leaves next is decided when the line is free, and whoever comes may change it: such a
// direction is asked again at its turns.
[[nodiscard]] constexpr bool judges_at_turns(Discipline discipline) {
    return discipline == Discipline::drophead || discipline == Discipline::fq_codel;
}

// Of fq-codel.
struct FairQueueConfig {
    std::uint32_t buckets = 1'024;  // Flows whose names fall into one bucket share its turn.
    std::uint32_t quantum = 1'514;  // Bytes, 28 a datagram included.
    friend bool operator==(const FairQueueConfig&, const FairQueueConfig&) = default;
};

// A token bucket that drops; 0 = none.
struct PoliceConfig {
    BitRate rate{};
    std::uint64_t burst = 0;  // Bytes, 28 a datagram included.
    friend bool operator==(const PoliceConfig&, const PoliceConfig&) = default;
};

// Each `every` the path moves: nothing passes for `gap`, and the delay is another one afterwards.
struct HandoverConfig {
    Duration every{};  // 0 = never.
    Duration gap{};
    Duration step{};  // Added to the floor until the next one: uniform in 0..step.
    Chance loss{};    // Of what comes in the gap; the rest is held until its end.
};

// A slotted medium: at most `bytes` leave in each slot.
struct SlotConfig {
    Duration every{};  // 0 = no slots.
    std::uint32_t bytes = 0;
};

// How late each datagram of a recorded stream was, in the order of sending; ns, none below 0.
struct LatenessList {
    std::vector<std::int64_t> late{};
    bool wraps = true;  // False: nobody is late any more after the last one.
};

// What a file recorded: instants at which bytes may leave, or how late datagrams came.
struct TraceConfig {
    std::string file{};
    std::shared_ptr<const OpportunityTrace> opportunities{};
    std::shared_ptr<const LatenessList> lateness{};
};

// The n-th datagrams of a direction, from 1: each `every`-th, or those of a list.
struct DropsConfig {
    std::uint64_t every = 0;
    std::vector<std::uint64_t> list{};  // Ascending.
};

enum class CrossKind : std::uint8_t { constant, poisson, onoff, greedy };

// Traffic of others on one direction.
struct CrossConfig {
    std::string name{};
    CrossKind kind = CrossKind::constant;
    BitRate rate{};                // Not of greedy ones.
    std::uint32_t packet = 1'200;  // UDP payload; 28 more on the wire.
    Duration on{};                 // onoff: mean lengths.
    Duration off{};
    Instant start{};
    Instant end = Instant::never();
};

struct DirectionConfig {
    Duration delay{};  // The floor, one way.
    JitterConfig jitter{};
    LinkOrder order = LinkOrder::keep;
    Chance loss{};  // Mean.
    BurstConfig burst{};
    std::optional<BadStateConfig> bad{};
    BitRate rate{};  // 0 = no limit.
    QueueConfig queue{};
    std::uint32_t mtu = 0;       // UDP payload + 28; 0 = none. Larger ones do not pass.
    bool has_mtu_reply = false;  // A router says so; else they vanish.
    DuplicateConfig duplicate{};
    ReorderConfig reorder{};
    CorruptConfig corrupt{};
    SuspendConfig suspend{};
    Discipline discipline = Discipline::droptail;
    FairQueueConfig fair{};
    PoliceConfig police{};
    HandoverConfig handover{};
    SlotConfig slot{};
    TraceConfig trace{};
    DropsConfig drops{};
    std::vector<CrossConfig> cross{};  // Of the link for its whole life: no change touches it.
};

// What a translator gives when it has forgotten a mapping.
enum class RebindKind : std::uint8_t { port, address, both };

// The translator at a link's near end.
struct NatConfig {
    Duration idle{};   // Forgets what has sent nothing for longer; 0 = never.
    Duration every{};  // Forgets everything again and again; 0 = never.
    RebindKind gives = RebindKind::port;
};

// Seed 001's own link simulator: the declared exception to the weather rules.
struct N1Config {
    std::uint64_t delay_us = 0;
    std::uint32_t jitter_us = 0;
    std::uint16_t loss_per_ten_thousand = 0;
    std::uint16_t duplicate_per_ten_thousand = 0;
};

// How many bots come through one instance of a link.
struct ShareConfig {
    enum class Kind : std::uint8_t { each, count, all };
    Kind kind = Kind::each;
    std::uint32_t count = 1;
};

struct LinkConfig {
    std::string name{};
    std::string source{};  // "home-broadband@1", or "this file:12".
    DirectionConfig up{};
    DirectionConfig down{};
    std::optional<N1Config> n1{};  // Both directions; then up and down are ignored.
    std::string via{};             // Name of the next link, or empty.
    ShareConfig share{};
    std::optional<NatConfig> nat{};
};

}  // namespace wt::sim
