// SPDX-License-Identifier: MIT
#include "engine/arena/activity.hpp"

#include <algorithm>

#include "engine/arena/direction.hpp"
#include "engine/base/check.hpp"

namespace wt::arena {

namespace {

constexpr std::uint32_t shift_ms = 2'000;  // Every so often a tenth of the movers changes.
constexpr std::uint32_t shift_part = 10;
constexpr std::uint32_t leg_ms_min = 1'000;
constexpr std::uint32_t leg_ms_span = 2'000;
constexpr std::int32_t speed_min = 1'500;
constexpr std::uint32_t speed_span = 2'500;

std::int32_t place_of(std::uint64_t draw) {
    return static_cast<std::int32_t>(uniform_below(draw, world_units));
}

std::uint64_t hash_of(const ObjectState& o) {
    const std::uint64_t place =
        std::uint64_t{static_cast<std::uint32_t>(o.x)} << 32 | static_cast<std::uint32_t>(o.y);
    const std::uint64_t motion = std::uint64_t{static_cast<std::uint16_t>(o.vx)} << 48 |
                                 std::uint64_t{static_cast<std::uint16_t>(o.vy)} << 32 |
                                 std::uint64_t{o.facing} << 16 | o.owner;
    const std::uint64_t name = std::uint64_t{o.incarnation} << 16 |
                               std::uint64_t{static_cast<std::uint8_t>(o.kind)} << 8 | o.jumps;
    return mix(mix(place ^ 0x2545'f491'4f6c'dd1d, motion ^ 0x9e37'79b9'7f4a'7c15),
               name ^ 0xd6e8'feb8'6659'fd93);
}

}  // namespace

Activity::Activity(std::uint64_t seed, const ActivityConfig& config, Frequency rate)
    : key_(LuckKey::root(seed).with("arena")), rate_(rate) {
    WT_CHECK(rate.per_second > 0);
    WT_CHECK(config.moving <= Chance::always());
    objects_.resize(config.objects);
    hashes_.assign(config.objects, 0);
    is_moving_.assign(config.objects, 0);
    is_touched_.assign(config.objects, 0);
    changed_.reserve(config.objects);
    reborn_.reserve(config.objects);
    teleports_.per_hour = config.teleports_per_hour * config.objects;
    spawns_.per_hour = config.spawns_per_hour;
    for (std::uint32_t i = 0; i < config.objects; ++i)
        birth(i);
    const std::uint32_t count =
        static_cast<std::uint32_t>(std::uint64_t{config.objects} * config.moving.threshold >> 32);
    movers_.reserve(count);
    stopped_.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t draw = key_.with("first mover").draw(i);
        const std::uint32_t index = find_resting(draw);
        is_moving_[index] = 1;
        movers_.push_back({.index = index});
        start_leg(movers_.back());
    }
    settle_checksum();
}

void Activity::touch(std::uint32_t index) {
    if (is_touched_[index] != 0) return;
    is_touched_[index] = 1;
    changed_.push_back(index);
}

void Activity::settle_checksum() {
    for (const std::uint32_t index : changed_) {
        const std::uint64_t hash = hash_of(objects_[index]);
        checksum_ += hash - hashes_[index];
        hashes_[index] = hash;
    }
}

void Activity::birth(std::uint32_t index) {
    ++incarnations_;
    const LuckKey key = key_.with("birth").with(incarnations_);
    const std::uint64_t kind = uniform_below(key.draw(2), 10);
    ObjectState& object = objects_[index];
    object = {.x = place_of(key.draw(0)),
              .y = place_of(key.draw(1)),
              .kind = kind < 4   ? ObjectKind::crate
                      : kind < 7 ? ObjectKind::pickup
                                 : ObjectKind::drone,
              .incarnation = incarnations_};
    touch(index);
}

std::uint32_t Activity::find_resting(std::uint64_t draw) const {
    // From a drawn place on; there is one, since fewer move than there are.
    const std::uint32_t count = static_cast<std::uint32_t>(objects_.size());
    std::uint32_t at = static_cast<std::uint32_t>(uniform_below(draw, count));
    for (std::uint32_t i = 0; i < count && is_moving_[at] != 0; ++i)
        at = at + 1 < count ? at + 1 : 0;
    return at;
}

void Activity::start_leg(Mover& mover) {
    ObjectState& object = objects_[mover.index];
    const LuckKey key = key_.with("leg").with(object.incarnation);
    const std::uint64_t draw = key.draw(std::uint64_t{mover.leg} << 32 | shifts_);
    const std::uint32_t heading = static_cast<std::uint32_t>(draw % turn);
    const std::int32_t speed =
        speed_min + static_cast<std::int32_t>((draw >> 12 & 0xffff) * speed_span >> 16);
    const std::uint32_t length_ms =
        leg_ms_min + static_cast<std::uint32_t>((draw >> 32 & 0xffff) * leg_ms_span >> 16);
    const Direction way = direction(heading);
    object.vx = static_cast<std::int16_t>(way.x * speed / direction_one);
    object.vy = static_cast<std::int16_t>(way.y * speed / direction_one);
    object.facing = static_cast<std::uint16_t>(heading);
    ++mover.leg;
    mover.leg_end = elapsed_ + ticks_of_ms(length_ms, rate_);
    touch(mover.index);
}

void Activity::move(Mover& mover) {
    ObjectState& object = objects_[mover.index];
    const auto advance = [&](std::int32_t& place, std::int16_t& speed) {
        place += way_of_tick(speed, rate_);
        if (place >= 0 && place < world_units) return;
        place = place < 0 ? 0 : world_units - 1;
        speed = static_cast<std::int16_t>(-speed);
    };
    advance(object.x, object.vx);
    advance(object.y, object.vy);
    touch(mover.index);
}

void Activity::change_movers() {
    ++shifts_;
    const std::uint32_t count = mover_count();
    // With everything moving there is nobody to take over.
    const std::uint32_t resting = static_cast<std::uint32_t>(objects_.size()) - count;
    const std::uint32_t shifted =
        count == 0 ? 0 : std::min(std::max(count / shift_part, 1u), resting);
    const LuckKey key = key_.with("next mover").with(shifts_);
    for (std::uint32_t i = 0; i < shifted; ++i) {
        Mover& mover = movers_[(shifts_ * shifted + i) % count];
        const std::uint32_t index = find_resting(key.draw(i));
        stopped_.push_back(mover.index);
        objects_[mover.index].vx = 0;
        objects_[mover.index].vy = 0;
        touch(mover.index);
        is_moving_[index] = 1;
        mover = {.index = index};
        start_leg(mover);
    }
    // Only now: whoever stops in this shift does not begin again in it.
    for (const std::uint32_t index : stopped_)
        is_moving_[index] = 0;
    stopped_.clear();
}

bool Activity::is_due(Pace& pace) const {
    const std::uint64_t whole = std::uint64_t{3'600} * rate_.per_second;
    if (pace.credit < whole) return false;
    pace.credit -= whole;
    ++pace.done;
    return true;
}

void Activity::begin_tick() {
    for (const std::uint32_t index : changed_)
        is_touched_[index] = 0;
    changed_.clear();
    reborn_.clear();
}

void Activity::tick() {
    ++elapsed_;
    if (elapsed_ % ticks_of_ms(shift_ms, rate_) == 0) change_movers();
    for (Mover& mover : movers_) {
        if (elapsed_ >= mover.leg_end) start_leg(mover);
        move(mover);
    }
    // At most each object once a tick, so that a rate without bound costs a bounded tick.
    const std::uint64_t most = std::uint64_t{objects_.size()} * 3'600 * rate_.per_second;
    teleports_.credit = std::min(teleports_.credit + teleports_.per_hour, most);
    spawns_.credit = std::min(spawns_.credit + spawns_.per_hour, most);
    while (is_due(teleports_)) {
        const LuckKey key = key_.with("teleport").with(teleports_.done);
        const std::uint64_t index = uniform_below(key.draw(0), objects_.size());
        ObjectState& object = objects_[index];
        object.x = place_of(key.draw(1));
        object.y = place_of(key.draw(2));
        ++object.jumps;
        touch(static_cast<std::uint32_t>(index));
    }
    while (is_due(spawns_)) {
        const std::uint64_t draw = key_.with("vanish").draw(spawns_.done);
        const std::uint32_t index =
            static_cast<std::uint32_t>(uniform_below(draw, objects_.size()));
        if (std::find(reborn_.begin(), reborn_.end(), index) != reborn_.end()) continue;
        birth(index);
        reborn_.push_back(index);
        for (Mover& mover : movers_) {
            if (mover.index == index) start_leg(mover);
        }
    }
    settle_checksum();
}

void Activity::set_owner(std::uint32_t index, std::uint16_t owner) {
    WT_CHECK(index < objects_.size());
    objects_[index].owner = owner;
    touch(index);
    const std::uint64_t hash = hash_of(objects_[index]);
    checksum_ += hash - hashes_[index];
    hashes_[index] = hash;
}

}  // namespace wt::arena
