// SPDX-License-Identifier: MIT
//
// The sample game's world as the server runs it: players from their commands, contacts, pushes,
// shots against what the shooter saw, pickups that change owners, and the objects' own activity.
// A function of (configuration, joins and leaves, commands by tick): no clock, no other luck.
// Bounds: players_max slots; an effect for each player and tick.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/arena/activity.hpp"
#include "engine/arena/contact.hpp"
#include "engine/arena/hit.hpp"
#include "engine/arena/player.hpp"
#include "engine/arena/player_grid.hpp"
#include "engine/prediction/rewind.hpp"

namespace wt::arena {

struct ArenaConfig {
    std::uint64_t seed = 1;
    Frequency tick_rate{60};
    std::uint64_t first_tick = 0;  // Number that the first tick() gets.
    std::uint32_t players_max = 128;
    ActivityConfig activity{};
    Duration rewind_max = Duration::millis(400);
};

inline constexpr std::int32_t pick_up_reach_mm = 1'500;

// One player's wish for one tick. Without a view shots meet the world as it is now.
struct PlayerInput {
    Command command{};
    bool has_view = false;
    prediction::View view{};
};

enum class HappeningKind : std::uint8_t { shot_hit, shot_missed, pushed, died, picked_up };

// What happened in a tick, for reliable messages to those who care.
struct Happening {
    HappeningKind kind = HappeningKind::shot_missed;
    std::uint16_t actor = nobody;
    std::uint16_t target = nobody;  // Player slot.
    std::uint32_t object = 0;       // Index; of picked_up only.
};

struct ArenaCounters {
    std::uint64_t shots = 0;
    std::uint64_t hits = 0;
    std::uint64_t deaths = 0;
    std::uint64_t contacts = 0;
    std::uint64_t pushes = 0;
    std::uint64_t pickups = 0;
};

class Arena {
public:
    explicit Arena(const ArenaConfig& config);

    // A slot must be free to join and taken to leave. What a leaver owned belongs to nobody from
    // the next tick on.
    void join(std::uint32_t slot);
    void leave(std::uint32_t slot);
    // Moves a player by fiat; its client sees a jump.
    void teleport(std::uint32_t slot, std::int32_t x, std::int32_t y);

    // Numbers that are never simulated: the process slept. Only forward.
    void skip_to(std::uint64_t tick);

    // One tick; `inputs` by slot, players_max of them; those of free slots are ignored.
    void tick(std::span<const PlayerInput> inputs);

    // The number of the tick that was simulated last; meaningless before the first.
    [[nodiscard]] std::uint64_t current_tick() const { return next_tick_ - 1; }
    [[nodiscard]] std::uint64_t next_tick() const { return next_tick_; }
    [[nodiscard]] bool is_playing(std::uint32_t slot) const { return playing_[slot] != 0; }
    // Counts the joins of a slot.
    [[nodiscard]] std::uint32_t visit(std::uint32_t slot) const { return visits_[slot]; }
    [[nodiscard]] const PlayerState& player(std::uint32_t slot) const { return players_[slot]; }
    [[nodiscard]] std::uint32_t slot_count() const {
        return static_cast<std::uint32_t>(players_.size());
    }
    [[nodiscard]] std::span<const ObjectState> objects() const { return activity_.objects(); }
    // Objects that changed (moved, jumped, changed hands) or were replaced in this tick.
    [[nodiscard]] std::span<const std::uint32_t> changed() const { return activity_.changed(); }
    [[nodiscard]] std::span<const std::uint32_t> reborn() const { return activity_.reborn(); }
    [[nodiscard]] std::uint32_t mover_count() const { return activity_.mover_count(); }
    [[nodiscard]] std::span<const Happening> happenings() const { return happenings_; }
    [[nodiscard]] const ArenaCounters& counters() const { return counters_; }
    [[nodiscard]] const prediction::RewindCounters& rewind_counters() const {
        return poses_.counters();
    }
    // Of everything that a tick depends on, cost proportional to the players.
    [[nodiscard]] std::uint64_t state_checksum() const;

private:
    void move_players(std::span<const PlayerInput> inputs);
    void touch_players();
    void push_others(std::uint32_t slot);
    void shoot(std::uint32_t slot, const PlayerInput& input);
    void damage(std::uint32_t shooter, std::uint32_t target);
    void pick_up(std::uint32_t slot);
    void disown(std::uint32_t slot);
    void place(std::uint32_t slot);
    void record_poses();
    void note(const Happening& happening);

    ArenaConfig config_;
    LuckKey key_;
    Activity activity_;
    std::vector<PlayerState> players_;
    std::vector<std::uint8_t> playing_;
    std::vector<std::uint32_t> places_;  // Joins and deaths: names the luck of a spawn place.
    std::vector<std::uint32_t> visits_;
    std::vector<std::uint32_t> pose_cuts_;
    std::vector<Deeds> deeds_;
    std::vector<Shove> shoves_;
    std::vector<Happening> happenings_;
    std::vector<std::uint32_t> leavers_;  // Since the last tick.
    PlayerGrid grid_;
    prediction::PoseHistory poses_;
    std::uint64_t next_tick_ = 0;
    bool has_ticked_ = false;
    ArenaCounters counters_;
};

}  // namespace wt::arena
