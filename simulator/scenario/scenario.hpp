// SPDX-License-Identifier: MIT
//
// A scenario after reading: parents merged, settings applied, units exact, names resolved. Plain
// data; (Scenario, seed) is a run. The reader fills it, simulator/run turns it into a world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bots/behaviour_kind.hpp"
#include "bots/script.hpp"
#include "engine/base/time.hpp"
#include "engine/base/units.hpp"
#include "engine/secure/config.hpp"
#include "simulator/scenario/act.hpp"
#include "simulator/scenario/problem.hpp"

namespace wt::sim {

// `[scenario] language`: rises when a file would mean something else than before.
inline constexpr std::int64_t language_version = 1;

// Half open: [start, end).
struct Phase {
    std::string name{};
    Instant start{};
    Instant end{};
};

// own: a protocol that the program brings which runs the scenario.
enum class TransportKind : std::uint8_t { secure, loopback, own };
enum class CipherKind : std::uint8_t { chacha20_poly1305, null };

// Declared CPU of the server's host, in virtual time.
struct HostCost {
    Duration datagram{};   // Each one read or sent.
    Duration handshake{};  // Each join with a good cookie.
    Duration object{};     // Each object touched by gather and encode.
};

// What a host's own clock shows besides the world's time.
struct ClockSkew {
    bool is_skewed = false;
    Duration offset{};
    std::int64_t drift_ppm = 0;
};
inline constexpr Duration clock_offset_max = Duration::seconds(3'600);
inline constexpr std::int64_t clock_drift_ppm_max = 100'000;

// Nothing happens on the host for the last `length` of each `every`, from its join on.
struct Stall {
    Duration every{};
    Duration length{};
};

struct ServerSettings {
    Frequency tick_rate{60};
    Frequency input_rate{60};
    Frequency snapshot_rate{20};
    std::uint32_t snapshot_budget = 1'076;  // bytes
    std::uint32_t max_peers = 0;            // 0 = bots + 16
    std::uint32_t pending_joins = 64;
    std::uint32_t receive_buffer = 208 * 1'024;  // bytes
    std::string via{};                           // Link of the server's own uplink, or empty.
    HostCost cost{};
    bool tickets_are_forgotten = false;  // Over a restart: each is good once more.
};

// What runs above the transport: the sample game, or payloads of its sizes and rates that say
// nothing (for figures of the transport alone).
enum class GameKind : std::uint8_t { arena, none };

struct WorldSettings {
    GameKind game = GameKind::arena;
    std::uint32_t objects = 1'000;
    Chance moving = Chance::percent(10);
    std::uint64_t teleports_per_hour = 0;  // Of each object.
    std::uint64_t spawns_per_hour = 0;     // Of the world; as many vanish.
    std::uint8_t interest_cells = 0;       // How far a player sees, in cells; 0 = everything.
};

struct TransportSettings {
    TransportKind kind = TransportKind::secure;
    CipherKind cipher = CipherKind::chacha20_poly1305;
    std::string profile = "default";
    secure::Reliability reliability{};
    Duration flush = Duration::millis(5);  // 0 = at once
    Duration poll = Duration::millis(5);
    Duration authorisation_delay = Duration::millis(20);
    std::uint32_t authorisations_at_once = 64;
    std::uint32_t input_repeats = 2;
    Duration timeout = Duration::seconds(10);
    Duration keepalive = Duration::seconds(1);
    secure::Rebind rebind = secure::Rebind::challenge;
    secure::InitialCounters initial{};
    std::uint32_t initial_tick = 0;   // Number of the server's first tick.
    std::uint64_t initial_epoch = 0;  // Of the first session; 0 = drawn.
};

struct ReconnectSettings {
    Duration after{};
    Duration over{};
    std::uint32_t tries = 1;
};

using bots::BehaviourKind;

struct BotGroup {
    std::string name{};
    std::uint32_t count = 1;
    BehaviourKind behaviour = BehaviourKind::idle;
    std::string link = "default";
    Instant join_at{};
    Duration join_over{};
    Frequency frame_rate{60};
    std::optional<ReconnectSettings> reconnect{};
    ClockSkew clock{};
    std::optional<Stall> stall{};
    std::uint32_t receive_buffer = 208 * 1'024;  // bytes
    std::vector<bots::ScriptStep> script{};      // In the order of time.

    [[nodiscard]] bool is_hostile() const { return bots::is_hostile(behaviour); }
};

// One gate as written; simulator/gates parses `text` (metric statistic comparison bound scope).
struct GateText {
    std::string name{};
    std::string text{};
    Place place{};              // Of the text, quotes included.
    bool verbatim = false;      // Whether the place's columns follow the text's characters.
    std::string source_line{};  // The file's line at `place`.
};

// A path of [vary] and what the seed drew for it.
struct Drawn {
    std::string path{};
    std::string value{};                  // As a scenario would write it.
    std::vector<std::string> extremes{};  // Both ends of a range, or every value of a list.
    Place place{};                        // Of the range.
    std::string source_line{};
};

struct Scenario {
    std::string name{};
    std::string about{};
    std::string file{};
    std::uint64_t seed = 1;
    std::vector<Phase> phases{};
    ServerSettings server{};
    WorldSettings world{};
    TransportSettings transport{};
    std::vector<LinkConfig> links{};  // By name; those that the file defines or uses.
    std::vector<BotGroup> groups{};   // By name.
    std::vector<Act> acts{};          // In file order.
    std::vector<GateText> gates{};    // In file order.
    std::string resolved_text{};      // TOML after parents and settings, for sha256 and --print.
    std::vector<std::string> parents{};
    std::vector<std::string> settings{};  // As given by --set.
    std::string variant{};                // The one that was chosen, or empty.
    std::vector<std::string> variants{};  // Names of all, in file order.
    std::vector<Drawn> drawn{};           // In file order.
    std::vector<Problem> warnings{};

    [[nodiscard]] Instant end() const { return phases.empty() ? Instant{} : phases.back().end; }
    // Bots that play; crooks do not.
    [[nodiscard]] std::uint32_t player_count() const {
        std::uint32_t count = 0;
        for (const BotGroup& group : groups)
            count += group.is_hostile() ? 0 : group.count;
        return count;
    }
    [[nodiscard]] std::uint32_t bot_count() const {
        std::uint32_t count = 0;
        for (const BotGroup& group : groups)
            count += group.count;
        return count;
    }
};

}  // namespace wt::sim
