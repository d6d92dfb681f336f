// SPDX-License-Identifier: MIT
#include "simulator/run/link_ramp.hpp"

#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

// from + (to - from) * done / all, rounded towards `from`.
std::int64_t between(std::int64_t from, std::int64_t to, RampPlace place) {
    const SignedWide way = static_cast<SignedWide>(to) - from;
    return from + static_cast<std::int64_t>(way * place.done / place.all);
}

std::uint64_t between(std::uint64_t from, std::uint64_t to, RampPlace place) {
    return static_cast<std::uint64_t>(
        between(static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), place));
}

void move(Duration from, Duration to, RampPlace place, Duration& into) {
    into.ns = between(from.ns, to.ns, place);
}

void move(Chance from, Chance to, RampPlace place, Chance& into) {
    into.threshold = between(from.threshold, to.threshold, place);
}

// 0 is "no limit", which is not near to any rate.
void move(BitRate from, BitRate to, RampPlace place, BitRate& into) {
    if (from.bits_per_second == 0 || to.bits_per_second == 0) return;
    into.bits_per_second = between(from.bits_per_second, to.bits_per_second, place);
}

void move(const JitterConfig& from, const JitterConfig& to, RampPlace place, JitterConfig& into) {
    using Kind = JitterConfig::Kind;
    const bool is_width = to.kind == Kind::uniform || to.kind == Kind::none;
    const bool was_width = from.kind == Kind::uniform || from.kind == Kind::none;
    if (is_width && was_width) {
        // None is a width of nothing.
        move(from.width, to.width, place, into.width);
        into.kind = into.width == Duration{} ? Kind::none : Kind::uniform;
    } else if (from.kind == to.kind) {
        // Of a table the shape changes at once.
        move(from.p50, to.p50, place, into.p50);
        move(from.p99, to.p99, place, into.p99);
    }
}

void move(const BadStateConfig& from, const BadStateConfig& to, RampPlace place,
          BadStateConfig& into) {
    move(from.share, to.share, place, into.share);
    move(from.mean, to.mean, place, into.mean);
    move(from.loss, to.loss, place, into.loss);
    move(from.extra_delay, to.extra_delay, place, into.extra_delay);
    move(from.rate, to.rate, place, into.rate);
}

}  // namespace

void ramp_link_keys(std::uint32_t keys, const DirectionConfig& target, RampPlace place,
                    DirectionConfig& into) {
    const DirectionConfig from = into;
    copy_link_keys(keys, target, into);
    if (place.is_over()) return;
    // Keys that were not copied are the same on both sides, and stay.
    const DirectionConfig to = into;
    move(from.delay, to.delay, place, into.delay);
    move(from.jitter, to.jitter, place, into.jitter);
    move(from.loss, to.loss, place, into.loss);
    if (from.burst.unit == to.burst.unit)
        move(from.burst.time, to.burst.time, place, into.burst.time);
    if (from.bad && to.bad) move(*from.bad, *to.bad, place, *into.bad);
    move(from.rate, to.rate, place, into.rate);
    if (from.queue.unit == to.queue.unit)
        move(from.queue.time, to.queue.time, place, into.queue.time);
    move(from.duplicate.chance, to.duplicate.chance, place, into.duplicate.chance);
    move(from.duplicate.delay, to.duplicate.delay, place, into.duplicate.delay);
    move(from.reorder.chance, to.reorder.chance, place, into.reorder.chance);
    move(from.reorder.by, to.reorder.by, place, into.reorder.by);
    move(from.corrupt.chance, to.corrupt.chance, place, into.corrupt.chance);
}

}  // namespace wt::sim
