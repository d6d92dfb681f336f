// SPDX-License-Identifier: MIT
#include "bots/mind.hpp"

#include "engine/arena/direction.hpp"
#include "engine/arena/units.hpp"

namespace wt::bots {

namespace {

// A leg of walking lasts three quarters of a second; every eighth is a rest.
constexpr std::uint64_t legs_in_three_seconds = 4;
constexpr std::uint64_t rest_one_in = 8;

// One deed of its kind on average in so many seconds.
constexpr std::uint32_t shot_seconds = 10;
constexpr std::uint32_t push_seconds = 30;
constexpr std::uint32_t pick_up_seconds = 4;
// A shot goes up to 11 degrees wide, drawn: at 12 m one in six hits.
constexpr std::uint32_t aim_error = 128;

// Nobody walks into the wall for long: nearer than this a leg leads to the middle.
constexpr std::int32_t wall_mm = 12'000;

enum Purpose : std::uint64_t { leg_heading = 1, leg_rest, shot, push, pick_up, wide };

bool moves(BehaviourKind kind) {
    return kind != BehaviourKind::idle;
}

bool fights(BehaviourKind kind) {
    return kind == BehaviourKind::fighter;
}

bool is_near_wall(std::int32_t position) {
    return position < arena::millimetres(wall_mm) ||
           position > arena::millimetres(arena::world_mm - wall_mm);
}

}  // namespace

// Whether the deed falls into this tick: each stretch of `seconds` has one, at a drawn tick.
bool Mind::does(std::uint64_t purpose, std::uint64_t tick, Frequency rate,
                std::uint32_t seconds) const {
    const std::uint64_t stretch = std::uint64_t{rate.per_second} * seconds;
    const std::uint64_t at = uniform_below(key_.with(purpose).draw(tick / stretch), stretch);
    return tick % stretch == at;
}

std::uint32_t Mind::heading(std::uint64_t leg, const arena::PlayerState& own) const {
    if (is_near_wall(own.x) || is_near_wall(own.y)) {
        const std::int64_t middle = arena::world_units / 2;
        return arena::angle_of(middle - own.x, middle - own.y);
    }
    return static_cast<std::uint32_t>(uniform_below(key_.with(leg_heading).draw(leg), arena::turn));
}

bool Mind::wants_target(BehaviourKind kind, std::uint64_t tick, Frequency rate) const {
    return fights(kind) &&
           (does(shot, tick, rate, shot_seconds) || does(push, tick, rate, push_seconds));
}

arena::Command Mind::decide(BehaviourKind kind, std::uint64_t tick, Frequency rate,
                            const Sight& sight) const {
    arena::Command command;
    command.aim = sight.own.facing;
    if (!moves(kind)) return command;
    const std::uint64_t leg = tick * legs_in_three_seconds / (std::uint64_t{rate.per_second} * 3);
    const bool rests = uniform_below(key_.with(leg_rest).draw(leg), rest_one_in) == 0;
    if (!rests || sight.was_shoved) {
        const std::uint32_t angle = sight.was_shoved ? sight.shove_angle : heading(leg, sight.own);
        const arena::Direction direction = arena::direction(angle);
        const auto part = [](std::int32_t along) {
            return static_cast<std::int8_t>(along * arena::move_max / arena::direction_one);
        };
        command.move_x = part(direction.x);
        command.move_y = part(direction.y);
        command.aim = static_cast<std::uint16_t>(angle);
    }
    if (!fights(kind)) return command;
    command.pick_up = does(pick_up, tick, rate, pick_up_seconds);
    if (!sight.has_target) return command;
    command.shoot = does(shot, tick, rate, shot_seconds);
    command.push = does(push, tick, rate, push_seconds);
    if (command.shoot || command.push) {
        const std::uint32_t there = arena::angle_of(std::int64_t{sight.target_x} - sight.own.x,
                                                    std::int64_t{sight.target_y} - sight.own.y);
        const std::uint64_t off = uniform_below(key_.with(wide).draw(tick), 2 * aim_error + 1);
        command.aim =
            static_cast<std::uint16_t>((there + arena::turn + off - aim_error) % arena::turn);
    }
    return command;
}

}  // namespace wt::bots
