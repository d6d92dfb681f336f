// SPDX-License-Identifier: MIT
#include "engine/arena/arena.hpp"

#include <algorithm>

#include "engine/arena/direction.hpp"
#include "engine/arena/schemas.hpp"
#include "engine/base/check.hpp"

namespace wt::arena {

namespace {

prediction::RewindConfig rewind_config(const ArenaConfig& config) {
    const std::int64_t bound = prediction::ticks_in(config.rewind_max, config.tick_rate).q16;
    // What the history has beyond the bound serves blends that began before it; never less than
    // twelve ticks, five lost snapshots in a row at 128 Hz.
    constexpr std::uint32_t longest = prediction::PoseHistory::history - 1;
    const std::uint32_t ticks =
        std::min(static_cast<std::uint32_t>(bound / prediction::tick_one), longest - 12);
    return {.slots = config.players_max,
            .ticks_max = ticks,
            .span_max = longest - ticks,
            .beyond_max = ticks_of_ms(100, config.tick_rate),
            .angle_bits = facing_bits};
}

// Spawn places keep clear of the walls.
std::int32_t spawn_place(std::uint64_t draw) {
    constexpr std::int32_t border = millimetres(4'000);
    return border + static_cast<std::int32_t>(uniform_below(draw, world_units - 2 * border));
}

}  // namespace

Arena::Arena(const ArenaConfig& config)
    : config_(config),
      key_(LuckKey::root(config.seed).with("arena players")),
      activity_(config.seed, config.activity, config.tick_rate),
      players_(config.players_max),
      playing_(config.players_max, 0),
      places_(config.players_max, 0),
      visits_(config.players_max, 0),
      pose_cuts_(config.players_max, 0),
      deeds_(config.players_max),
      shoves_(config.players_max),
      grid_(config.players_max),
      poses_(rewind_config(config)),
      next_tick_(config.first_tick) {
    WT_CHECK(config.tick_rate.per_second >= tick_rate_min);
    WT_CHECK(config.tick_rate.per_second <= tick_rate_max);
    WT_CHECK(config.players_max < nobody);
    // Each player: a push at everybody near is bounded by what note() keeps.
    happenings_.reserve(std::size_t{config.players_max} * 4);
    leavers_.reserve(config.players_max);
}

void Arena::join(std::uint32_t slot) {
    WT_CHECK(slot < slot_count());
    WT_CHECK(playing_[slot] == 0);
    playing_[slot] = 1;
    ++visits_[slot];
    players_[slot] = {};
    place(slot);
}

void Arena::leave(std::uint32_t slot) {
    WT_CHECK(slot < slot_count());
    WT_CHECK(playing_[slot] != 0);
    playing_[slot] = 0;
    leavers_.push_back(slot);
}

void Arena::disown(std::uint32_t slot) {
    const std::span<const ObjectState> all = objects();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].owner == slot) activity_.set_owner(i, nobody);
    }
}

void Arena::place(std::uint32_t slot) {
    ++places_[slot];
    ++pose_cuts_[slot];
    const LuckKey key = key_.with(slot).with(places_[slot]);
    PlayerState& player = players_[slot];
    player.x = spawn_place(key.draw(0));
    player.y = spawn_place(key.draw(1));
    player.vx = 0;
    player.vy = 0;
    player.health = health_max;
    keep_inside(player);
}

void Arena::teleport(std::uint32_t slot, std::int32_t x, std::int32_t y) {
    WT_CHECK(is_playing(slot));
    PlayerState& player = players_[slot];
    player.x = std::clamp(x, 0, world_units - 1);
    player.y = std::clamp(y, 0, world_units - 1);
    player.vx = 0;
    player.vy = 0;
    ++player.jumps;
    ++pose_cuts_[slot];
    keep_inside(player);
}

void Arena::skip_to(std::uint64_t tick) {
    WT_CHECK(tick >= next_tick_);
    next_tick_ = tick;
}

