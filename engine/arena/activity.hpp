// SPDX-License-Identifier: MIT
//
// The arena's objects and what they do all day: a stated share of them wanders, some teleport, some
// vanish while others appear. The README states the model exactly. Luck is drawn by what happens
// (which object, which leg, which turn), never by when something else was drawn; and nothing here
// costs more for a resting object.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/arena/units.hpp"
#include "engine/base/rng.hpp"

namespace wt::arena {

enum class ObjectKind : std::uint8_t { crate, pickup, drone };

inline constexpr std::uint16_t nobody = 0xffff;

struct ActivityConfig {
    std::uint32_t objects = 1'000;
    Chance moving = Chance::percent(10);   // Share of the objects that wander at any time.
    std::uint64_t teleports_per_hour = 0;  // Of each object.
    std::uint64_t spawns_per_hour = 0;     // Of the world; as many vanish.
};

struct ObjectState {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int16_t vx = 0;  // mm/s; 0 at rest.
    std::int16_t vy = 0;
    std::uint16_t facing = 0;
    std::uint16_t owner = nobody;  // Player slot.
    ObjectKind kind = ObjectKind::crate;
    std::uint8_t jumps = 0;         // Counts teleports.
    std::uint32_t incarnation = 0;  // Of all that ever were in this world, from 1.

    friend bool operator==(const ObjectState&, const ObjectState&) = default;
};

class Activity {
public:
    Activity(std::uint64_t seed, const ActivityConfig& config, Frequency rate);

    // Forgets what changed; before everything else in a tick.
    void begin_tick();
    // One tick of wandering, jumping, vanishing.
    void tick();
    void set_owner(std::uint32_t index, std::uint16_t owner);

    [[nodiscard]] std::span<const ObjectState> objects() const { return objects_; }
    // Indices of objects that changed since begin_tick(), each once; the newborn among them.
    [[nodiscard]] std::span<const std::uint32_t> changed() const { return changed_; }
    // Of those, the ones that are new objects in the place of vanished ones.
    [[nodiscard]] std::span<const std::uint32_t> reborn() const { return reborn_; }
    [[nodiscard]] std::uint32_t mover_count() const {
        return static_cast<std::uint32_t>(movers_.size());
    }
    // Kept up to date object by object: the sum does not depend on the order.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

private:
    struct Mover {
        std::uint32_t index = 0;
        std::uint32_t leg = 0;
        std::uint64_t leg_end = 0;  // Elapsed ticks.
    };
    // Something that happens at a steady rate: `credit` grows by its rate each tick.
    struct Pace {
        std::uint64_t per_hour = 0;
        std::uint64_t credit = 0;
        std::uint64_t done = 0;
    };

    [[nodiscard]] bool is_due(Pace& pace) const;
    void birth(std::uint32_t index);
    void start_leg(Mover& mover);
    void move(Mover& mover);
    void change_movers();
    [[nodiscard]] std::uint32_t find_resting(std::uint64_t draw) const;
    void touch(std::uint32_t index);
    void settle_checksum();

    LuckKey key_;
    Frequency rate_;
    std::vector<ObjectState> objects_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint8_t> is_moving_;
    std::vector<std::uint8_t> is_touched_;
    std::vector<Mover> movers_;
    std::vector<std::uint32_t> stopped_;  // Only within change_movers().
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint32_t> reborn_;
    Pace teleports_;
    Pace spawns_;
    std::uint64_t elapsed_ = 0;  // Ticks since the world began, whatever their number was.
    std::uint64_t shifts_ = 0;
    std::uint32_t incarnations_ = 0;
    std::uint64_t checksum_ = 0;
};

}  // namespace wt::arena
