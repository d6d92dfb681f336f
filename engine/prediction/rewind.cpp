// SPDX-License-Identifier: MIT
#include "engine/prediction/rewind.hpp"

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::prediction {

PoseHistory::PoseHistory(const RewindConfig& config)
    : config_(config), entries_(std::size_t{config.slots} * history) {
    WT_CHECK(config.ticks_max + config.span_max < history);
}

void PoseHistory::reset() {
    entries_.assign(entries_.size(), {});
    counters_ = {};
}

void PoseHistory::record(Tick tick, std::uint32_t slot, const Pose& pose, std::uint32_t cut) {
    WT_CHECK(slot < config_.slots);
    entries_[std::size_t{slot} * history + tick % history] = {tick, true, cut, pose};
}

const PoseHistory::Entry* PoseHistory::find(Tick tick, std::uint32_t slot) const {
    const Entry& entry = entries_[std::size_t{slot} * history + tick % history];
    return entry.is_set && entry.tick == tick ? &entry : nullptr;
}

RewindStatus PoseHistory::blend_entries(std::uint32_t slot, const View& view, Pose& out) const {
    const Entry* const from = find(view.from, slot);
    if (from == nullptr) return RewindStatus::not_eligible;
    if (view.span == 0) {
        out = from->pose;
        return RewindStatus::ok;
    }
    const Entry* const to = find(view.from + view.span, slot);
    if (to == nullptr || (to->cut != from->cut && !mutated<"rewind-eligible">()))
        return RewindStatus::not_eligible;
    out = blend(from->pose, to->pose, TickTime::at(from->tick), TickTime::at(to->tick), view.at,
                config_.angle_bits);
    return RewindStatus::ok;
}

RewindStatus PoseHistory::rebuild(Tick now, std::uint32_t slot, const View& view, Pose& out) {
    WT_CHECK(slot < config_.slots);
    const Tick oldest = now < config_.ticks_max ? 0 : now - config_.ticks_max;
    View judged = view;
    const bool is_clamped = (view.at < TickTime::at(oldest) && !mutated<"rewind-bound">()) ||
                            view.at > TickTime::at(now);
    if (is_clamped) {
        ++counters_.clamped;
        judged = {.at = TickTime::at(view.at > TickTime::at(now) ? now : oldest)};
        judged.from = judged.at.floor();
    } else {
        const Tick floor = view.at.floor();
        const bool is_plausible = view.from <= floor && view.span <= config_.span_max &&
                                  view.from + view.span <= now &&
                                  view.from + config_.span_max + config_.ticks_max >= now &&
                                  floor <= view.from + view.span + config_.beyond_max;
        // A held pose may be old, but not older than the bound: by then it was not shown for what
        // it was, but for want of anything newer.
        const bool is_held = view.span == 0 && view.from >= oldest && view.from <= floor;
        if (!is_plausible && !is_held && !mutated<"rewind-plausible">()) {
            ++counters_.implausible;
            judged.from = floor;
            judged.span = floor < now && view.at > TickTime::at(floor) ? 1 : 0;
        }
    }
    const RewindStatus status = blend_entries(slot, judged, out);
    if (status == RewindStatus::not_eligible) {
        ++counters_.not_eligible;
        return status;
    }
    ++counters_.rebuilt;
    return is_clamped ? RewindStatus::clamped : RewindStatus::ok;
}

}  // namespace wt::prediction