void Arena::tick(std::span<const PlayerInput> inputs) {
    WT_CHECK(inputs.size() == players_.size());
    happenings_.clear();
    activity_.begin_tick();
    for (const std::uint32_t slot : leavers_)
        disown(slot);
    leavers_.clear();
    move_players(inputs);
    touch_players();
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] == 0) continue;
        if (deeds_[slot].shot) shoot(slot, inputs[slot]);
        if (deeds_[slot].picked_up) pick_up(slot);
    }
    activity_.tick();
    record_poses();
    ++next_tick_;
    has_ticked_ = true;
}

void Arena::move_players(std::span<const PlayerInput> inputs) {
    grid_.clear();
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] == 0) continue;
        PlayerState& player = players_[slot];
        deeds_[slot] = step_player(player, inputs[slot].command, config_.tick_rate);
        shoves_[slot] = {};
        grid_.add(slot, player.x, player.y);
    }
}

void Arena::touch_players() {
    constexpr std::int32_t touch = 2 * millimetres(player_radius_mm);
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] == 0) continue;
        const PlayerState& player = players_[slot];
        grid_.near(player.x, player.y, touch, [&](std::uint32_t other) {
            if (other <= slot) return;
            if (part(player, players_[other], shoves_[slot], shoves_[other])) {
                ++counters_.contacts;
            }
        });
        if (deeds_[slot].pushed) push_others(slot);
    }
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] == 0) continue;
        const Shove& shove = shoves_[slot];
        const bool is_still = shove.x == 0 && shove.y == 0 && shove.vx == 0 && shove.vy == 0;
        if (!is_still) apply(shove, players_[slot]);
    }
}

void Arena::push_others(std::uint32_t slot) {
    const PlayerState& pusher = players_[slot];
    grid_.near(pusher.x, pusher.y, millimetres(push_reach_mm), [&](std::uint32_t other) {
        if (other == slot || !push(pusher, players_[other], shoves_[other])) return;
        ++counters_.pushes;
        note({.kind = HappeningKind::pushed,
              .actor = static_cast<std::uint16_t>(slot),
              .target = static_cast<std::uint16_t>(other)});
    });
}

void Arena::note(const Happening& happening) {
    // A crowd pushing a crowd: what does not fit happened all the same, it is just not told.
    if (happenings_.size() < happenings_.capacity()) happenings_.push_back(happening);
}

void Arena::pick_up(std::uint32_t slot) {
    // The nearest pickup of another owner within reach; of equals the lowest index.
    const PlayerState& player = players_[slot];
    const std::span<const ObjectState> all = objects();
    constexpr std::int64_t reach = millimetres(pick_up_reach_mm);
    std::int64_t nearest = reach * reach + 1;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const ObjectState& object = all[i];
        if (object.kind != ObjectKind::pickup || object.owner == slot) continue;
        const std::int64_t dx = std::int64_t{object.x} - player.x;
        const std::int64_t dy = std::int64_t{object.y} - player.y;
        const std::int64_t square = dx * dx + dy * dy;
        if (square >= nearest) continue;
        nearest = square;
        found = i;
    }
    if (nearest > reach * reach) return;
    activity_.set_owner(found, static_cast<std::uint16_t>(slot));
    ++counters_.pickups;
    note({.kind = HappeningKind::picked_up,
          .actor = static_cast<std::uint16_t>(slot),
          .object = found});
}

void Arena::record_poses() {
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] == 0) continue;
        const prediction::Pose pose =
            prediction::pose_of(to_state(players_[slot]), pose_fields(avatar_kind));
        poses_.record(next_tick_, slot, pose, pose_cuts_[slot]);
    }
}

std::uint64_t Arena::state_checksum() const {
    std::uint64_t sum = activity_.checksum() ^ mix(next_tick_ ^ 0x9ae1'6a3b'2f90'404f, 3);
    for (std::uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (playing_[slot] != 0) sum += hash_of(players_[slot], slot);
    }
    return sum;
}

}  // namespace wt::arena
